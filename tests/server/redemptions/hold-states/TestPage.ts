import { randomUUID } from 'node:crypto'
import type { HoldEnding } from '../../../../src/contract/redemptions/hold.ts'
import type { VerifiedVoucher } from '../../../../src/contract/redemptions/redeem.ts'
import type { SyncOutcome, SyncRow } from '../../../../src/contract/redemptions/sync.ts'
import type { Synced, TillWire, WireAnswer } from '../../../../src/domain/TillWire.ts'
import { sendDue, sendOne } from '../../../../src/offline/queue.ts'
import { Till } from '../../../../src/offline/redemptions/Till.ts'
import { tillKind } from '../../../../src/offline/redemptions/tillKind.ts'
import { readTillRows } from '../../../../src/offline/redemptions/tillRows.ts'
import type { TillDatabase, TillRow } from '../../../../src/offline/store/till.ts'
import { AGE_MS, NONE, type Act, type Answer, type Request, type Row, type TillState } from './states.ts'

const START = Date.parse('2026-11-21T02:00:00Z')
const LATER: Extract<Synced, { kind: 'later' }> = { kind: 'later', connectionFailed: true, message: 'no connection' }

type Asked = { ask: Request['ask']; id: string }

/** A page of the portal on that disk, with a connection that answers what it is told to. */
export class TestPage {
  readonly lives = new Set<string>()
  readonly #database: TillDatabase
  readonly #till: Till
  #now = START
  #answers: readonly Answer[] = []
  #waits: (asked: Asked) => void = () => undefined

  constructor(database: TillDatabase) {
    this.#database = database
    this.#till = new Till({
      database,
      wire: this.#wire,
      clocks: { wall: () => this.#now, monotonic: () => this.#now },
      locks: {
        keep: async (id) => this.lives.add(id).has(id),
        leave: (id) => void this.lives.delete(id),
        kept: async () => this.lives,
      },
      sendNow: (id) => sendOne(this.#kind(), id, RUN),
      wake: () => undefined,
      withRoom: async (write) => write(),
    })
  }

  #kind = () => tillKind({ database: this.#database, wire: this.#wire, now: () => this.#now, random: () => 0.5 })

  /** What is in hand was asked for by this page. Answers the ids of the rows, in their order. */
  async restore({ rows, inHand }: TillState): Promise<string[]> {
    const { vouchers } = this.#database
    await vouchers.clear()
    let held: string | undefined
    if (inHand) {
      this.#answers = ['200']
      const asked = await this.#till.ask(VOUCHER)
      if (asked.is !== 'held') throw new Error(`what was in hand is ${asked.is}`)
      held = asked.row.id
      if (inHand.isOver) this.#now += AGE_MS[1]
    }
    const ids = rows.map((_, at) => (at === inHand?.row ? held! : randomUUID()))
    for (const [at, row] of rows.entries()) {
      const askedAt = START - rows.length + at
      if (at === inHand?.row) await vouchers.update(held!, { askedAt })
      else await vouchers.add({ ...storedOf(row), id: ids[at]!, askedAt })
    }
    return ids
  }

  /** Answers what it asks after that. */
  hear(answers: readonly Answer[]): Promise<Asked> {
    this.#answers = answers
    return new Promise((resolve) => (this.#waits = resolve))
  }

  async do(act: Act, ids: readonly string[]): Promise<unknown> {
    const rows = new Map((await readTillRows(this.#database)).map((row) => [row.id, row.state]))
    const last = (...states: string[]) => ids.findLast((id) => states.includes(rows.get(id)!))!
    switch (act) {
      case 'scan':
        return this.#till.ask(VOUCHER)
      case 'redeem':
        return this.#till.confirm([last('held')])
      case 'cancel':
        return this.#till.cancel(last('held'))
      case 'void':
        return this.#till.voidTaken(last('confirmed', 'receipted'))
      case 'upload':
        await sendDue(this.#kind(), { ...RUN, again: true })
        return this.#releaseOrphans()
    }
  }

  /** What a page has left is missed at a second look. */
  async #releaseOrphans(): Promise<void> {
    const again = await this.#till.releaseOrphans()
    if (again === undefined) return
    this.#now = again
    await this.#till.releaseOrphans()
  }

  /** What the server says to it; for ever open where nobody has said yet what that is. */
  #answer(ask: Request['ask'], id: string): Promise<Answer> {
    const [answer, ...more] = this.#answers
    this.#answers = more
    if (answer !== undefined) return Promise.resolve(answer)
    this.#waits({ ask, id })
    return new Promise<never>(() => undefined)
  }

  readonly #wire: TillWire = {
    verify: async ({ id }) => verified(await this.#answer('verify', id), id),
    sync: async (rows) => {
      const [{ became, id }, ...more] = rows as [SyncRow]
      if (more.length > 0) throw new Error('one voucher waits twice')
      const answer = await this.#answer(ASKS[became], id)
      return answer === NONE ? LATER : { kind: 'done', answer: [outcomeOf(answer, id)] }
    },
  }
}

/** What a till asks by what it tells. None is accepted without a check here. */
const ASKS = { redeemed: 'redeem', cancelled: 'cancel', voided: 'void', asking: 'ask', accepted: 'ask' } as const

const RUN = { isAlone: true, stopped: new AbortController().signal }

const VOUCHER = { serial: '2000000000015', owner: 'cashier', owner_name: 'till', till: 'till' }
const WHEN = new Date(START).toISOString()

const FACTS = { serial: VOUCHER.serial, denomination_cents: 1_000, expires_on: '2099-12-31' }
const holdOf = (id: string) => ({ id, till: '', since: WHEN, confirm_until: WHEN, ends: WHEN })

function verified(answer: Answer, id: string): WireAnswer<VerifiedVoucher> {
  if (answer === NONE) return LATER
  if (answer === '200') return { kind: 'done', answer: { ...FACTS, hold: holdOf(id) } }
  return { kind: 'refused', refused: { code: answer.split(' ')[0]!, message: '', data: {} } }
}

/** What its hold is, given by a word. */
function outcomeOf(answer: Answer, id: string): SyncOutcome {
  const [state, by] = answer.split(/ (.*)/)
  const times = { redeemed_at: WHEN, recorded_at: WHEN }
  const receipt = { ...FACTS, ...times, id, receipt_number: 'R-1', pos_username: '', branch_name: '', till: '' }
  switch (state) {
    case 'held':
      return { state, hold: holdOf(id) }
    case 'redeemed':
      return { state, receipt, replayed: false }
    case 'voided':
      return { state, receipt, voided_at: WHEN }
    case 'ended':
      return { state, by: by as HoldEnding, when: WHEN }
    default:
      return { state: 'unknown' }
  }
}

const storedOf = ({ state, isSent, isTried, isVoidSent }: Row): Omit<TillRow, 'id' | 'askedAt'> => ({
  ...VOUCHER,
  state,
  secret: 'secret',
  sent: isSent,
  attempts: isTried ? 1 : 0,
  nextAt: 0,
  seen: false,
  ...(isTried ? { restsForLine: true } : {}),
  ...(isVoidSent ? { voidingAt: START } : {}),
  ...(state === 'confirmed' || state === 'receipted' ? { confirmedAt: START } : {}),
})
