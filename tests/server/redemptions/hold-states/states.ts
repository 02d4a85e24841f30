/** `A1`: the first hold of till A that is not forgotten yet. */
export type HoldName = `${TillName}${number}`
export type TillName = 'A' | 'B'

/** Of a till's row, by its place. */
export const nameOf = (till: TillName, row: number): HoldName => `${till}${row + 1}`

export interface Request {
  /** `revoke` and `enrol` are about the till of the hold. */
  ask: 'verify' | 'redeem' | 'cancel' | 'ask' | 'void' | 'release' | 'revoke' | 'enrol'
  hold: HoldName
}

/** How long ago, as far as a rule counts it: now, past the ten minutes of a till and the five of a void, or a day. */
export type Age = 0 | 1 | 2
export const AGE_MS = [0, 11 * 60_000, 24 * 3_600_000] as const

export type Served =
  | { is: 'held' | 'redeemed'; age: Age }
  | { is: 'voided' | 'cancelled' | 'released by merchant' | 'taken over' }

/** What the server knows of the voucher, and of its tills. */
export interface ServerState {
  holds: Record<HoldName, Served>
  isExpired: boolean
  isRevoked: Record<TillName, boolean>
}

export interface Row {
  state: 'asking' | 'held' | 'confirmed' | 'cancelling' | 'receipted' | 'attention' | 'gone' | 'voided'
  isSent: boolean
  /** It has been put off at least once. */
  isTried: boolean
  /** Its cashier wants it back, and the server has not answered. */
  isVoidSent: boolean
}

/** Nobody has to do anything about it any more. */
export const isSettled = ({ state }: Row): boolean => ['receipted', 'attention', 'gone', 'voided'].includes(state)

/** What a cashier or the till's queue does. */
export type Act = 'scan' | 'redeem' | 'cancel' | 'void' | 'upload'

/** A till's disk, oldest row first, and the page that is open on it. */
export interface TillState {
  rows: readonly Row[]
  /** The row that its page holds in hand, and whether its ten minutes are over. */
  inHand?: { row: number; isOver: boolean }
}

/** Words of the server, as `answers` of what a till asked one after the other; `none` where it gave up. */
export type Answer = string
export const NONE: Answer = 'none'

/** What a till is doing: it began from `from`, has heard `answers`, and waits for one more. */
export interface Doing {
  act: Act
  from: TillState
  answers: readonly Answer[]
  asks: Request
}

const NUMBERS = new Map<string, number>()
const KNOWN = new WeakMap<object, number>()

/** The same for the same content. Worked out once for each object: most states share what they are made of with many others. */
export function numberOf<T extends object>(part: T, textOf: (part: T) => string = JSON.stringify): number {
  const known = KNOWN.get(part)
  if (known !== undefined) return known
  const text = textOf(part)
  const number = NUMBERS.get(text) ?? NUMBERS.size
  NUMBERS.set(text, number)
  KNOWN.set(part, number)
  return number
}
