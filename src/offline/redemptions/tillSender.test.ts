import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HeldVoucher, TillWire, WireAnswer } from '../../domain/TillWire.ts'
import { TillDatabase } from '../store/till.ts'
import { newHold } from './tillHold.ts'
import { endRest, readTillRows } from './tillRows.ts'
import { nextDueAt, sendWaiting } from './tillSender.ts'

type Redeemed = Awaited<ReturnType<TillWire['redeem']>>

const [FIRST, SECOND, THIRD] = ['2000000000015', '2000000000022', '2000000000039'] as const
const FAILED = { kind: 'later', connectionFailed: false, message: 'failed' } as const
const LATER: Redeemed = FAILED
const LINE: WireAnswer<never> = { ...FAILED, connectionFailed: true }
const BUSY: WireAnswer<never> = { ...FAILED, isBusy: true, retryAfterMs: 7_000 }
const REFUSED: Redeemed = { kind: 'refused', refused: { code: 'HOLD_ENDED', message: 'The hold has ended.', data: {} } }

let database: TillDatabase
let now: number
let chance: number
let sent: string[]
let answers: Partial<Record<string, Redeemed[]>>
/** The serials of each upload of several, and what becomes of uploads before they are looked at. */
let uploads: string[][]
let uploadAnswers: Awaited<ReturnType<TillWire['upload']>>[]

beforeEach(() => {
  database = new TillDatabase(`till-${randomUUID()}`)
  now = Date.parse('2026-11-22T01:00:00Z')
  chance = 0.5
  sent = []
  answers = {}
  uploads = []
  uploadAnswers = []
})
afterEach(() => database.delete())

/** The server: what was arranged for a serial, one answer after the other, then receipts. */
const redeem = async ({ id, serial }: HeldVoucher): Promise<Redeemed> => {
  sent.push(serial)
  return answers[serial]?.shift() ?? receiptOf(id, serial)
}

const upload = async (vouchers: readonly HeldVoucher[]): Promise<Awaited<ReturnType<TillWire['upload']>>> => {
  uploads.push(vouchers.map(({ serial }) => serial))
  const answer = uploadAnswers.shift()
  if (answer) return answer
  const outcomes = new Map<string, Redeemed>()
  for (const voucher of vouchers) outcomes.set(voucher.id, await redeem(voucher))
  return { kind: 'done', answer: outcomes }
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
  wire: { redeem, upload, accept: never, verify: never, cancel: never, ask: never, void: never } satisfies TillWire,
  now: () => now,
  random: () => chance,
})

async function take(serial: string) {
  const { row } = await newHold({ serial, owner: 'cashier', owner_name: 'till-1', till: 'device' }, now)
  await database.vouchers.add({ ...row, state: 'confirmed', confirmedAt: now })
  now += 1_000
}

/** The first of those that were taken finds no connection, and all rest for it. */
async function lineFails() {
  const [oldest] = await readTillRows(database)
  answers[oldest!.serial] = [LINE]
  await sendWaiting(ports())
}

const statesNow = async () => (await readTillRows(database)).map(({ state }) => state)

describe('what was taken and waits', () => {
  it('40: is tried again later and later while the server fails, and receipted in the end', async () => {
    await take(FIRST)
    answers[FIRST] = [LATER, LATER]
    const rests: number[] = []
    while ((await statesNow())[0] === 'confirmed') {
      await sendWaiting(ports())
      const due = await nextDueAt(ports())
      if (due === undefined) break
      expect(due).toBeGreaterThan(now)
      rests.push(due - now)
      await sendWaiting(ports())
      expect(sent, 'nothing before its time').toHaveLength(rests.length)
      now = due
    }
    expect(rests).toEqual([1_000, 2_000])
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
    now += 7_999
    await sendWaiting(ports(), true)
    expect(sent).toEqual([FIRST, SECOND])
    now += 1
    await sendWaiting(ports())
    expect(await statesNow()).toEqual(['receipted', 'receipted'])
  })

  it('rests as a whole while the server is busy: nothing goes, whoever wakes it, also what is taken meanwhile', async () => {
    await take(FIRST)
    await take(SECOND)
    answers[FIRST] = [BUSY]
    await sendWaiting(ports())
    await take(THIRD)
    const due = await nextDueAt(ports())
    // Seven seconds, and half of the two that this device adds by itself; taking the third took one.
    expect(due).toBe(now - 1_000 + 8_000)
    for (const again of [false, true, true]) await sendWaiting(ports(), again)
    expect(sent).toEqual([FIRST])
    now = due!
    await sendWaiting(ports())
    expect(sent).toEqual([FIRST, FIRST, SECOND, THIRD])
    expect(await statesNow()).toEqual(['receipted', 'receipted', 'receipted'])
  })

  it('goes up together once it was put off, each voucher with an end of its own, and what is unknown is asked again', async () => {
    for (const serial of [FIRST, SECOND, THIRD]) await take(serial)
    await lineFails()
    answers[SECOND] = [REFUSED]
    answers[THIRD] = [LATER]
    await sendWaiting(ports(), true)
    expect(uploads).toEqual([[FIRST, SECOND, THIRD]])
    expect(await readTillRows(database)).toMatchObject([
      { state: 'receipted', receipt: { serial: FIRST } },
      { state: 'attention', seen: false, refused: { code: 'HOLD_ENDED' } },
      { state: 'confirmed', sent: true },
    ])
    now += 60_000
    await sendWaiting(ports())
    expect(uploads).toEqual([[FIRST, SECOND, THIRD], [THIRD]])
    expect(await statesNow()).toEqual(['receipted', 'attention', 'receipted'])
  })

  it('keeps a voucher of which the server said nothing, and never says "Redeemed" of it', async () => {
    for (const serial of [FIRST, SECOND]) await take(serial)
    await lineFails()
    uploadAnswers = [{ kind: 'done', answer: new Map() }]
    await sendWaiting(ports(), true)
    const unknown = { state: 'confirmed', sent: true, receipt: undefined }
    expect((await readTillRows(database)).map(({ state, sent, receipt }) => ({ state, sent, receipt }))).toEqual([
      unknown,
      unknown,
    ])
  })

  it('goes up fifteen at a time, as many as a till can hold', async () => {
    const serials = Array.from({ length: 20 }, (_, n) => String(3_000_000_000_000 + n))
    for (const serial of serials) await take(serial)
    await lineFails()
    await sendWaiting(ports(), true)
    expect(uploads).toEqual([serials.slice(0, 15), serials.slice(15)])
  })

  it('goes up one by one at a server of the release before, or when one of them cannot be read there', async () => {
    for (const serial of [FIRST, SECOND, THIRD]) await take(serial)
    await lineFails()
    uploadAnswers = [
      { kind: 'refused', refused: { code: 'NOT_FOUND', message: 'There is no such address.', data: {} } },
    ]
    await sendWaiting(ports(), true)
    expect(sent).toEqual([FIRST, FIRST, SECOND, THIRD])
    expect(await statesNow()).toEqual(['receipted', 'receipted', 'receipted'])
  })

  it('does not stand in the way of what is taken now: a server too busy for uploads still lets the counter in', async () => {
    for (const serial of [FIRST, SECOND]) await take(serial)
    await lineFails()
    uploadAnswers = [BUSY]
    await sendWaiting(ports(), true)
    await take(THIRD)
    for (const again of [false, true]) await sendWaiting(ports(), again)
    expect(uploads).toEqual([[FIRST, SECOND]])
    expect(await statesNow()).toEqual(['confirmed', 'confirmed', 'receipted'])
    now = (await nextDueAt(ports()))!
    await sendWaiting(ports())
    expect(uploads).toEqual([
      [FIRST, SECOND],
      [FIRST, SECOND],
    ])
    expect(await statesNow()).toEqual(['receipted', 'receipted', 'receipted'])
  })

  it('goes at once when somebody presses "Upload now", however busy the server was', async () => {
    await take(FIRST)
    answers[FIRST] = [BUSY]
    await sendWaiting(ports())
    await endRest(database)
    await sendWaiting(ports())
    expect(await statesNow()).toEqual(['receipted'])
  })

  it('does not wait longer for a busy server because the connection was away for hours before', async () => {
    await take(FIRST)
    answers[FIRST] = [LINE]
    uploadAnswers = [...Array.from({ length: 11 }, () => LINE), BUSY]
    for (let attempt = 0; attempt < 13; attempt += 1) await sendWaiting(ports(), true)
    expect(await nextDueAt(ports())).toBe(now + 8_000)
  })

  it('comes at the time that a busy server gives it, however often it was busy before', async () => {
    await take(FIRST)
    answers[FIRST] = Array.from({ length: 6 }, () => BUSY)
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await sendWaiting(ports())
      expect(await nextDueAt(ports())).toBe(now + 8_000)
      now += 8_000
    }
  })

  it('does not wait for a time by a clock that was turned back since: all is due at once, and rests anew when it fails', async () => {
    await take(FIRST)
    await take(SECOND)
    now += 27 * 60_000
    await lineFails()
    expect(await nextDueAt(ports())).toBeGreaterThan(now)
    now -= 29 * 60_000
    expect(await nextDueAt(ports())).toBeLessThanOrEqual(now)
    uploadAnswers = [LINE]
    await sendWaiting(ports())
    expect(uploads).toEqual([[FIRST, SECOND]])
    const due = await nextDueAt(ports())
    expect(due).toBeGreaterThan(now)
    expect(due).toBeLessThan(now + 60_000)
    now = due!
    await sendWaiting(ports())
    expect(await statesNow()).toEqual(['receipted', 'receipted'])
  })

  it('comes back at moments of its own: two devices that failed together are not due together', async () => {
    await take(FIRST)
    answers[FIRST] = [BUSY, BUSY]
    await sendWaiting(ports())
    const one = await nextDueAt(ports())
    await endRest(database)
    await database.vouchers.toCollection().modify({ attempts: 0 })
    chance = 0.25
    await sendWaiting(ports())
    expect(await nextDueAt(ports())).toBe(one! - 500)
  })
})
