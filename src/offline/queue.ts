import type { Outcome } from '../domain/Outcome.ts'
import { backoffMs } from './backoff.ts'
import type { RetryState } from './store/retryState.ts'
import { LEASE_MS, withLock } from './store/withLock.ts'

/** Try again later: there was no answer, the server is busy, or it does not know the outcome yet. */
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
  /** A tab that has kept the lock for this long, in milliseconds, counts as stopped. */
  leaseMs?: number
  /** The number of rows in one call. */
  lotSize: number
  /**
   * Returns all waiting rows, oldest first. `isAlone`: no other tab sends, as far as this browser can tell. Like `send` and
   * `putOff`, it throws IndexedDB errors.
   */
  read: (isAlone: boolean) => Promise<readonly R[]>
  /** True if a user waits for the row: it is sent first. */
  isFresh: (row: R) => boolean
  /** Sends a lot and stores the answer for each row. `isBacklog`: no user waits for it. */
  send: (lot: readonly R[], run: { isBacklog: boolean; stopped: AbortSignal }) => Promise<SendResult>
  /** Stores when to try again, in those rows that still wait. `lastMessage`: the message of the last attempt. */
  putOff: (ids: readonly string[], state: Partial<RetryState>, lastMessage?: string) => Promise<void>
  now: () => number
  random: () => number
}

export interface Queue {
  /** Sends the rows that are due; may be called at any time. `again`: also sends rows that are paused for the connection. */
  wake: (again?: boolean) => void
  /** Wakes with `again` after a random wait: the connection may have returned for many devices in the same second. */
  wakeOnReturn: () => void
  /** Sends one row now, even if it was put off. Throws IndexedDB errors. */
  sendNow: (id: string) => Promise<void>
  stop: () => void
}

/** The shortest wait between two runs, even if a row is due sooner. */
const SHORTEST_WAIT_MS = 500

/**
 * Makes a queue, which sends at each wake and when the next row is due. When this tab is closed, its lock ends and another tab
 * continues. If the browser stops this tab, another one continues after the lease. Two tabs may then send, as without Web Locks,
 * but the server gives each id one answer. Wakes during a run cause one more run, because the run may have read its rows before.
 * `afterRun` follows each run and returns when it is due again, in milliseconds of this device's clock.
 */
export function makeQueue<R extends QueueRow>(
  rules: QueueRules<R>,
  afterRun?: () => Promise<number | undefined>,
): Queue {
  const controller = new AbortController()
  const { signal: stopped } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  let returning: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let pendingWake: { again: boolean } | undefined
  let failuresInRow = 0

  const runUnderLock = <T>(work: (isAlone: boolean) => Promise<T>) =>
    withLock(rules.lock, work, { leaseMs: rules.leaseMs ?? LEASE_MS })
  const wake = (again = false): void => {
    if (stopped.aborted) return
    if (isRunning) pendingWake = { again: again || pendingWake?.again === true }
    else void startRun(again)
  }
  const startRun = async (again: boolean) => {
    isRunning = true
    await runUnderLock((isAlone) => sendAndWait({ isAlone, again, stopped })).catch(() => undefined)
    isRunning = false
    if (!pendingWake) return
    const { again: nextAgain } = pendingWake
    pendingWake = undefined
    wake(nextAgain)
  }
  const sendAndWait = async (run: QueueRun) => {
    if (stopped.aborted) return
    const dueAt = await sendOrBackOff(run)
    clearTimeout(timer)
    if (dueAt === undefined || stopped.aborted) return
    timer = setTimeout(wake, Math.max(dueAt - rules.now(), SHORTEST_WAIT_MS))
  }
  /** Sends, and tries again if the database cannot be read or written, for example on a full disk. Each failure makes the wait longer. */
  const sendOrBackOff = async (run: QueueRun) => {
    try {
      const times = [await sendDue(rules, run), await afterRun?.()].filter((time) => time !== undefined)
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
      const wakeNow = () => {
        returning = undefined
        wake(true)
      }
      returning ??= setTimeout(wakeNow, backoffMs(1, rules))
    },
    sendNow: (id) => runUnderLock((isAlone) => sendOne(rules, id, { isAlone, stopped })),
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
 * an answer, or from a busy server, all rows are put off. Each row is tried in one lot, and alone if that lot failed. Resolves to
 * the time when the next row is due, in milliseconds of this device's clock, or to undefined when no row waits.
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
  if (row) await sendLot(rules, [row], { isBacklog: false, stopped })
}

/**
 * Returns when a row is due. If the clock was turned back after the row was put off, the row is due at once, because it would
 * wait too long.
 */
const dueAt = ({ nextAt, putOffAt = 0 }: RetryState, now: number): number => (putOffAt > now ? 0 : nextAt)

/**
 * Returns a function that tells until when a busy server wants no calls with a row. A server that refused a backlog still takes
 * fresh rows.
 */
function busyUntil<R extends QueueRow>({ isFresh, now }: QueueRules<R>, rows: readonly R[]): (row: R) => number {
  const endOfWait = (scope: RetryState['busy']) =>
    Math.max(0, ...rows.filter(({ busy }) => busy === scope).map((row) => dueAt(row, now())))
  const [all, backlog] = [endOfWait('all'), endOfWait('backlog')]
  return (row) => Math.max(all, isFresh(row) ? 0 : backlog)
}

function dueRows<R extends QueueRow>(rules: QueueRules<R>, rows: readonly R[], again: boolean): R[] {
  const now = rules.now()
  const blockedUntil = busyUntil(rules, rows)
  const unblocked = rows.filter((row) => blockedUntil(row) <= now)
  const isDue = (row: R) => dueAt(row, now) <= now || (again && row.pausedForConnection === true)
  // A due row tries the connection, so all rows that are paused for the connection go with it.
  return unblocked.some(isDue) ? unblocked.filter((row) => isDue(row) || row.pausedForConnection === true) : []
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
 * Divides the due rows into calls. A row that a user waits for is never in one lot with a backlog. A row that has failed often
 * although the server answers goes alone, so that it does not hold up the others.
 */
function divideIntoLots<R extends QueueRow>({ isFresh, lotSize }: QueueRules<R>, due: readonly R[]): R[][] {
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
 * Sends lot after lot. Returns false when all rows were put off: a lost connection would fail each of them. One row that always
 * fails must not hold up the others. So when the first row has failed often, another row tests the connection; each round takes a
 * different one, which may have the same fault. If the server answers but does not take a fresh lot, the rows of that lot are
 * sent alone at once, because a user waits for them.
 */
async function sendRows<R extends QueueRow>(
  rules: QueueRules<R>,
  due: readonly R[],
  stopped: AbortSignal,
): Promise<boolean> {
  const left = divideIntoLots(rules, due)
  const tryLot = (lot: readonly R[]) => sendLot(rules, lot, { isBacklog: !rules.isFresh(lot[0]!), stopped })
  const queueEachAlone = (lot: readonly R[]) => lot.length > 1 && left.unshift(...lot.map((row) => [row]))
  let isConnected = false
  for (let lot = left.shift(); lot; lot = left.shift()) {
    const first = lot[0]!
    const failed = await tryLot(lot)
    if (stopped.aborted || failed?.isBusy) return false
    if (!failed?.connectionFailed) {
      isConnected = true
      if (failed && rules.isFresh(first)) queueEachAlone(lot)
      continue
    }
    if (!isConnected) {
      const others = first.attempts + 1 < DOUBTED_AFTER ? [] : due.filter(({ id }) => id !== first.id)
      const other = others[first.attempts % others.length]
      const alsoFailed = other && (await tryLot([other]))
      if (stopped.aborted || alsoFailed?.isBusy) return false
      if (!other || alsoFailed?.connectionFailed) return pauseAll(rules, first.id)
    }
    // Two failures in a row mean that the connection is lost.
    isConnected = !isConnected
    queueEachAlone(lot)
  }
  return true
}

/** Sends one lot. Rows without a final answer are put off. Resolves to the reason if the call failed. */
async function sendLot<R extends QueueRow>(
  rules: QueueRules<R>,
  lot: readonly R[],
  run: { isBacklog: boolean; stopped: AbortSignal },
): Promise<RetryLater | undefined> {
  const sent = await rules.send(lot, run)
  if (run.stopped.aborted) return undefined
  const putOff = (rows: readonly R[], later: RetryLater) =>
    rules.putOff(
      rows.map(({ id }) => id),
      retryStateAfter(rules, rows[0]!, later, run.isBacklog),
      later.message,
    )
  if (sent.kind === 'later') {
    // The rows are put off together, so that they are due together.
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
  // The first answer after an outage starts a new backoff: hours without a connection say nothing about the server.
  const attempts = row.pausedForConnection && !connectionFailed ? 1 : row.attempts + 1
  const putOffAt = now()
  const nextAt = putOffAt + backoffMs(attempts, { retryAfterMs, isServerScheduled: isBusy, random })
  const busy = isBusy && (isBacklog ? 'backlog' : 'all')
  return { attempts, nextAt, putOffAt, pausedForConnection: connectionFailed, busy }
}

/** Pauses all rows for as long as the failed one: without a connection they would fail, too. */
async function pauseAll<R extends QueueRow>(rules: QueueRules<R>, id: string): Promise<false> {
  const rows = await rules.read(false)
  const failed = rows.find((row) => row.id === id)
  if (!failed) return false
  const { nextAt, putOffAt } = failed
  const now = rules.now()
  const hasServerWait = (row: R) => row.busy !== undefined && dueAt(row, now) > now
  const sooner = rows.filter((row) => dueAt(row, now) < nextAt && !hasServerWait(row)).map((row) => row.id)
  await rules.putOff(sooner, { nextAt, putOffAt, pausedForConnection: true, busy: undefined })
  return false
}
