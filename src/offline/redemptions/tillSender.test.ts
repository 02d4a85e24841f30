import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HeldVoucher, TillWire, WireAnswer } from '../../domain/TillWire.ts'
import { TillDatabase } from '../store/till.ts'
import { newHold } from './tillHold.ts'
import { readTillRows } from './tillRows.ts'
import { nextDueAt, sendWaiting } from './tillSender.ts'

type Redeemed = Awaited<ReturnType<TillWire['redeem']>>

const [FIRST, SECOND] = ['2000000000015', '2000000000022'] as const
const LATER: Redeemed = { kind: 'later', connectionFailed: false, message: 'busy' }
const REFUSED: Redeemed = { kind: 'refused', refused: { code: 'HOLD_ENDED', message: 'The hold has ended.', data: {} } }

let database: TillDatabase
let now: number
let sent: string[]
let answers: Partial<Record<string, Redeemed[]>>

beforeEach(() => {
  database = new TillDatabase(`till-${randomUUID()}`)
  now = Date.parse('2026-11-22T01:00:00Z')
  sent = []
  answers = {}
})
afterEach(() => database.delete())

/** The server: what was arranged for a serial, one answer after the other, then receipts. */
const redeem = async ({ id, serial }: HeldVoucher): Promise<Redeemed> => {
  sent.push(serial)
  return answers[serial]?.shift() ?? receiptOf(id, serial)
}

const receiptOf = (id: string, serial: string): Redeemed => {
  const facts = { denomination_cents: 1000, expires_on: '2027-01-31', redeemed_at: new Date(now).toISOString() }
  return {
    kind: 'done',
    answer: { id, serial, ...facts, receipt_number: 'R-000001', pos_username: 'till-1', branch_name: 'Tampines' },
  }
}

const never = (): Promise<WireAnswer<never>> => Promise.reject(new Error('not asked for here'))
const ports = () => ({
  database,
  wire: { redeem, verify: never, cancel: never, ask: never, void: never } satisfies TillWire,
  now: () => now,
})

async function take(serial: string) {
  const { row } = await newHold({ serial, owner: 'cashier', owner_name: 'till-1', till: 'device' }, now)
  await database.vouchers.add({ ...row, state: 'confirmed', confirmedAt: now })
  now += 1_000
}

const statesNow = async () => (await readTillRows(database)).map(({ state }) => state)

describe('what was taken and waits', () => {
  it('40: is tried again later and later while the server fails, and receipted in the end', async () => {
    await take(FIRST)
    answers[FIRST] = [LATER, LATER]
    const rests: number[] = []
    while ((await statesNow())[0] === 'confirmed') {
      await sendWaiting(ports())
      const due = await nextDueAt(database)
      if (due === undefined) break
      expect(due).toBeGreaterThan(now)
      rests.push(due - now)
      await sendWaiting(ports())
      expect(sent, 'nothing before its time').toHaveLength(rests.length)
      now = due
    }
    expect(rests).toHaveLength(2)
    expect(rests[0]).toBeLessThanOrEqual(2_000)
    expect(rests[1]).toBeLessThanOrEqual(4_000)
    expect(await statesNow()).toEqual(['receipted'])
  })

  it('41: holds up nothing behind it when it is refused, and stays to be seen', async () => {
    await take(FIRST)
    await take(SECOND)
    answers[FIRST] = [REFUSED]
    await sendWaiting(ports())
    expect(sent).toEqual([FIRST, SECOND])
    expect(await readTillRows(database)).toMatchObject([
      { state: 'attention', seen: false, refused: { code: 'HOLD_ENDED' } },
      { state: 'receipted' },
    ])
  })

  it('42: leaves the server the time it asks for, which is one voucher’s own', async () => {
    await take(FIRST)
    await take(SECOND)
    answers[FIRST] = [{ ...LATER, retryAfterMs: 7_000 }]
    await sendWaiting(ports())
    expect(await statesNow()).toEqual(['confirmed', 'receipted'])
    now += 6_999
    await sendWaiting(ports())
    expect(sent).toEqual([FIRST, SECOND])
    now += 1
    await sendWaiting(ports())
    expect(await statesNow()).toEqual(['receipted', 'receipted'])
  })
})
