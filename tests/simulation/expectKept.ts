import assert from 'node:assert/strict'
import { eq, isNotNull } from 'drizzle-orm'
import { ledgerCheck } from '../../server/db/redemptions/ledger.ts'
import { endedHold, redemption } from '../../server/db/schema/redemptions.ts'
import { voucher } from '../../server/db/schema/vouchers.ts'
import { receiptNumber } from '../../server/services/redemptions/receipt.ts'
import { isWaiting } from '../../src/offline/store/till.ts'
import type { Cashier } from './Cashier.ts'
import type { World } from './World.ts'

/** The promises of the programme, looked at when the world is whole again and at rest. Throws an AssertionError. */
export async function expectKept(world: World): Promise<void> {
  const { db } = world.server.database
  const ledger = new Map((await db.select().from(redemption)).map((row) => [row.id, row]))
  const held = await db.select().from(voucher).where(isNotNull(voucher.holdId))
  expectOnce([...ledger.values()])
  for (const [id, number] of world.heard) {
    const written = ledger.get(id)
    assert.equal(
      written && receiptNumber(written.receiptNo),
      number,
      `receipt ${number}, which a till has, is in the ledger`,
    )
  }
  const pressed = new Set(world.cashiers.flatMap((cashier) => [...cashier.pressed]))
  for (const { id, receiptNo } of ledger.values())
    assert.ok(pressed.has(id), `receipt ${receiptNumber(receiptNo)} is of a voucher that a cashier took`)
  for (const cashier of world.cashiers) await expectSettled(world, cashier, ledger)
  const stillHeld = held.map(({ serial }) => world.nameOf(serial))
  assert.deepEqual(stillHeld, [], 'nobody holds a voucher any more')
  assert.equal((await ledgerCheck(world.server.database)).balanced, true, 'ledger and vouchers are the same money')
}

type Entry = typeof redemption.$inferSelect

function expectOnce(ledger: readonly Entry[]): void {
  const live = new Set<string>()
  const numbers = new Set<number>()
  for (const { voucherId, voidedAt, receiptNo } of ledger) {
    assert.ok(!numbers.has(receiptNo), `receipt ${receiptNumber(receiptNo)} was given once`)
    numbers.add(receiptNo)
    if (voidedAt !== null) continue
    assert.ok(!live.has(voucherId), `the voucher of receipt ${receiptNumber(receiptNo)} is redeemed once`)
    live.add(voucherId)
  }
}

async function expectSettled(world: World, { tablet, taken }: Cashier, ledger: Map<string, Entry>): Promise<void> {
  const rows = new Map((await tablet.rows()).map((row) => [row.id, row]))
  for (const row of rows.values()) {
    const what = `${world.nameOf(row.serial)} at ${tablet.name}`
    assert.ok(!isWaiting(row) && row.state !== 'asking' && row.state !== 'held', `${what} has an end, not ${row.state}`)
    const entry = ledger.get(row.id)
    if (row.state === 'receipted') {
      assert.equal(row.receipt?.id, row.id, `${what} has its own receipt`)
      assert.ok(entry, `${what} is in the ledger`)
    }
    if (row.state === 'voided') assert.ok(entry?.voidedAt, `${what} is voided in the ledger`)
    if (row.state === 'attention' || row.state === 'gone') assert.equal(entry, undefined, `${what} took nothing`)
    if (row.state === 'attention') await expectReason(world, row.id, row.serial, what)
  }
  for (const [id, { serial, letGo }] of taken) {
    const state = rows.get(id)?.state
    const what = `what ${tablet.name} took for ${world.nameOf(serial)}`
    const ends = letGo ? ['gone'] : ['receipted', 'attention', 'voided']
    assert.ok(ends.includes(String(state)), `${what} has an end that somebody can see, not ${state}`)
  }
}

/** A voucher that was taken under a live hold is refused for two reasons only. */
async function expectReason(world: World, id: string, serial: string, what: string): Promise<void> {
  const { db } = world.server.database
  const [ending] = await db.select().from(endedHold).where(eq(endedHold.id, id))
  if (ending?.endedBy === 'released by merchant') return assert.ok(world.released.has(serial), `${what} was released`)
  assert.equal(ending?.endedBy, 'taken over', `${what} was refused because another till came later`)
  const hours = (ending.endedAt.getTime() - ending.since!.getTime()) / 3_600_000
  assert.ok(hours >= 24, `${what} was taken over after ${hours} hours`)
}
