import { formatDuration } from '../quantities.ts'

/** The facts about a device that has to work offline. Times are milliseconds of its own clock. */
export interface DeviceFacts {
  now: number
  /** The portal itself is stored on the device and starts without the network. */
  shellKept: boolean
  /** `nothing`: the storage is closed; `full`: nothing new fits. */
  storage: 'open' | 'full' | 'nothing'
  /** The lists that this person's work needs; undefined if a list was never stored. */
  lists: readonly { name: string; asOf: number | undefined }[]
  /** The browser has promised not to clear stored data. */
  persistent: boolean
  /** The number of vouchers that are stored only here. */
  unsent: number
  /** The server's clock minus this device's. */
  clockOffMs: number
  /** The browser denies the camera to this person, whose work needs it. */
  cameraDenied: boolean
  updateWaits: boolean
}

export type ReadinessProblem =
  | { is: 'storage' | 'full' | 'shell' | 'camera' | 'persistence' | 'update' }
  | { is: 'lists missing'; names: readonly string[] }
  | { is: 'lists old'; names: readonly string[]; ageMs: number }
  | { is: 'clock'; offMs: number }

/** The age from which a list is old (offline 73). */
const LIST_AGE_MS = 24 * 60 * 60_000
/** Tokens carry whole seconds, and an answer takes time: a smaller difference cannot be measured. */
export const CLOCK_OFF_MS = 2 * 60_000

export const isOldList = (asOf: number, now: number): boolean => now - asOf > LIST_AGE_MS
export const isClockOff = (offMs: number): boolean => Math.abs(offMs) > CLOCK_OFF_MS

/** Returns for example `10 minutes slow`. `offMs`: the server's clock minus this device's. */
export const clockOffLabel = (offMs: number): string =>
  `${formatDuration(Math.abs(offMs))} ${offMs > 0 ? 'slow' : 'fast'}`

/** Lists the reasons why a device is not ready to work offline, the worst first; empty if it is ready. */
export function readinessProblems(facts: DeviceFacts): ReadinessProblem[] {
  const { now, storage, shellKept, lists, clockOffMs } = facts
  const missing = lists.filter(({ asOf }) => asOf === undefined)
  const old = lists.filter(({ asOf }) => asOf !== undefined && isOldList(asOf, now))
  const canStore = storage !== 'nothing'
  return [
    ...itemIf(!canStore, { is: 'storage' }),
    ...itemIf(storage === 'full', { is: 'full' }),
    ...itemIf(!shellKept, { is: 'shell' }),
    ...itemIf(canStore && missing.length > 0, { is: 'lists missing', names: missing.map(nameOf) }),
    ...itemIf(isClockOff(clockOffMs), { is: 'clock', offMs: clockOffMs }),
    ...itemIf(facts.cameraDenied, { is: 'camera' }),
    ...itemIf(canStore && old.length > 0, { is: 'lists old', names: old.map(nameOf), ageMs: now - oldestOf(old) }),
    // Most browsers never promise to keep stored data. The promise matters only while redemptions are stored only here.
    ...itemIf(canStore && !facts.persistent && facts.unsent > 0, { is: 'persistence' }),
    ...itemIf(facts.updateWaits, { is: 'update' }),
  ]
}

/** Returns a list with `one` if `is` is true, otherwise an empty list. */
export const itemIf = <const T>(is: boolean, one: T): T[] => (is ? [one] : [])
const nameOf = ({ name }: { name: string }) => name
const oldestOf = (lists: DeviceFacts['lists']) => Math.min(...lists.map(({ asOf = Infinity }) => asOf))
