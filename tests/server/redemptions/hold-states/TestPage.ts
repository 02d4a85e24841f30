import { randomUUID } from 'node:crypto'
import type { TillWire, WireAnswer } from '../../../../src/domain/TillWire.ts'
import { Till } from '../../../../src/offline/redemptions/Till.ts'
import { readTillRows } from '../../../../src/offline/redemptions/tillRows.ts'
import { sendWaiting, settleOne } from '../../../../src/offline/redemptions/tillSender.ts'
import type { TillDatabase, TillRow } from '../../../../src/offline/store/till.ts'
import { AGE_MS, NONE, type Act, type Answer, type Request, type Row, type TillState } from './states.ts'

const START = Date.parse('2026-11-21T02:00:00Z')
const LATER: WireAnswer<never> = { kind: 'later', connectionFailed: true, message: 'no connection' }

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
      ...this.#ports,
      clocks: { wall: () => this.#now, monotonic: () => this.#now },
      locks: {
        keep: async (id) => this.lives.add(id).has(id),
        leave: (id) => void this.lives.delete(id),
        kept: async () => this.lives,
      },
      settle: (id) => settleOne(this.#ports, id),
      wake: () => undefined,
      withRoom: async (write) => write(),
    })
  }

  get #ports() {
    return { database: this.#database, wire: this.#wire, now: () => this.#now, random: () => 0.5 }
  }

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
        return this.#till.confirm(last('held'))
      case 'cancel':
        return this.#till.cancel(last('held'))
      case 'void':
        return this.#till.voidTaken(last('confirmed', 'receipted'))
      case 'upload':
        await sendWaiting(this.#ports, true)
        return this.#till.releaseOrphans()
    }
  }

  readonly #answer = <T>(ask: Request['ask'], id: string): Promise<WireAnswer<T>> => {
    const [answer, ...more] = this.#answers
    this.#answers = more
    if (answer !== undefined) return Promise.resolve(wireAnswer(ask, answer, id) as WireAnswer<T>)
    this.#waits({ ask, id })
    return new Promise<never>(() => undefined)
  }

  readonly #wire: TillWire = {
    verify: ({ id }) => this.#answer('verify', id),
    redeem: ({ id }) => this.#answer('redeem', id),
    accept: () => Promise.reject(new Error('nothing is accepted without a check here')),
    upload: async (vouchers) => {
      const [{ id }, ...more] = vouchers as [TillRow]
      if (more.length > 0) throw new Error('one voucher waits twice')
      const answer = await this.#answer<never>('redeem', id)
      return answer.kind === 'later' ? answer : { kind: 'done', answer: new Map([[id, answer]]) }
    },
    cancel: ({ id }) => this.#answer('cancel', id),
    ask: ({ id }) => this.#answer('ask', id),
    void: ({ id }) => this.#answer('void', id),
  }
}

const VOUCHER = { serial: '2000000000015', owner: 'cashier', owner_name: 'till', till: 'till' }
const WHEN = new Date(START).toISOString()

/** An answer of the server, given by its word, as the till reads it. */
function wireAnswer(ask: Request['ask'], answer: Answer, id: string): WireAnswer<unknown> {
  if (answer === NONE) return LATER
  const [code, what] = answer.split(/ (.*)/)
  if (code !== '200') return { kind: 'refused', refused: { code: code!, message: '', data: { by: what } } }
  const receipt = {
    ...FACTS,
    id,
    serial: VOUCHER.serial,
    receipt_number: 'R-1',
    redeemed_at: WHEN,
    pos_username: '',
    branch_name: '',
  }
  switch (ask) {
    case 'verify':
      return {
        kind: 'done',
        answer: { ...FACTS, hold: { id, till: '', since: WHEN, confirm_until: WHEN, ends: WHEN } },
      }
    case 'redeem':
      return { kind: 'done', answer: receipt }
    case 'ask': {
      const [state, lately] = what!.split(' ')
      return { kind: 'done', answer: { state, receipt, can_be_voided: lately !== undefined } }
    }
    default:
      return { kind: 'done', answer: { receipt, by: 'cancelled', when: WHEN, voided_at: WHEN } }
  }
}

const FACTS = { denomination_cents: 1_000, expires_on: '2099-12-31' }

const storedOf = ({ state, isSent, isTried, isVoidSent }: Row): Omit<TillRow, 'id' | 'askedAt'> => ({
  ...VOUCHER,
  state,
  secret: 'secret',
  sent: isSent,
  attempts: isTried ? 1 : 0,
  nextAt: 0,
  seen: false,
  ...(isTried ? { restsForLine: true } : {}),
  ...(isVoidSent ? { voidSentAt: START } : {}),
  ...(state === 'confirmed' || state === 'receipted' ? { confirmedAt: START } : {}),
})
