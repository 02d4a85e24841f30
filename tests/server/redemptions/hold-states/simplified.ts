import { TILLS, type State } from './HoldMachine.ts'
import { isSettled, nameOf, numberOf, type HoldName, type Request, type TillName } from './states.ts'

/** Without what cannot matter any more: requests that are spent, and holds that are over for everybody. */
export function simplified(state: State): State {
  const underWay = state.underWay.filter((request) => !isSpent(request, state))
  return forgotten({ ...state, underWay })
}

/** It changes nothing any more, whenever it arrives. */
function isSpent({ ask, hold }: Request, { server }: State): boolean {
  const served = server.holds[hold]
  if (served === undefined) return false
  if (ask === 'verify') return true
  if (ask === 'void') return served.is !== 'held' && !(served.is === 'redeemed' && served.age === 0)
  return served.is !== 'held'
}

/** The same for states that differ only in the order in which requests were sent. */
export const keyOf = ({ server, tills, doing, underWay }: State): string =>
  [
    numberOf(server, serverText),
    ...TILLS.flatMap((till) => {
      const { from, act, answers } = doing[till] ?? { from: tills[till] }
      return ['', numberOf(from), act, ...(answers ?? [])]
    }),
    '',
    ...underWay.map(({ ask, hold }) => `${ask} ${hold}`).toSorted(),
  ].join('|')

const serverText = ({ holds, isExpired, isRevoked: { A, B } }: State['server']): string =>
  JSON.stringify([Object.entries(holds).toSorted(([one], [other]) => (one < other ? -1 : 1)), isExpired, A, B])

/** With A in the place of B: which till is which does not matter. */
export function exchanged(state: State): State {
  const swap = (name: HoldName) => `${name.startsWith('A') ? 'B' : 'A'}${name.slice(1)}` as HoldName
  const { A, B } = state.server.isRevoked
  const server = { ...state.server, isRevoked: { A: B, B: A } }
  const tills = { A: state.tills.B, B: state.tills.A }
  return renamed({ ...state, server, tills, doing: swapDoing(state.doing) }, swap)
}

const swapDoing = ({ A, B }: State['doing']): State['doing'] => ({ ...(B ? { A: B } : {}), ...(A ? { B: A } : {}) })

/** Names `undefined` are forgotten. */
function renamed(state: State, to: (name: HoldName) => HoldName | undefined): State {
  const holds = Object.entries(state.server.holds).flatMap(([name, is]) => {
    const now = to(name as HoldName)
    return now ? [[now, is] as const] : []
  })
  const doing = Object.entries(state.doing).map(([till, one]) => {
    return [till, { ...one, asks: { ...one.asks, hold: to(one.asks.hold)! } }] as const
  })
  return {
    ...state,
    server: { ...state.server, holds: Object.fromEntries(holds) },
    doing: Object.fromEntries(doing),
    underWay: state.underWay.map(({ ask, hold }) => ({ ask, hold: to(hold)! })),
  }
}

/** Without the holds that are over on their till and at the server, and of which nothing is under way. */
function forgotten(state: State): State {
  let kept = state
  for (const till of TILLS) {
    for (let at = kept.tills[till].rows.length - 1; at >= 0; at -= 1)
      if (isOver(kept, till, at)) kept = without(kept, till, at)
  }
  return kept
}

function isOver({ server, tills, doing, underWay }: State, till: TillName, at: number): boolean {
  const name = nameOf(till, at)
  const is = server.holds[name]?.is
  const row = tills[till].rows[at]!
  return (
    doing[till] === undefined &&
    isSettled(row) &&
    is !== 'held' &&
    is !== 'redeemed' &&
    row.state !== 'receipted' &&
    underWay.every(({ hold }) => hold !== name)
  )
}

function without(state: State, till: TillName, gone: number): State {
  const { rows, inHand } = state.tills[till]
  const left = { rows: rows.filter((_, at) => at !== gone) }
  const moved = inHand && { ...inHand, row: inHand.row > gone ? inHand.row - 1 : inHand.row }
  const tills = { ...state.tills, [till]: moved ? { ...left, inHand: moved } : left }
  return renamed({ ...state, tills }, (name) => {
    const at = Number(name.slice(1)) - 1
    if (!name.startsWith(till) || at < gone) return name
    return at === gone ? undefined : nameOf(till, at - 1)
  })
}
