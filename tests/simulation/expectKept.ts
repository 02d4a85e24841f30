import assert from 'node:assert/strict'
import { eq, isNull } from 'drizzle-orm'
import type { Statement } from '../../server/db/engine/Database.ts'
import { ledgerCheck } from '../../server/db/redemptions/ledger.ts'
import { hold, redemption } from '../../server/db/schema/redemptions.ts'
import { voucher } from '../../server/db/schema/vouchers.ts'
import { receiptNumber } from '../../server/services/redemptions/receipt.ts'
import { isWaiting } from '../../src/offline/store/till.ts'
import type { Cashier } from './Cashier.ts'
import { voucherName } from './Customers.ts'
import type { World } from './World.ts'

const IN_LEDGER: Statement<[ids: readonly string[]], { id: string; receiptNo: number; live: number }> = {
  name: 'simulated_heard',
  text: `SELECT r.id::text AS id, r.receipt_no::int AS "receiptNo",
                (SELECT count(*)::int FROM redemption o WHERE o.voucher_id = r.voucher_id AND o.voided_at IS NULL) AS live
         FROM redemption r WHERE r.id = ANY($1::uuid[])`,
}

/** Checks that receipts a till has just received are in the ledger, and their vouchers redeemed once. Throws an AssertionError. */
export async function expectInLedger(world: World, ids: readonly string[]): Promise<void> {
  const ledger = new Map((await world.server.database.run(IN_LEDGER, [ids])).map((row) => [row.id, row]))
  for (const id of ids) {
    const { receipt_number, serial } = world.heard.get(id)!
    const row = ledger.get(id)
    expectReceipt(row, receipt_number, serial)
    assert.ok(row!.live <= 1, `${voucherName(serial)} is redeemed once`)
  }
}

const expectReceipt = (row: Pick<Entry, 'receiptNo'> | undefined, number: string, serial: string) =>
  assert.equal(
    row && receiptNumber(row.receiptNo),
    number,
    `receipt ${number} of ${voucherName(serial)}, which a till has, is in the ledger`,
  )

/** Checks the promises of the programme, once the world is healed and at rest. Throws an AssertionError. */
export async function expectKept(world: World): Promise<void> {
  const { db } = world.server.database
  const vouchers = new Map((await db.select().from(voucher)).map((row) => [row.id, row]))
  const ledger = new Map((await db.select().from(redemption)).map((row) => [row.id, row]))
  const nameOf = ({ voucherId }: Entry) => voucherName(vouchers.get(voucherId)!.serial)
  expectOnce([...ledger.values()], nameOf)
  for (const [id, { receipt_number, serial }] of world.heard) expectReceipt(ledger.get(id), receipt_number, serial)
  const pressed = new Set(world.cashiers.flatMap((cashier) => [...cashier.pressed]))
  for (const entry of ledger.values()) assert.ok(pressed.has(entry.id), `a cashier took ${nameOf(entry)}`)
  for (const cashier of world.cashiers) await expectSettled(world, cashier, ledger)
  const held = await db.select().from(hold).where(isNull(hold.became))
  assert.deepEqual(
    held.map(({ voucherId }) => voucherName(vouchers.get(voucherId!)!.serial)),
    [],
    'nobody holds a voucher any more',
  )
  for (const { name, tabs } of world.tablets) {
    for (const { code } of tabs) assert.equal(code.connectivity.verdict, 'online', `${name} is online`)
  }
  const { balanced } = await ledgerCheck(world.server.database)
  assert.ok(balanced, 'ledger and vouchers are the same money')
}

type Entry = typeof redemption.$inferSelect

function expectOnce(ledger: readonly Entry[], nameOf: (entry: Entry) => string): void {
  const live = new Set<string>()
  const numbers = new Set<number>()
  for (const entry of ledger) {
    const { voucherId, voidedAt, receiptNo } = entry
    assert.ok(!numbers.has(receiptNo), `receipt ${receiptNumber(receiptNo)} was given once`)
    numbers.add(receiptNo)
    if (voidedAt !== null) continue
    assert.ok(!live.has(voucherId), `${nameOf(entry)} is redeemed once`)
    live.add(voucherId)
  }
}

async function expectSettled(world: World, { tablet, taken }: Cashier, ledger: Map<string, Entry>): Promise<void> {
  const rows = new Map((await tablet.rows()).map((row) => [row.id, row]))
  for (const row of rows.values()) {
    const what = `${voucherName(row.serial)} at ${tablet.name}`
    assert.ok(!isWaiting(row) && row.state !== 'asking' && row.state !== 'held', `${what} has an end, not ${row.state}`)
    const entry = ledger.get(row.id)
    if (row.state === 'receipted') {
      assert.equal(row.receipt?.id, row.id, `${what} has its own receipt`)
      assert.ok(entry, `${what} is in the ledger`)
    }
    // It may have been cancelled before it was redeemed.
    if (row.state === 'voided') assert.ok(!entry || entry.voidedAt, `${what} is not redeemed in the ledger`)
    if (row.state === 'attention' || row.state === 'gone') assert.equal(entry, undefined, `${what} took nothing`)
    if (row.state === 'attention') await expectReason(world, row.id, row.serial, what)
  }
  for (const [id, { serial, letGo }] of taken) {
    const state = rows.get(id)?.state
    const what = `what ${tablet.name} took for ${voucherName(serial)}`
    const ends = [...(letGo === 'no' ? [] : ['gone']), ...(letGo === 'yes' ? [] : ['receipted', 'attention', 'voided'])]
    assert.ok(ends.includes(String(state)), `${what} has an end that somebody can see, not ${state}`)
  }
}

/** Checks the refusal: a voucher that was taken under a live hold may be refused for two reasons only. */
async function expectReason(world: World, id: string, serial: string, what: string): Promise<void> {
  const { db } = world.server.database
  const [ending] = await db.select().from(hold).where(eq(hold.id, id))
  if (ending?.became === 'released by merchant' || ending?.became === 'deactivated')
    return assert.ok(world.endedByMerchant.has(serial), `${what} was ${ending.became}`)
  assert.equal(ending?.became, 'taken over', `${what} was refused because another till came later`)
  const hours = (ending.becameAt!.getTime() - ending.since!.getTime()) / 3_600_000
  assert.ok(hours >= 24, `${what} was taken over after ${hours} hours`)
}
