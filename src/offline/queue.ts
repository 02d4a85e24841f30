import type { Outcome } from '../domain/Outcome.ts'
import { backoffMs } from './backoff.ts'
import type { RetryState } from './store/retryState.ts'
import { LEASE_MS, withLock } from './store/withLock.ts'

/** Try again later: there was no answer, the server is busy, or it does not know the outcome yet. */
export type RetryLater = Extract<Outcome<unknown>, { kind: 'later' }>

/** The result of a call: it failed, or its answer is stored. `later` has the ids of the rows whose answer was not final. */
export type SendResult = RetryLater | { kind: 'answered'; later: ReadonlyMap<string, RetryLater> }

export interface QueueRow extends RetryState {
  id: string
}

/**
 * The rules for one kind of row that waits on this device for the server. There are two kinds, each in its own database. A till's
 * vouchers belong to the device. Downloads belong to a user, and a logout deletes them.
 */
export interface QueueRules<R extends QueueRow> {
  /** The name of the Web Lock, so that only one tab sends at a time. */
  lock: string
  /** A tab that has had the lock for this long counts as stopped. In milliseconds. */
  leaseMs?: number
  /** The number of rows in one call. */
  batchSize: number
  /**
   * Returns all waiting rows, oldest first. `isAlone` is true if no other tab sends, as far as this browser can tell. Like `send`
   * and `putOff`, it throws IndexedDB errors.
   */
  read: (isAlone: boolean) => Promise<readonly R[]>
  /** True if a user waits for the row: it is sent first. */
  isFresh: (row: R) => boolean
  /** Sends a batch and stores the answer for each row. `isBacklog` is true if no user waits for the batch. */
  send: (batch: readonly R[], run: { isBacklog: boolean; stopped: AbortSignal }) => Promise<SendResult>
  /** Stores the time of the next attempt in those rows that still wait. `lastMessage` is the message of the last attempt. */
  putOff: (ids: readonly string[], state: Partial<RetryState>, lastMessage?: string) => Promise<void>
  now: () => number
  random: () => number
}

export interface Queue {
  /** Sends the rows that are due. May be called at any time. `withPaused` also sends rows that are paused for the connection. */
  wake: (withPaused?: boolean) => void
  /** Wakes with `withPaused` after a random wait, because the connection may return for many devices in the same second. */
  wakeOnReturn: () => void
  /** Sends one row now, even if it was put off. Throws IndexedDB errors. */
  sendNow: (id: string) => Promise<void>
  stop: () => void
}

/** The shortest wait between two runs, even if a row is due sooner. */
const SHORTEST_WAIT_MS = 500

/**
 * Makes a queue. It sends at each wake, and when the next row is due. Wakes during a run cause one more run, because the run may
 * already have read its rows. When this tab is closed, its lock ends and another tab continues. If the browser stops this tab,
 * another tab continues after the lease. Two tabs may then send the same rows, as in a browser without Web Locks, but the server
 * gives each id one answer. `afterRun` is called after each run, and returns the time of the next run that it needs, in
 * milliseconds of this device's clock.
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
  let pendingWake: { withPaused: boolean } | undefined
  let failuresInRow = 0

  const runUnderLock = <T>(work: (isAlone: boolean) => Promise<T>) =>
    withLock(rules.lock, work, { leaseMs: rules.leaseMs ?? LEASE_MS })
  const wake = (withPaused = false): void => {
    if (stopped.aborted) return
    if (isRunning) pendingWake = { withPaused: withPaused || pendingWake?.withPaused === true }
    else void startRun(withPaused)
  }
  const startRun = async (withPaused: boolean) => {
    isRunning = true
    await runUnderLock((isAlone) => sendAndWait({ isAlone, withPaused, stopped })).catch(() => undefined)
    isRunning = false
    if (!pendingWake) return
    const { withPaused: nextWithPaused } = pendingWake
    pendingWake = undefined
    wake(nextWithPaused)
  }
  const sendAndWait = async (run: QueueRun) => {
    if (stopped.aborted) return
    const nextRunAt = await sendOrBackOff(run)
    clearTimeout(timer)
    if (nextRunAt === undefined || stopped.aborted) return
    timer = setTimeout(wake, Math.max(nextRunAt - rules.now(), SHORTEST_WAIT_MS))
  }
  /** Sends. If the database fails, for example on a full disk, it tries again later, each time after a longer wait. */
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
  withPaused: boolean
  /** Aborted when the queue is stopped. */
  stopped: AbortSignal
}

/**
 * Sends the rows that are due, in batches and oldest first: those that a user waits for, then the others. A row is tried once in a
 * batch, and once alone if the batch failed. If a call gets no answer, or the server is busy, all rows are put off. Resolves to the
 * time when the next row is due, in milliseconds of this device's clock, or to undefined when no row waits.
 */
export async function sendDue<R extends QueueRow>(rules: QueueRules<R>, run: QueueRun): Promise<number | undefined> {
  const tried = new Set<string>()
  for (;;) {
    const rows = await rules.read(run.isAlone)
    const due = dueRows(rules, rows, run.withPaused).filter(({ id }) => !tried.has(id))
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
  { isAlone, stopped }: Omit<QueueRun, 'withPaused'>,
): Promise<void> {
  const row = (await rules.read(isAlone)).find((one) => one.id === id)
  if (row) await sendBatch(rules, [row], { isBacklog: false, stopped })
}

/**
 * Returns when a row is due. A row that was put off before the clock was turned back is due at once. It would wait too long
 * otherwise.
 */
const dueAt = ({ nextAt, putOffAt = 0 }: RetryState, now: number): number => (putOffAt > now ? 0 : nextAt)

/**
 * Returns a function that tells until when a row must wait because the server is busy. A server that refused a backlog still
 * accepts fresh rows.
 */
function busyUntil<R extends QueueRow>({ isFresh, now }: QueueRules<R>, rows: readonly R[]): (row: R) => number {
  const endOfWait = (scope: RetryState['busy']) =>
    Math.max(0, ...rows.filter(({ busy }) => busy === scope).map((row) => dueAt(row, now())))
  const [all, backlog] = [endOfWait('all'), endOfWait('backlog')]
  return (row) => Math.max(all, isFresh(row) ? 0 : backlog)
}

function dueRows<R extends QueueRow>(rules: QueueRules<R>, rows: readonly R[], withPaused: boolean): R[] {
  const now = rules.now()
  const blockedUntil = busyUntil(rules, rows)
  const unblocked = rows.filter((row) => blockedUntil(row) <= now)
  const isDue = (row: R) => dueAt(row, now) <= now || (withPaused && row.pausedForConnection === true)
  // A due row tests the connection anyway, so all rows that are paused for the connection go with it.
  return unblocked.some(isDue) ? unblocked.filter((row) => isDue(row) || row.pausedForConnection === true) : []
}

function nextDueAt<R extends QueueRow>(rules: QueueRules<R>, rows: readonly R[]): number | undefined {
  const blockedUntil = busyUntil(rules, rows)
  return rows.length > 0
    ? Math.min(...rows.map((row) => Math.max(dueAt(row, rules.now()), blockedUntil(row))))
    : undefined
}

/** After so many failures the row itself may be the cause, and not the connection or the server. */
const SUSPECT_AFTER = 5

/**
 * Divides the due rows into batches. A row that a user waits for is never in a batch with a backlog. A row that has often failed
 * while the server answers is sent alone, so that it does not delay the others.
 */
function divideIntoBatches<R extends QueueRow>({ isFresh, batchSize }: QueueRules<R>, due: readonly R[]): R[][] {
  const isSuspect = ({ attempts, pausedForConnection }: R) => attempts >= SUSPECT_AFTER && !pausedForConnection
  const inBatches = (rows: readonly R[]) => {
    const together = rows.filter((row) => !isSuspect(row))
    const batches = Array.from({ length: Math.ceil(together.length / batchSize) }, (_, at) =>
      together.slice(at * batchSize, (at + 1) * batchSize),
    )
    return [...batches, ...rows.filter(isSuspect).map((row) => [row])]
  }
  return [...inBatches(due.filter(isFresh)), ...inBatches(due.filter((row) => !isFresh(row)))]
}

/**
 * Sends one batch after the other. Returns false when all rows were put off, because each would fail without a connection. One
 * row that always fails must not stop the others: after it has failed often, the connection is tested with another row before all
 * are put off. Each round tests with a different row, because a single test row might always fail too. If the server answers but
 * does not accept a fresh batch, its rows are sent alone at once, because a user waits for them.
 */
async function sendRows<R extends QueueRow>(
  rules: QueueRules<R>,
  due: readonly R[],
  stopped: AbortSignal,
): Promise<boolean> {
  const left = divideIntoBatches(rules, due)
  const tryBatch = (batch: readonly R[]) => sendBatch(rules, batch, { isBacklog: !rules.isFresh(batch[0]!), stopped })
  const queueEachAlone = (batch: readonly R[]) => batch.length > 1 && left.unshift(...batch.map((row) => [row]))
  let isConnected = false
  for (let batch = left.shift(); batch; batch = left.shift()) {
    const first = batch[0]!
    const failed = await tryBatch(batch)
    if (stopped.aborted || failed?.isBusy) return false
    if (!failed?.connectionFailed) {
      isConnected = true
      if (failed && rules.isFresh(first)) queueEachAlone(batch)
      continue
    }
    if (!isConnected) {
      const others = first.attempts + 1 < SUSPECT_AFTER ? [] : due.filter(({ id }) => id !== first.id)
      const other = others[first.attempts % others.length]
      const alsoFailed = other && (await tryBatch([other]))
      if (stopped.aborted || alsoFailed?.isBusy) return false
      if (!other || alsoFailed?.connectionFailed) return pauseAll(rules, first.id)
    }
    // After a working connection, this failure leaves it in doubt. Otherwise the other row has just shown that it works.
    isConnected = !isConnected
    queueEachAlone(batch)
  }
  return true
}

/** Sends one batch. Rows without a final answer are put off. Resolves to the reason if the call failed. */
async function sendBatch<R extends QueueRow>(
  rules: QueueRules<R>,
  batch: readonly R[],
  run: { isBacklog: boolean; stopped: AbortSignal },
): Promise<RetryLater | undefined> {
  const sent = await rules.send(batch, run)
  if (run.stopped.aborted) return undefined
  const putOff = (rows: readonly R[], later: RetryLater) =>
    rules.putOff(
      rows.map(({ id }) => id),
      retryStateAfter(rules, rows[0]!, later, run.isBacklog),
      later.message,
    )
  if (sent.kind === 'later') {
    // One call puts off the whole batch, so that its rows are due at the same time.
    await putOff(batch, sent)
    return sent
  }
  for (const row of batch) {
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
  // The first answer after an outage starts the backoff anew, because failures of the connection say nothing about the server.
  const attempts = row.pausedForConnection && !connectionFailed ? 1 : row.attempts + 1
  const putOffAt = now()
  const nextAt = putOffAt + backoffMs(attempts, { retryAfterMs, isServerScheduled: isBusy, random })
  const busy = isBusy && (isBacklog ? 'backlog' : 'all')
  return { attempts, nextAt, putOffAt, pausedForConnection: connectionFailed, busy }
}

/** Pauses all rows until the failed row is due: without a connection they would fail, too. */
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
