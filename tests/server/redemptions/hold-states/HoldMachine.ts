import type { ServerMachine } from './ServerMachine.ts'
import {
  nameOf,
  NONE,
  type Act,
  type Age,
  type Answer,
  type Doing,
  type HoldName,
  type Request,
  type Served,
  type ServerState,
  type TillName,
  type TillState,
} from './states.ts'
import type { TillMachine } from './TillMachine.ts'

/** One voucher, two tills, a server, and what is between them. */
export interface State {
  server: ServerState
  /** What is on the disks, and in hand. */
  tills: Record<TillName, TillState>
  doing: Partial<Record<TillName, Doing>>
  /** What was sent and may arrive, again or for the first time. */
  underWay: readonly Request[]
}

export interface Step {
  what: string
  to: State
  /** It happens by itself, once nothing is lost any more and nobody comes to the counter. */
  heals: boolean
}

export const TILLS = ['A', 'B'] as const
/** Rows of a till that are not forgotten at once. With two, 700,000 states were not yet all. */
const ROWS = 1

export const START: State = {
  server: { holds: {}, isExpired: false, isRevoked: { A: false, B: false } },
  tills: { A: { rows: [] }, B: { rows: [] } },
  doing: {},
  underWay: [],
}

/** All that can happen next, by the real till and the real server. */
export class HoldMachine {
  readonly #server: ServerMachine
  readonly #till: TillMachine

  constructor(server: ServerMachine, till: TillMachine) {
    this.#server = server
    this.#till = till
  }

  async stepsFrom(state: State): Promise<Step[]> {
    const steps: Step[] = []
    for (const till of TILLS) {
      const doing = state.doing[till]
      if (doing) steps.push(...(await this.#goOn(state, till, doing)))
      else steps.push(...(await this.#begin(state, till)))
    }
    for (const request of state.underWay) steps.push(await this.#arrive(state, request))
    for (const [hold, { is }] of Object.entries(state.server.holds)) {
      if (is === 'held') steps.push(await this.#arrive(state, { ask: 'release', hold: hold as HoldName }))
    }
    for (const till of TILLS) {
      const hold = holdAt(state.server, till)
      steps.push(await this.#arrive(state, { ask: state.server.isRevoked[till] ? 'enrol' : 'revoke', hold }))
    }
    return [...steps, ...timeFrom(state)]
  }

  async #begin(state: State, till: TillName): Promise<Step[]> {
    const steps: Step[] = []
    for (const act of actsOf(state.tills[till])) {
      const what = `${till}: ${act}`
      const next = await this.#act(state, till, { act, from: state.tills[till], answers: [] })
      steps.push({ what, to: next, heals: act === 'upload' || act === 'cancel' })
    }
    if (state.tills[till].inHand) steps.push({ what: `${till}: page dies`, to: died(state, till), heals: false })
    return steps
  }

  /** Its answer comes, or none; or its page dies while it waits. */
  async #goOn(state: State, till: TillName, doing: Doing): Promise<Step[]> {
    const { asks } = doing
    const of = `${asks.ask} ${asks.hold}`
    const { state: server, answer } = await this.#server.answer(state.server, asks)
    const sent = asks.ask === 'ask' ? state : { ...state, underWay: withRequest(state.underWay, asks) }
    const after = (base: State, said: Answer) => this.#act(base, till, { ...doing, answers: [...doing.answers, said] })
    return [
      // An answered verify does not arrive again: where that was refused, it would hold the voucher for nobody.
      {
        what: `${of}: ${answer}`,
        to: await after({ ...(asks.ask === 'verify' ? state : sent), server }, answer),
        heals: true,
      },
      { what: `${of}: no answer`, to: await after(sent, NONE), heals: false },
      { what: `${till}: page dies`, to: died(sent, till), heals: false },
    ]
  }

  async #act(state: State, till: TillName, { act, from, answers }: Omit<Doing, 'asks'>): Promise<State> {
    const { state: reached, asks } = await this.#till.act(till, from, act, answers)
    const { [till]: _, ...others } = state.doing
    const tills = { ...state.tills, [till]: reached }
    return { ...state, tills, doing: asks ? { ...others, [till]: { act, from, answers, asks } } : others }
  }

  async #arrive(state: State, request: Request): Promise<Step> {
    const { state: server, answer } = await this.#server.answer(state.server, request)
    return { what: `late ${request.ask} ${request.hold}: ${answer}`, to: { ...state, server }, heals: false }
  }
}

/** To speak of its till: the hold that is in force there, or any. */
const holdAt = ({ holds }: ServerState, till: TillName): HoldName =>
  (Object.keys(holds) as HoldName[]).find((name) => name.startsWith(till)) ?? nameOf(till, 0)

/** What a cashier, or the queue, can begin with it. */
function actsOf({ rows, inHand }: TillState): Act[] {
  const isWaiting = rows.some(
    ({ state, isVoidSent }, at) =>
      state === 'confirmed' ||
      state === 'cancelling' ||
      (state === 'receipted' && isVoidSent) ||
      ((state === 'asking' || state === 'held') && at !== inHand?.row),
  )
  return [
    ...(inHand ? (['redeem', 'cancel'] as const) : rows.length < ROWS ? (['scan'] as const) : []),
    ...(rows.some(({ state }) => state === 'confirmed' || state === 'receipted') ? (['void'] as const) : []),
    ...(isWaiting ? (['upload'] as const) : []),
  ]
}

/** The page is gone with what it was doing; the disk stays. */
function died(state: State, till: TillName): State {
  const { [till]: _, ...others } = state.doing
  return { ...state, doing: others, tills: { ...state.tills, [till]: { rows: state.tills[till].rows } } }
}

const isSame = (one: Request, other: Request) => one.ask === other.ask && one.hold === other.hold

const withRequest = (underWay: readonly Request[], sent: Request) =>
  underWay.some((one) => isSame(one, sent)) ? underWay : [...underWay, sent]

/** No call waits for ten minutes, and nothing is on its way for so long. */
function timeFrom(state: State): Step[] {
  if (Object.keys(state.doing).length > 0) return []
  const later = (age: Age): State => {
    const aged = Object.entries(state.server.holds).map(([name, served]) => [name, olderBy(served, age)] as const)
    const tills = { A: overIn(state.tills.A), B: overIn(state.tills.B) }
    return { ...state, tills, underWay: [], server: { ...state.server, holds: Object.fromEntries(aged) } }
  }
  const midnight = { ...state, server: { ...state.server, isExpired: true } }
  return [
    { what: 'ten minutes pass', to: later(1), heals: true },
    { what: 'a day passes', to: later(2), heals: false },
    ...(state.server.isExpired ? [] : [{ what: 'the voucher expires', to: midnight, heals: false }]),
  ]
}

const overIn = ({ rows, inHand }: TillState): TillState =>
  inHand ? { rows, inHand: { ...inHand, isOver: true } } : { rows }

function olderBy(served: Served, age: Age): Served {
  if (!('age' in served)) return served
  const most = served.is === 'held' ? 2 : 1
  return { ...served, age: Math.min(most, Math.max(served.age, age)) as Age }
}
