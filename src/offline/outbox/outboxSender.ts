import { dueQueue, earliest, type DrainRun, type DueQueue } from '../dueQueue.ts'
import { userStore } from '../storage/userStore.ts'
import type { UserDatabase } from '../store/databases.ts'
import type { OutboxRow } from '../store/userRows.ts'
import { attemptDownload, type Attempt } from './attemptDownload.ts'
import type { Send } from './downloadRequests.ts'
import { readDownload, readOutbox } from './outbox.ts'
import { applyRetention } from './outboxRetention.ts'

export interface SenderPorts {
  send: Send
  /** Told once the file is on the device. */
  onReady?: (id: string, filename: string) => void
}

/** A login makes a new sender. This one only asks in case it was missed. */
const LOGIN_MISSED_MS = 60_000

let sender: DueQueue | undefined

/** The queue of whoever is logged in; called again it changes hands, and with no owner it rests. */
export function serveOutbox(owner: string | undefined, ports: SenderPorts): void {
  sender?.stop()
  sender = owner === undefined ? undefined : outboxSender(owner, ports)
  wakeOutbox()
}

/** Sends what is due: at the start, on "Try now". */
export const wakeOutbox = (): void => sender?.wake()

/** The tab is seen again: what failed with the connection does not wait for its time (offline 76). */
export const wakeOutboxOnSight = (): void => sender?.wake(true)

/** The connection is back. */
export const wakeOutboxOnReturn = (): void => sender?.wakeOnReturn()

/**
 * The one sender of a user's queue. Of many tabs exactly one sends: if each waited for its turn, each would try a connection that
 * has just failed. Send, confirm, then change the row: a crash at any point repeats an attempt, never loses one.
 */
export const outboxSender = (owner: string, ports: SenderPorts): DueQueue =>
  dueQueue({ lock: `outbox-${owner}`, whenHeld: 'skip', drain: (run) => drain(userStore(owner), ports, run) })

/** Round after round: what was queued during one is sent by the next. */
async function drain(store: UserDatabase, ports: SenderPorts, run: DrainRun): Promise<number | undefined> {
  let rows = await beginRound(store, run)
  let next: Attempt['next'] = restsUntil(rows) > 0 ? 'wait' : 'goOn'
  for (let due = dueRows(rows); next === 'goOn' && due.length > 0; due = dueRows(rows)) {
    next = await sendRound(store, due, ports, run.stopped)
    if (run.stopped.aborted) return undefined
    // What has failed in this run rests, connection or not.
    rows = await beginRound(store, { ...run, again: false })
  }
  const dueAt = earliest(rows.filter(({ state }) => state === 'waiting'))
  if (dueAt === undefined) return undefined
  return Math.max(dueAt, restsUntil(rows), next === 'waitForLogin' ? Date.now() + LOGIN_MISSED_MS : 0)
}

/** A busy server that asked for time has asked the whole queue; 0 when it has not. */
function restsUntil(rows: readonly OutboxRow[]): number {
  const resting = rows.filter(({ state, busy, nextAt }) => state === 'waiting' && busy && nextAt > Date.now())
  return Math.max(0, ...resting.map(({ nextAt }) => nextAt))
}

async function sendRound(
  store: UserDatabase,
  due: readonly OutboxRow[],
  { send, onReady }: SenderPorts,
  stopped: AbortSignal,
): Promise<Attempt['next']> {
  for (const { id } of due) {
    const row = await readDownload(store, id)
    // Discarded or put off since the round began.
    if (!row || !isDue(row)) continue
    if (stopped.aborted) return 'wait'
    const { next, ready } = await attemptDownload(store, row, send, stopped)
    if (ready !== undefined) onReady?.(id, ready)
    if (next !== 'goOn') return next
  }
  return 'goOn'
}

/**
 * The rows as they are, in order again: what a dead tab left half sent waits, and what must go has gone. Whoever holds the lock
 * knows that no one else is sending; without locks only a run-out lease says so.
 */
function beginRound(store: UserDatabase, { locked, again }: DrainRun): Promise<OutboxRow[]> {
  const correction = ({ state, leaseUntil, lineFault }: OutboxRow): Partial<OutboxRow> | undefined => {
    if (state === 'sending') return locked || leaseUntil < Date.now() ? { state: 'waiting', received: 0 } : undefined
    return state === 'waiting' && again && lineFault ? { nextAt: 0 } : undefined
  }
  return store.transaction('rw', store.outbox, store.files, async () => {
    const rows = await readOutbox(store)
    for (const row of rows) {
      const corrected = correction(row)
      if (!corrected) continue
      await store.outbox.update(row.id, corrected)
      Object.assign(row, corrected)
    }
    await applyRetention(store, rows)
    return rows
  })
}

const isDue = ({ state, nextAt }: OutboxRow) => state === 'waiting' && nextAt <= Date.now()

/** Oldest first. */
const dueRows = (rows: readonly OutboxRow[]) => rows.filter(isDue).toReversed()
