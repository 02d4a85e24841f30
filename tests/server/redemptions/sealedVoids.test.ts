import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Statement } from '../../../server/db/engine/Database.ts'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { voucher } from '../../../server/db/schema/vouchers.ts'
import { checkLedger } from '../../../server/desk/voucherDesk.ts'
import { sealLedger } from '../../../server/services/redemptions/ledgerSeals.ts'
import { receiptNumber } from '../../../server/services/redemptions/receipt.ts'
import { formatInstant } from '../../../src/domain/singaporeTime.ts'
import { formatSerial } from '../../../src/domain/vouchers.ts'
import { makePosUser, makeRedemption, type LedgerEntry, type PosUser } from '../../support/database/builders.ts'
import { testDatabase, type TestDatabase } from '../../support/database/testDatabase.ts'
import { fakeClock } from '../../support/server/fakeClock.ts'

let database: TestDatabase
const clock = fakeClock()
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

let till: PosUser
beforeEach(async () => {
  await database.reset()
  clock.set('2026-11-21T02:00:00.000Z')
  till = await makePosUser(database.db)
})

const MINUTE = 60_000
const at = (entry: LedgerEntry, minutes: number) => new Date(entry.recordedAt.getTime() + minutes * MINUTE)
const pass = (minutes: number) => clock.advance({ minutes })
/** Seals the ledger once a minute for `minutes`. */
async function sealFor(minutes: number) {
  for (let n = 0; n < minutes; n++) {
    await sealLedger({ database, clock })
    pass(1)
  }
}
async function redeem(count: number) {
  const made = []
  for (let n = 0; n < count; n++) made.push((await makeRedemption(database.db, till, clock.now())).entry)
  return made
}
/** Voids entries in the database, at any time. It frees the vouchers too, as the portal does. */
async function voidThem(entries: LedgerEntry[], when: (entry: LedgerEntry) => Date) {
  for (const entry of entries) {
    const voided = { voidedAt: when(entry), voidedBy: till.id }
    await database.db.update(redemption).set(voided).where(eq(redemption.id, entry.id))
  }
  const free = { status: 'Active', usedAt: null, organisationId: null, branchId: null } as const
  const ids = entries.map(({ voucherId }) => voucherId)
  await database.db.update(voucher).set(free).where(inArray(voucher.id, ids))
}
/** Returns the line of the check that names a void. */
async function lineOf(entry: LedgerEntry, minutes: number): Promise<string> {
  const [found] = await database.db.select().from(voucher).where(eq(voucher.id, entry.voucherId))
  return `  ${receiptNumber(entry.receiptNo)}, voucher ${formatSerial(found!.serial)}, voided ${formatInstant(at(entry, minutes))}`
}
const check = async () => {
  const printed: string[] = []
  await checkLedger({ database, print: (text) => void printed.push(text) })
  return printed.join('\n')
}

describe('VCH-13: a writer in the database who voids redemptions and frees their vouchers', () => {
  it('is found when the voids are dated back into the five minutes, sealed or not', async () => {
    const taken = await redeem(21)
    await sealFor(15)
    await redeem(1)
    await sealFor(1)
    expect(await check()).toContain('all fit')
    await voidThem(taken, (entry) => at(entry, 3))
    await expect(check()).rejects.toThrow('Voids that are not in the seals made after them: 21')
    await sealFor(1)
    const named = await Promise.all(taken.slice(0, 20).map((entry) => lineOf(entry, 3)))
    const told = ['Voids that are not in the seals made after them: 21', ...named, '  and 1 more'].join('\n')
    await expect(check()).rejects.toThrow(told)
  })

  it('is found in the quiet of a night too, when nothing was redeemed since', async () => {
    const taken = await redeem(1)
    await sealFor(60)
    await voidThem(taken, (entry) => at(entry, 4))
    await sealFor(1)
    await expect(check()).rejects.toThrow('Voids that are not in the seals made after them: 1')
  })

  it('is found when the voids have the time of now', async () => {
    const taken = await redeem(2)
    await sealFor(30)
    await voidThem(taken, () => clock.now())
    const lines = await Promise.all(taken.map((entry) => lineOf(entry, 30)))
    const told = ['Voids later than five minutes after the redemption: 2', ...lines].join('\n')
    await expect(check()).rejects.toThrow(told)
    await sealFor(1)
    await expect(check()).rejects.toThrow('Voids later than five minutes after the redemption: 2')
  })

  it('is found when the voids are from before the redemption', async () => {
    const taken = await redeem(1)
    await sealFor(1)
    await voidThem(taken, (entry) => at(entry, -2 * 24 * 60))
    const line = await lineOf(taken[0]!, -2 * 24 * 60)
    await expect(check()).rejects.toThrow(`Voids dated before the redemption: 1\n${line}`)
  })

  it('is found when the seals are dated back as well, by the redemptions that are in them', async () => {
    const taken = await redeem(1)
    await sealFor(1)
    pass(60)
    await redeem(1)
    await sealFor(1)
    await database.db.execute(sql`ALTER TABLE ledger_seal DISABLE TRIGGER USER`)
    await database.db.execute(sql`UPDATE ledger_seal SET sealed_at = ${taken[0]!.recordedAt}`)
    await database.db.execute(sql`ALTER TABLE ledger_seal ENABLE TRIGGER USER`)
    await voidThem(taken, (entry) => at(entry, 3))
    await expect(check()).rejects.toThrow('Voids that are not in the seals made after them: 1')
  })
})

describe('VCH-13: voids of tills', () => {
  it('agree, whenever in the five minutes they are made, before or after the seal of their redemption', async () => {
    await sealFor(1)
    for (const minutes of [0, 1, 4, 5]) {
      const taken = await redeem(2)
      await sealFor(minutes)
      await voidThem(taken, () => clock.now())
      expect(await check()).toContain('They agree')
      await sealFor(12)
      expect(await check()).toContain('all fit')
    }
  })

  it('agree when the server was down for days right after', async () => {
    const taken = await redeem(1)
    await sealFor(3)
    await voidThem(taken, () => clock.now())
    pass(5 * 24 * 60)
    await redeem(1)
    expect(await check()).toContain('They agree')
    await sealFor(12)
    expect(await check()).toContain('all fit')
  })
})

it('VCH-13: an empty seal follows the last entries by ten minutes, and no other empty one', async () => {
  const inOrder: Statement<[], { entries: number }> = {
    name: 'seals_in_order',
    text: 'SELECT entries FROM ledger_seal ORDER BY number',
  }
  const sealed = async () => (await database.run(inOrder, [])).map(({ entries }) => entries)
  await sealFor(30)
  expect(await sealed()).toEqual([])
  await redeem(2)
  await sealFor(30)
  expect(await sealed()).toEqual([2, 0])
})
