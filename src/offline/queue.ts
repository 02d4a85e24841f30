import type { Outcome } from '../domain/Outcome.ts'
import { backoffMs } from './backoff.ts'
import type { Rest } from './store/rest.ts'
import { LEASE_MS, withLock } from './store/withLock.ts'

/** Not now: nobody answered, the server is busy, or it cannot say yet. */
export type Later = Extract<Outcome<unknown>, { kind: 'later' }>

/** What came of a call: nothing, or an answer, which is written down already. `later`: of which rows it said nothing final, by their ids. */
export type Sent = Later | { kind: 'answered'; later: ReadonlyMap<string, Later> }

export interface QueueRow extends Rest {
  id: string
}

/**
 * One kind of what waits on this device for the server. The two kinds lie in different databases: the vouchers of a till are the device's,
 * and a person's downloads are theirs, which their logout deletes.
 */
export interface Kind<R extends QueueRow> {
  /** Name of the Web Lock: of all tabs one sends at a time. */
  lock: string
  /** For how long a tab is believed to be at work that has the lock and does not give it back. Milliseconds. */
  leaseMs?: number
  /** Rows of one call. */
  lotSize: number
  /**
   * All that waits, the oldest first. `isAlone`: no other tab sends, as far as this browser can tell. Throws what IndexedDB throws, as `send` and
   * `rest` do.
   */
  read: (isAlone: boolean) => Promise<readonly R[]>
  /** Somebody waits for it: it goes first. */
  isFresh: (row: R) => boolean
  /** Sends a lot, and writes down what the answer makes of each row. `isBacklog`: nobody waits for it. */
  send: (lot: readonly R[], how: { isBacklog: boolean; stopped: AbortSignal }) => Promise<Sent>
  /** Writes a rest into those rows that still wait. `heard`: what was heard instead of an end. */
  rest: (ids: readonly string[], rest: Partial<Rest>, heard?: string) => Promise<void>
  now: () => number
  random: () => number
}

export interface Queue {
  /** Sends what is due. Safe to call from anywhere, any number of times. `again`: also what rests for the connection. */
  wake: (again?: boolean) => void
  /** The connection is back, as it may be for everybody in the same second: wakes with `again`, at a moment of this device's own. */
  wakeOnReturn: () => void
  /** Sends one row now, whatever it rests for. Throws what IndexedDB throws. */
  sendNow: (id: string) => Promise<void>
  stop: () => void
}

/** Never busier than this, however soon a row says that it is due. Milliseconds. */
const BREATH_MS = 500

/**
 * When rows are sent: at each wake, and when the next one is due. A tab that dies hands over, for its lock dies with it; one that the browser
 * has stopped is passed after a lease, and then two may send, as without Web Locks: the server gives one id one answer. Any number of wakes
 * while it sends make it send once more, for what they are about may have come too late for the run under way. `after` follows each run, and
 * says when it is due again, in milliseconds of this device's clock.
 */
export function queueOf<R extends QueueRow>(kind: Kind<R>, after?: () => Promise<number | undefined>): Queue {
  const controller = new AbortController()
  const { signal: stopped } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  let returning: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let next: { again: boolean } | undefined
  let failuresInRow = 0

  const underLock = <T>(work: (isAlone: boolean) => Promise<T>) =>
    withLock(kind.lock, work, { lease: kind.leaseMs ?? LEASE_MS })
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
  const sendAndWait = async (how: Run) => {
    if (stopped.aborted) return
    const dueAt = await sendOrRest(how)
    clearTimeout(timer)
    if (dueAt === undefined || stopped.aborted) return
    timer = setTimeout(wake, Math.max(dueAt - kind.now(), BREATH_MS))
  }
  /** Nothing could be read or written, as on a full disk: it is tried again, later after each failure. */
  const sendOrRest = async (how: Run) => {
    try {
      const times = [await sendDue(kind, how), await after?.()].filter((time) => time !== undefined)
      failuresInRow = 0
      return times.length > 0 ? Math.min(...times) : undefined
    } catch {
      failuresInRow += 1
      return kind.now() + backoffMs(failuresInRow, kind)
    }
  }
  return {
    wake,
    wakeOnReturn: () => {
      const back = () => {
        returning = undefined
        wake(true)
      }
      returning ??= setTimeout(back, backoffMs(1, kind))
    },
    sendNow: (id) => underLock((isAlone) => sendOne(kind, id, { isAlone, stopped })),
    stop: () => {
      controller.abort()
      clearTimeout(timer)
      clearTimeout(returning)
    },
  }
}

export interface Run {
  isAlone: boolean
  again: boolean
  /** The queue is not this tab's any more. */
  stopped: AbortSignal
}

/**
 * Sends what is due: first what somebody waits for, then the rest, each in lots and the oldest first. A call that nobody answers puts
 * everything to rest, and a server that is busy as well. Each row is tried in one lot, and alone where that came to nothing. Resolves to when
 * the next one is due, in milliseconds of this device's clock; undefined when nothing waits.
 */
export async function sendDue<R extends QueueRow>(kind: Kind<R>, run: Run): Promise<number | undefined> {
  const tried = new Set<string>()
  for (;;) {
    const rows = await kind.read(run.isAlone)
    const due = dueRows(kind, rows, run.again).filter(({ id }) => !tried.has(id))
    if (due.length === 0) return nextDueAt(kind, rows)
    for (const { id } of due) tried.add(id)
    if (await sendRows(kind, due, run.stopped)) continue
    return run.stopped.aborted ? undefined : nextDueAt(kind, await kind.read(run.isAlone))
  }
}

/** Sends one row now, whatever it rests for. */
export async function sendOne<R extends QueueRow>(
  kind: Kind<R>,
  id: string,
  { isAlone, stopped }: Omit<Run, 'again'>,
): Promise<void> {
  const row = (await kind.read(isAlone)).find((one) => one.id === id)
  if (row) await attempt(kind, [row], { isBacklog: false, stopped })
}

/** A clock that was turned back since a row was put off would let it wait for as long. */
const dueAt = ({ nextAt, putOffAt = 0 }: Rest, now: number): number => (putOffAt > now ? 0 : nextAt)

/** Until when a busy server wants to hear nothing of a row. One that refused a backlog has said nothing about counters, which it lets in first. */
function busyUntil<R extends QueueRow>({ isFresh, now }: Kind<R>, rows: readonly R[]): (row: R) => number {
  const until = (door: Rest['busy']) =>
    Math.max(0, ...rows.filter(({ busy }) => busy === door).map((row) => dueAt(row, now())))
  const [all, backlog] = [until('all'), until('backlog')]
  return (row) => Math.max(all, isFresh(row) ? 0 : backlog)
}

function dueRows<R extends QueueRow>(kind: Kind<R>, rows: readonly R[], again: boolean): R[] {
  const now = kind.now()
  const rest = busyUntil(kind, rows)
  const letIn = rows.filter((row) => rest(row) <= now)
  const isDue = (row: R) => dueAt(row, now) <= now || (again && row.pausedForConnection === true)
  // What is due tries the connection, and with it whatever rests for it.
  return letIn.some(isDue) ? letIn.filter((row) => isDue(row) || row.pausedForConnection === true) : []
}

function nextDueAt<R extends QueueRow>(kind: Kind<R>, rows: readonly R[]): number | undefined {
  const rest = busyUntil(kind, rows)
  return rows.length > 0 ? Math.min(...rows.map((row) => Math.max(dueAt(row, kind.now()), rest(row)))) : undefined
}

/** When a row fails so often, the row itself may be the fault, and not the connection or the server. */
const DOUBTED_AFTER = 5

/**
 * What goes in one call: what somebody waits for never waits for a backlog in it. What a server that answers has not taken for so long goes
 * alone: one row must not hold up the money of others.
 */
function lotsOf<R extends QueueRow>({ isFresh, lotSize }: Kind<R>, due: readonly R[]): R[][] {
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
 * Sends lot after lot; false when everything rests. A connection that is away fails every row, and is not tried with each of them. But one row
 * that never gets through must not hold up what is behind it: when the first has failed often, another one shows whether it is the connection,
 * in each round another, for that may have the same fault. Whoever waits is not to wait for that: what a server that answers has not taken of
 * a fresh lot goes alone at once.
 */
async function sendRows<R extends QueueRow>(kind: Kind<R>, due: readonly R[], stopped: AbortSignal): Promise<boolean> {
  const left = lotsOf(kind, due)
  const tryLot = (lot: readonly R[]) => attempt(kind, lot, { isBacklog: !kind.isFresh(lot[0]!), stopped })
  const putAlone = (lot: readonly R[]) => lot.length > 1 && left.unshift(...lot.map((row) => [row]))
  let isThrough = false
  for (let lot = left.shift(); lot; lot = left.shift()) {
    const first = lot[0]!
    const failed = await tryLot(lot)
    if (stopped.aborted || failed?.isBusy) return false
    if (!failed?.connectionFailed) {
      isThrough = true
      if (failed && kind.isFresh(first)) putAlone(lot)
      continue
    }
    if (!isThrough) {
      const others = first.attempts + 1 < DOUBTED_AFTER ? [] : due.filter(({ id }) => id !== first.id)
      const other = others[first.attempts % others.length]
      const alsoFailed = other && (await tryLot([other]))
      if (stopped.aborted || alsoFailed?.isBusy) return false
      if (!other || alsoFailed?.connectionFailed) return restAll(kind, first.id)
    }
    // Two in a row, and it is the connection.
    isThrough = !isThrough
    putAlone(lot)
  }
  return true
}

/** One call. What it has not brought to an end rests. Resolves to why nothing came of it. */
async function attempt<R extends QueueRow>(
  kind: Kind<R>,
  lot: readonly R[],
  how: { isBacklog: boolean; stopped: AbortSignal },
): Promise<Later | undefined> {
  const sent = await kind.send(lot, how)
  if (how.stopped.aborted) return undefined
  const putOff = (rows: readonly R[], later: Later) =>
    kind.rest(
      rows.map(({ id }) => id),
      restAfter(kind, rows[0]!, later, how.isBacklog),
      later.message,
    )
  if (sent.kind === 'later') {
    // Together, so that they come again together.
    await putOff(lot, sent)
    return sent
  }
  for (const row of lot) {
    const later = sent.later.get(row.id)
    if (later) await putOff([row], later)
  }
  return undefined
}

function restAfter<R extends QueueRow>(
  { now, random }: Kind<R>,
  row: R,
  { connectionFailed, isBusy, retryAfterMs }: Later,
  isBacklog: boolean,
): Rest {
  // A server that answers after a silence has a backoff of its own: hours without a connection say nothing about it.
  const attempts = row.pausedForConnection && !connectionFailed ? 1 : row.attempts + 1
  const putOffAt = now()
  const nextAt = putOffAt + backoffMs(attempts, { retryAfterMs, isTurn: isBusy, random })
  const busy = isBusy && (isBacklog ? 'backlog' : 'all')
  return { attempts, nextAt, putOffAt, pausedForConnection: connectionFailed, busy }
}

/** The connection that failed this row would fail the others: they wait as long as it does. */
async function restAll<R extends QueueRow>(kind: Kind<R>, id: string): Promise<false> {
  const rows = await kind.read(false)
  const failed = rows.find((row) => row.id === id)
  if (!failed) return false
  const { nextAt, putOffAt } = failed
  const now = kind.now()
  const isAsked = (row: R) => row.busy !== undefined && dueAt(row, now) > now
  const sooner = rows.filter((row) => dueAt(row, now) < nextAt && !isAsked(row)).map((row) => row.id)
  await kind.rest(sooner, { nextAt, putOffAt, pausedForConnection: true, busy: undefined })
  return false
}
