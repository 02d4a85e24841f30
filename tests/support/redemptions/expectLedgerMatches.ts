import { expect } from 'vitest'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { voucher } from '../../../server/db/schema/vouchers.ts'
import { checkSeals } from '../../../server/services/redemptions/ledgerSeals.ts'
import { receiptNumber } from '../../../server/services/redemptions/receipt.ts'
import type { ServerEnvironment } from '../server/serverEnvironment.ts'
import { journalOf, type CountingTill } from './CountingTill.ts'

/** Expects that the ledger has exactly what the tills were told: receipts, vouchers and sums. Returns the number of its seals. */
export async function expectLedgerMatches(
  { open }: Pick<ServerEnvironment, 'open'>,
  tills: CountingTill[],
): Promise<number> {
  const database = await open()
  const rows = await database.db.select().from(redemption)
  const used = (await database.db.select().from(voucher)).filter(({ status }) => status === 'Used')
  const check = await ledgerCheck(database)
  const seals = await checkSeals(database)
  await database.close()
  const told = journalOf(tills)
  expect(new Map(rows.map(({ id, receiptNo }) => [id, receiptNumber(receiptNo)]))).toEqual(told)
  expect(new Set(rows.map(({ voucherId }) => voucherId))).toEqual(new Set(used.map(({ id }) => id)))
  expect(rows).toHaveLength(used.length)
  expect(check).toMatchObject({ balanced: true, ledger_rows: told.size })
  expect(seals.broken).toBeUndefined()
  return seals.seals
}
