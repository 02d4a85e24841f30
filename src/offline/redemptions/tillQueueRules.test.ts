import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SyncOutcome, SyncRow } from '../../contract/redemptions/sync.ts'
import type { Synced } from '../../domain/TillWire.ts'
import { sendDue } from '../queue.ts'
import { TillDatabase, type TillRow } from '../store/till.ts'
import { newHold } from './tillHold.ts'
import { rowAfterOutcome, tillQueueRules } from './tillQueueRules.ts'
import { changeTillRow, makeAllDue, readTillRow } from './tillRows.ts'

const START = Date.parse('2026-11-22T01:00:00Z')
const AT = '2026-11-22T00:55:00.000Z'
const [FIRST, SECOND, THIRD] = ['2000000000015', '2000000000022', '2000000000039'] as const

let database: TillDatabase
let now: number
/** The rows of each call, and whether it was a backlog. */
let calls: { rows: readonly SyncRow[]; isBacklog: boolean }[]
/** The answers to the next calls; after them every row is redeemed. */
let answers: ((rows: readonly SyncRow[]) => Synced)[]

beforeEach(() => {
  database = new TillDatabase(`till-${randomUUID()}`)
  now = START
  calls = []
  answers = []
})
afterEach(() => database.delete())

const receiptOf = (id: string) => {
  const facts = { serial: FIRST, denomination_cents: 1_000, expires_on: '2027-01-31', receipt_number: 'R-000001' }
  return {
    id,
    ...facts,
    redeemed_at: AT,
    recorded_at: AT,
    pos_username: 'till-1',
    branch_name: 'Tampines',
    till: 'Till 1',
  }
}
const redeemed = (id: string) => ({ state: 'redeemed', receipt: receiptOf(id), replayed: false }) as const
const hold = (id: string) => ({ id, till: 'Till 1', since: AT, ends: AT })

/** Every outcome that the server can report for a hold. */
const outcomesOf = (id: string): SyncOutcome[] => [
  { state: 'held', hold: hold(id) },
  redeemed(id),
  { state: 'voided', receipt: receiptOf(id), voided_at: AT },
  { state: 'ended', by: 'taken over', when: AT },
  { state: 'unknown' },
  { state: 'lost', reason: 'used elsewhere', at: AT },
  { state: 'review', reason: 'revoked till' },
  { state: 'later', retry_after_seconds: 60 },
]

async function add(serial: string, given: Partial<TillRow> = {}): Promise<TillRow> {
  const { row } = await newHold({ serial, owner: randomUUID(), owner_name: 'till-1', till: randomUUID() }, now)
  const taken: TillRow = { ...row, state: 'confirmed', confirmedAt: now, ...given }
  await database.vouchers.add(taken)
  now += 1_000
  return taken
}
const wire = {
  sync: async (rows: readonly SyncRow[], isBacklog: boolean): Promise<Synced> => {
    calls.push({ rows, isBacklog })
    return answers.shift()?.(rows) ?? { kind: 'done', answer: rows.map(({ id }) => redeemed(id)) }
  },
}
const send = (withPaused = false) => {
  const kind = tillQueueRules({ database, wire, now: () => now, random: () => 0.5 })
  return sendDue(kind, { isAlone: true, withPaused, stopped: new AbortController().signal })
}
const stateOf = async ({ id }: TillRow) => (await readTillRow(database, id))?.state
const line = (): Synced => ({ kind: 'later', connectionFailed: true, message: 'no connection' })

describe('a row after the server’s outcome for its hold', () => {
  const accepted = { grant: randomUUID(), tapped_at: AT }
  it.each([
    ['confirmed', {}, ['', 'receipted', 'voided', 'attention', 'attention', '', '', '']],
    ['cancelling', {}, ['', 'receipted', 'voided', 'gone', 'gone', '', '', '']],
    ['accepted', { accepted }, ['', 'receipted', 'voided', 'attention', 'attention', 'lost', 'attention', '']],
    ['receipted', { voidingAt: START }, ['cancelling', 'receipted', 'voided', 'receipted', 'receipted', '', '', '']],
  ] as const)('gets its next state from %s, or is sent again', async (state, more, ends) => {
    const row = await add(FIRST, { state, ...more })
    const after = outcomesOf(row.id).map((outcome) => rowAfterOutcome(row, outcome, now))
    expect(after.map((next) => next?.state ?? '')).toEqual(ends)
    expect(
      after.filter((next) => next?.voidingAt !== undefined && next.state !== 'cancelling'),
      'no void request stays',
    ).toEqual([])
  })

  it('has its own receipt, or a reason that stays unread until a cashier has read it', async () => {
    const row = await add(FIRST)
    const [, ok, , ended, unknown] = outcomesOf(row.id).map((outcome) => rowAfterOutcome(row, outcome, now))
    expect(ok).toMatchObject({ receipt: { id: row.id }, settledAt: now, seen: true })
    expect(ended).toMatchObject({ refused: { code: 'HOLD_ENDED', data: { by: 'taken over', when: AT } }, seen: false })
    expect(unknown).toMatchObject({ refused: { code: 'HOLD_UNKNOWN' }, seen: false })
    const atRisk = { ...row, state: 'accepted' as const }
    const [lost, review] = outcomesOf(row.id)
      .slice(5)
      .map((outcome) => rowAfterOutcome(atRisk, outcome, now))
    expect(lost).toMatchObject({ lost: { reason: 'used elsewhere', at: AT }, seen: false })
    expect(review).toMatchObject({ refused: { code: 'REVIEW', message: 'revoked till' }, seen: false })
    expect(rowAfterOutcome(row, redeemed(randomUUID()), now), 'the receipt of another redemption').toBeUndefined()
  })

  it('is not voided if the void came too late, or the server does not know its hold', async () => {
    const row = await add(FIRST, { state: 'receipted', voidingAt: now })
    const codes = outcomesOf(row.id).map((outcome) => rowAfterOutcome(row, outcome, now)?.refused?.code)
    expect(codes).toEqual([
      undefined,
      'VOID_TOO_LATE',
      undefined,
      'HOLD_UNKNOWN',
      'HOLD_UNKNOWN',
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('rows that wait on a till', () => {
  it('are sent in one call if a cashier waits for all of them, each with its own message', async () => {
    const rows = [await add(FIRST), await add(SECOND, { state: 'cancelling' }), await add(THIRD)]
    answers = [
      (sent) => ({ kind: 'done', answer: [redeemed(sent[0]!.id), { state: 'unknown' }, { state: 'unknown' }] }),
    ]
    await send()
    expect(calls.map((one) => one.isBacklog)).toEqual([false])
    expect(calls[0]!.rows.map(({ became }) => became)).toEqual(['redeemed', 'cancelled', 'redeemed'])
    expect(await Promise.all(rows.map(stateOf))).toEqual(['receipted', 'gone', 'attention'])
  })

  it('are a backlog after they were put off or accepted without a check', async () => {
    const accepted = { grant: randomUUID(), tapped_at: AT }
    const taken = await add(FIRST)
    answers = [line]
    await send()
    const back = await add(SECOND, { state: 'cancelling', pausedForConnection: true })
    const code = 'HRP2:…'
    const atRisk = await add(THIRD, { state: 'accepted', accepted, code, denomination_cents: 1_000 })
    const toVoid = await add(FIRST, { state: 'receipted', sent: true, voidingAt: now, attempts: 2 })
    await send(true)
    const { id, secret } = taken
    expect(calls).toEqual([
      { isBacklog: false, rows: [{ became: 'redeemed', id, secret, tapped_at: new Date(START).toISOString() }] },
      {
        isBacklog: true,
        rows: [
          calls[0]!.rows[0],
          { became: 'cancelled', id: back.id, secret: back.secret },
          {
            became: 'accepted',
            id: atRisk.id,
            secret: atRisk.secret,
            code,
            pos_user: atRisk.owner,
            ...accepted,
          },
          { became: 'voided', id: toVoid.id, secret: toVoid.secret },
        ],
      },
    ])
  })

  it('are stored as sent before the first byte leaves, and stay if they get no answer', async () => {
    const [one, other] = [await add(FIRST, { attempts: 1 }), await add(SECOND, { attempts: 1 })]
    let noted: unknown
    const sync = async (rows: readonly SyncRow[]): Promise<Synced> => {
      noted = (await database.vouchers.toArray()).map(({ sent }) => sent)
      return { kind: 'done', answer: [redeemed(rows[0]!.id)] }
    }
    const kind = tillQueueRules({ database, wire: { sync }, now: () => now, random: () => 0.5 })
    await sendDue(kind, { isAlone: true, withPaused: false, stopped: new AbortController().signal })
    expect(noted).toEqual([true, true])
    expect([await stateOf(one), await stateOf(other)]).toEqual(['receipted', 'confirmed'])
    expect(await readTillRow(database, other.id)).toMatchObject({
      sent: true,
      lastMessage: 'The server gave no answer for this voucher.',
    })
  })

  it('get the outcome of the message that was sent, and a void that was requested meanwhile is sent next', async () => {
    const row = await add(FIRST, { attempts: 1 })
    answers = [
      (rows) => {
        // Another tab has received the receipt and voids the redemption.
        void changeTillRow(database, row.id, () => ({ state: 'receipted', receipt: receiptOf(row.id), voidingAt: now }))
        return { kind: 'done', answer: rows.map(({ id }) => redeemed(id)) }
      },
    ]
    await send()
    const voiding = await readTillRow(database, row.id)
    expect(voiding).toMatchObject({ state: 'receipted', voidingAt: now })
    expect(voiding?.refused).toBeUndefined()
    answers = [(rows) => ({ kind: 'done', answer: rows.map(({ id }) => outcomesOf(id)[2]!) })]
    await send()
    expect(await stateOf(row)).toBe('voided')
  })

  it('are sent a hundred at a time, and at once after "Upload now", however busy the server was', async () => {
    for (let count = 0; count < 101; count += 1) await add(FIRST, { attempts: 1 })
    answers = [() => ({ kind: 'later', connectionFailed: false, isBusy: true, message: 'busy', retryAfterMs: 60_000 })]
    await send()
    await send(true)
    expect(calls.map(({ rows }) => rows.length)).toEqual([100])
    await makeAllDue(database)
    await send()
    expect(calls.map(({ rows }) => rows.length)).toEqual([100, 100, 1])
  })
})
