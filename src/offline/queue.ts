import type { Outcome } from '../domain/Outcome.ts'
import { backoffMs } from './backoff.ts'
import type { RetryState } from './store/retryState.ts'
import { LEASE_MS, withLock } from './store/withLock.ts'

/** Try later: there was no answer, the server is busy, or it cannot say yet. */
export type RetryLater = Extract<Outcome<unknown>, { kind: 'later' }>

/** The result of a call: a failure, or an answer that is stored already. `later`: the rows, by id, for which the answer was not final. */
export type SendResult = RetryLater | { kind: 'answered'; later: ReadonlyMap<string, RetryLater> }

export interface QueueRow extends RetryState {
  id: string
}

/**
 * The rules for one kind of row that waits on this device for the server. The two kinds are in different databases: a till's
 * vouchers belong to the device; a user's downloads belong to the user, and a logout deletes them.
 */
export interface QueueRules<R extends QueueRow> {
  /** Name of the Web Lock: only one tab sends at a time. */
  lock: string
  /** Milliseconds after which a tab that keeps the lock is no longer believed to be working. */
  leaseMs?: number
  /** The number of rows in one call. */
  lotSize: number
  /**
   * Returns all waiting rows, oldest first. `isAlone`: no other tab sends, as far as this browser can tell. Throws what IndexedDB
   * throws, as `send` and `putOff` do.
   */
  read: (isAlone: boolean) => Promise<readonly R[]>
  /** True if a user waits for the row: it is sent first. */
  isFresh: (row: R) => boolean
  /** Sends a lot and stores the answer for each row. `isBacklog`: no user waits for it. */
  send: (lot: readonly R[], how: { isBacklog: boolean; stopped: AbortSignal }) => Promise<SendResult>
  /** Stores when to try again, in those rows that still wait. `lastMessage`: the message of the last attempt. */
  putOff: (ids: readonly string[], state: Partial<RetryState>, lastMessage?: string) => Promise<void>
  now: () => number
  random: () => number
}

export interface Queue {
  /** Sends the rows that are due. Safe to call from anywhere, any number of times. `again`: also rows that are paused for the connection. */
  wake: (again?: boolean) => void
  /** The connection is back, perhaps for many devices in the same second: wakes with `again` after a random wait. */
  wakeOnReturn: () => void
  /** Sends one row now, even if it was put off. Throws what IndexedDB throws. */
  sendNow: (id: string) => Promise<void>
  stop: () => void
}

/** The shortest wait between two runs, however soon a row is due. Milliseconds. */
const BREATH_MS = 500

/**
 * Makes a queue. It sends at each wake and when the next row is due. When a tab is closed its lock ends and another tab goes on. A
 * tab that the browser has stopped is passed after a lease; then two tabs may send, as without Web Locks, and the server gives one
 * id one answer. Any number of wakes during a run cause one more run, because the run may have read its rows before them. `after`
 * follows each run and returns when it is due again, in milliseconds of this device's clock.
 */
export function makeQueue<R extends QueueRow>(rules: QueueRules<R>, after?: () => Promise<number | undefined>): Queue {
  const controller = new AbortController()
  const { signal: stopped } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  let returning: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let next: { again: boolean } | undefined
  let failuresInRow = 0

  const underLock = <T>(work: (isAlone: boolean) => Promise<T>) =>
    withLock(rules.lock, work, { lease: rules.leaseMs ?? LEASE_MS })
  const wake = (again = false): void => {
    if (stopped.aborted) return
    if (isRunning) next = { again: again || next?.again === true }
    else void run(again)
  }
  const run = async (again: boolean) => {
    isRunning = true
    await underLock((isAlone) => sendAndWait({ isAlone, again, stopped })).catch(() => undefined)
    isRunning = false
    if (!next) return
    const { again: nextAgain } = next
    next = undefined
    wake(nextAgain)
  }
  const sendAndWait = async (how: QueueRun) => {
    if (stopped.aborted) return
    const dueAt = await sendOrBackOff(how)
    clearTimeout(timer)
    if (dueAt === undefined || stopped.aborted) return
    timer = setTimeout(wake, Math.max(dueAt - rules.now(), BREATH_MS))
  }
  /** If the database cannot be read or written, for example on a full disk, tries again, later after each failure. */
  const sendOrBackOff = async (how: QueueRun) => {
    try {
      const times = [await sendDue(rules, how), await after?.()].filter((time) => time !== undefined)
      failuresInRow = 0
      return times.length > 0 ? Math.min(...times) : undefined
    } catch {
      failuresInRow += 1
      return rules.now() + backoffMs(failuresInRow, rules)
    }
  }
  return {
    wake,
    wakeOnReturn: () => {
      const back = () => {
        returning = undefined
        wake(true)
      }
      returning ??= setTimeout(back, backoffMs(1, rules))
    },
    sendNow: (id) => underLock((isAlone) => sendOne(rules, id, { isAlone, stopped })),
    stop: () => {
      controller.abort()
      clearTimeout(timer)
      clearTimeout(returning)
    },
  }
}

export interface QueueRun {
  isAlone: boolean
  again: boolean
  /** The queue no longer belongs to this tab. */
  stopped: AbortSignal
}

/**
 * Sends the rows that are due: first those that a user waits for, then the others, in lots and oldest first. After a call without
 * an answer, or from a busy server, all rows are put off. Each row is tried in one lot, and alone if that lot failed. Resolves to when the
 * next row is due, in milliseconds of this device's clock; undefined when no row waits.
 */
export async function sendDue<R extends QueueRow>(rules: QueueRules<R>, run: QueueRun): Promise<number | undefined> {
  const tried = new Set<string>()
  for (;;) {
    const rows = await rules.read(run.isAlone)
    const due = dueRows(rules, rows, run.again).filter(({ id }) => !tried.has(id))
    if (due.length === 0) return nextDueAt(rules, rows)
    for (const { id } of due) tried.add(id)
    if (await sendRows(rules, due, run.stopped)) continue
    return run.stopped.aborted ? undefined : nextDueAt(rules, await rules.read(run.isAlone))
  }
}

/** Sends one row now, even if it was put off. */
export async function sendOne<R extends QueueRow>(
  rules: QueueRules<R>,
  id: string,
  { isAlone, stopped }: Omit<QueueRun, 'again'>,
): Promise<void> {
  const row = (await rules.read(isAlone)).find((one) => one.id === id)
  if (row) await attempt(rules, [row], { isBacklog: false, stopped })
}

/** When a row is due. If the clock was turned back since the row was put off, it is due at once: otherwise it would wait for that time too. */
const dueAt = ({ nextAt, putOffAt = 0 }: RetryState, now: number): number => (putOffAt > now ? 0 : nextAt)

/** Until when a busy server wants no calls with a row. A server that refused a backlog still takes the rows of a counter, which come first. */
function busyUntil<R extends QueueRow>({ isFresh, now }: QueueRules<R>, rows: readonly R[]): (row: R) => number {
  const until = (door: RetryState['busy']) =>
    Math.max(0, ...rows.filter(({ busy }) => busy === door).map((row) => dueAt(row, now())))
  const [all, backlog] = [until('all'), until('backlog')]
  return (row) => Math.max(all, isFresh(row) ? 0 : backlog)
}

function dueRows<R extends QueueRow>(rules: QueueRules<R>, rows: readonly R[], again: boolean): R[] {
  const now = rules.now()
  const blockedUntil = busyUntil(rules, rows)
  const letIn = rows.filter((row) => blockedUntil(row) <= now)
  const isDue = (row: R) => dueAt(row, now) <= now || (again && row.pausedForConnection === true)
  // A due row tries the connection, and takes along all rows that are paused for the connection.
  return letIn.some(isDue) ? letIn.filter((row) => isDue(row) || row.pausedForConnection === true) : []
}

function nextDueAt<R extends QueueRow>(rules: QueueRules<R>, rows: readonly R[]): number | undefined {
  const blockedUntil = busyUntil(rules, rows)
  return rows.length > 0
    ? Math.min(...rows.map((row) => Math.max(dueAt(row, rules.now()), blockedUntil(row))))
    : undefined
}

/** After so many failures the fault may be in the row itself, not in the connection or the server. */
const DOUBTED_AFTER = 5

/**
 * Divides the due rows into calls. A row that a user waits for is never in one lot with a backlog. A row that an answering server
 * has not taken after so many attempts goes alone, so that it does not hold up the money of others.
 */
function lotsOf<R extends QueueRow>({ isFresh, lotSize }: QueueRules<R>, due: readonly R[]): R[][] {
  const isDoubted = ({ attempts, pausedForConnection }: R) => attempts >= DOUBTED_AFTER && !pausedForConnection
  const inLots = (rows: readonly R[]) => {
    const together = rows.filter((row) => !isDoubted(row))
    const lots = Array.from({ length: Math.ceil(together.length / lotSize) }, (_, at) =>
      together.slice(at * lotSize, (at + 1) * lotSize),
    )
    return [...lots, ...rows.filter(isDoubted).map((row) => [row])]
  }
  return [...inLots(due.filter(isFresh)), ...inLots(due.filter((row) => !isFresh(row)))]
}

/**
 * Sends lot after lot; returns false when all rows were put off. A lost connection fails every row, so it is not tried with each of them.
 * But one row that always fails must not hold up those behind it: when the first row has failed often, one other row tests the
 * connection, a different one in each round, since that row may have the same fault. If an answering server has not taken a fresh
 * lot, its rows go alone at once, because a user waits for them.
 */
async function sendRows<R extends QueueRow>(
  rules: QueueRules<R>,
  due: readonly R[],
  stopped: AbortSignal,
): Promise<boolean> {
  const left = lotsOf(rules, due)
  const tryLot = (lot: readonly R[]) => attempt(rules, lot, { isBacklog: !rules.isFresh(lot[0]!), stopped })
  const putAlone = (lot: readonly R[]) => lot.length > 1 && left.unshift(...lot.map((row) => [row]))
  let isThrough = false
  for (let lot = left.shift(); lot; lot = left.shift()) {
    const first = lot[0]!
    const failed = await tryLot(lot)
    if (stopped.aborted || failed?.isBusy) return false
    if (!failed?.connectionFailed) {
      isThrough = true
      if (failed && rules.isFresh(first)) putAlone(lot)
      continue
    }
    if (!isThrough) {
      const others = first.attempts + 1 < DOUBTED_AFTER ? [] : due.filter(({ id }) => id !== first.id)
      const other = others[first.attempts % others.length]
      const alsoFailed = other && (await tryLot([other]))
      if (stopped.aborted || alsoFailed?.isBusy) return false
      if (!other || alsoFailed?.connectionFailed) return pauseAll(rules, first.id)
    }
    // After two failures in a row it is the connection.
    isThrough = !isThrough
    putAlone(lot)
  }
  return true
}

/** Makes one call. Rows without a final answer are put off. Resolves to the reason if the call failed. */
async function attempt<R extends QueueRow>(
  rules: QueueRules<R>,
  lot: readonly R[],
  how: { isBacklog: boolean; stopped: AbortSignal },
): Promise<RetryLater | undefined> {
  const sent = await rules.send(lot, how)
  if (how.stopped.aborted) return undefined
  const putOff = (rows: readonly R[], later: RetryLater) =>
    rules.putOff(
      rows.map(({ id }) => id),
      retryStateAfter(rules, rows[0]!, later, how.isBacklog),
      later.message,
    )
  if (sent.kind === 'later') {
    // Put off together, so that they are due together.
    await putOff(lot, sent)
    return sent
  }
  for (const row of lot) {
    const later = sent.later.get(row.id)
    if (later) await putOff([row], later)
  }
  return undefined
}

function retryStateAfter<R extends QueueRow>(
  { now, random }: QueueRules<R>,
  row: R,
  { connectionFailed, isBusy, retryAfterMs }: RetryLater,
  isBacklog: boolean,
): RetryState {
  // An answer after a silence starts a new backoff: hours without a connection say nothing about the server.
  const attempts = row.pausedForConnection && !connectionFailed ? 1 : row.attempts + 1
  const putOffAt = now()
  const nextAt = putOffAt + backoffMs(attempts, { retryAfterMs, isServerScheduled: isBusy, random })
  const busy = isBusy && (isBacklog ? 'backlog' : 'all')
  return { attempts, nextAt, putOffAt, pausedForConnection: connectionFailed, busy }
}

/** Pauses all rows as long as the failed one: the same connection would fail them too. */
async function pauseAll<R extends QueueRow>(rules: QueueRules<R>, id: string): Promise<false> {
  const rows = await rules.read(false)
  const failed = rows.find((row) => row.id === id)
  if (!failed) return false
  const { nextAt, putOffAt } = failed
  const now = rules.now()
  const isAsked = (row: R) => row.busy !== undefined && dueAt(row, now) > now
  const sooner = rows.filter((row) => dueAt(row, now) < nextAt && !isAsked(row)).map((row) => row.id)
  await rules.putOff(sooner, { nextAt, putOffAt, pausedForConnection: true, busy: undefined })
  return false
}
