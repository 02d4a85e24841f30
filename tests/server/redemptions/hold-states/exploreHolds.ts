import { TILLS, START, type HoldMachine, type State } from './HoldMachine.ts'
import { exchanged, keyOf, simplified } from './simplified.ts'
import { isSettled, nameOf, type Row, type Served } from './states.ts'

export interface Explored {
  states: number
  steps: number
}

interface Found {
  state: State
  /** The state it was found from, and by what. */
  before: number
  what: string
}

/** Every state that can be reached, breadth first. Throws for one that breaks a promise, with the shortest way to it. */
export async function exploreHolds(machine: HoldMachine): Promise<Explored> {
  const found: Found[] = []
  const indexOf = new Map<string, number>()
  /** From which states it heals to this one. */
  const healedFrom: number[][] = []
  const note = (state: State, before: number, what: string): number => {
    const simple = simplified(state)
    const key = keyOf(simple)
    const known = indexOf.get(key)
    if (known !== undefined) return known
    for (const one of [key, keyOf(exchanged(simple))]) indexOf.set(one, found.length)
    healedFrom.push([])
    return found.push({ state: simple, before, what }) - 1
  }
  let steps = 0
  note(START, -1, 'start')
  for (let at = 0; at < found.length; at += 1) {
    for (const { what, to, heals } of await machine.stepsFrom(found[at]!.state)) {
      steps += 1
      const broken = brokenBy(to)
      if (broken) throw new Error(`${broken}\n${[...wayTo(found, at), what].join('\n')}`)
      const next = note(to, at, what)
      if (heals) healedFrom[next]!.push(at)
    }
  }
  const stuck = found[firstStuck(found, healedFrom)]
  if (stuck) throw new Error(`nothing ends this\n${wayTo(found, found.indexOf(stuck)).join('\n')}`)
  return { states: found.length, steps }
}

/** A and B may change places on it, for which is which does not matter. */
function wayTo(found: readonly Found[], at: number): string[] {
  const way: string[] = []
  for (let one = at; one >= 0; one = found[one]!.before) way.unshift(found[one]!.what)
  return way
}

/** The first state from which none at rest is reached by itself; -1 where there is none. */
function firstStuck(found: readonly Found[], healedFrom: readonly number[][]): number {
  const heals = found.map(({ state }) => isAtRest(state))
  const next = [...heals.keys()].filter((at) => heals[at])
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    for (const before of healedFrom[at]!) {
      if (heals[before]) continue
      heals[before] = true
      next.push(before)
    }
  }
  return heals.indexOf(false)
}

/** Nothing waits on a till, and nobody holds the voucher. */
const isAtRest = ({ server, tills, doing }: State): boolean =>
  Object.keys(doing).length === 0 &&
  Object.values(server.holds).every(({ is }) => is !== 'held') &&
  TILLS.every((till) => tills[till].rows.every((row) => isSettled(row) && !isAsking(row)))

const isAsking = ({ state, isVoidSent }: Row) => state === 'receipted' && isVoidSent

/** The promise that a state breaks. */
function brokenBy({ server: { holds }, tills }: State): string | undefined {
  const served = Object.values(holds).map(({ is }) => is)
  if (served.filter((is) => is === 'held' || is === 'redeemed').length > 1) return 'it is held or redeemed twice'
  for (const till of TILLS) {
    for (const [at, row] of tills[till].rows.entries()) {
      const name = nameOf(till, at)
      const is = holds[name]?.is
      if (!ALLOWED[row.state].includes(is)) return `${name} is ${row.state} on its till and ${is} at the server`
      if (is === 'voided' && !row.isVoidSent && row.state !== 'voided')
        return `${name} was voided, and nobody asked for it`
    }
  }
  return undefined
}

type Is = Served['is'] | undefined

const ENDED: Is[] = ['released by merchant', 'taken over']

/** What the server may know of a hold that is in a state on its till. */
const ALLOWED: Record<Row['state'], Is[]> = {
  asking: [undefined, 'held', 'cancelled', ...ENDED],
  held: ['held', ...ENDED],
  confirmed: ['held', 'redeemed', ...ENDED],
  cancelling: [undefined, 'held', 'cancelled', 'redeemed', ...ENDED],
  receipted: ['redeemed', 'voided'],
  attention: ENDED,
  gone: [undefined, 'cancelled', ...ENDED],
  // It was redeemed never, or voided: the voucher is good again either way.
  voided: ['voided', 'cancelled', ...ENDED],
}
