import { setInterval as ticks } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../../server/db/engine/Database.ts'
import { voucher } from '../../../server/db/schema/vouchers.ts'
import { makeMerchant, makePosUser, makeSerial, makeVoucher } from '../database/builders.ts'
import type { ServerEnvironment } from '../server/serverEnvironment.ts'

const GOOD = { denominationCents: 1_000, expiresOn: '2099-12-31', status: 'Active' as const }

/** A statement takes at most 65,535 parameters. */
const ROWS_A_STATEMENT = 1_000

/** Makes one branch with its cashiers, the main account of its organisation, and vouchers for all of them. */
export async function seedTills({ open }: Pick<ServerEnvironment, 'open'>, tills: number, vouchers: number) {
  const database = await open()
  const merchant = await makeMerchant(database.db)
  const cashiers = []
  for (let i = 0; i < tills; i++) cashiers.push(await makePosUser(database.db, merchant))
  const serials = await insertVouchers(database.db, vouchers)
  await database.close()
  return { main: merchant.main, cashiers, serials }
}

/** Makes more vouchers and returns their serials. */
export async function seedVouchers({ open }: Pick<ServerEnvironment, 'open'>, count: number): Promise<string[]> {
  const database = await open()
  const serials = await insertVouchers(database.db, count)
  await database.close()
  return serials
}

async function insertVouchers(db: Db, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({ id: uuidv7(), serial: makeSerial(), ...GOOD }))
  for (let at = 0; at < count; at += ROWS_A_STATEMENT)
    await db.insert(voucher).values(rows.slice(at, at + ROWS_A_STATEMENT))
  return rows.map(({ serial }) => serial)
}

/** Returns the serials that a till redeems. Half of the tills compete for the same vouchers; each of the others has its own. */
export const vouchersOfTill = (till: number, tills: number, serials: readonly string[]): string[] =>
  serials.filter((_, i) =>
    till % 2 === 0 ? i % 2 === 0 : i % 2 === 1 && ((i - 1) / 2) % (tills / 2) === (till - 1) / 2,
  )

/** Makes vouchers one at a time, at the pace of a till, until `isOver`. */
export async function* freshVouchers(db: Db, paceMs: number, isOver: () => boolean) {
  for await (const _ of ticks(paceMs)) {
    if (isOver()) return
    yield (await makeVoucher(db)).serial
  }
}
