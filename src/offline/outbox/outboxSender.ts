import { liveQuery } from 'dexie'
import type { Outcome } from '../../domain/Outcome.ts'
import { backoffMs, wasTurnedBack } from '../backoff.ts'
import { dueQueue, earliest, type DrainRun, type DueQueue } from '../dueQueue.ts'
import { userStore } from '../storage/userStore.ts'
import type { UserDatabase } from '../store/databases.ts'
import type { OutboxRow } from '../store/userRows.ts'
import { requestsOf, type Send } from './downloadRequests.ts'
import { countStoredParts, readDownload, readOutbox, storeFile, storeMerged, storePart } from './outbox.ts'
import { applyRetention } from './outboxRetention.ts'

export interface SenderPorts {
  send: Send
  /** Told once the file is on the device. */
  onReady?: (id: string, filename: string) => void
}

/** A login makes a new sender. This one only asks in case it was missed. */
const LOGIN_MISSED_MS = 60_000

const LEASE_MS = 3 * 60_000

const PROGRESS_EVERY_MS = 250

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
  const correction = ({ state, leaseUntil, lineFault, putOffAt }: OutboxRow): Partial<OutboxRow> | undefined => {
    if (state === 'sending') return locked || leaseUntil < Date.now() ? { state: 'waiting', received: 0 } : undefined
    if (state !== 'waiting') return undefined
    return (again && lineFault) || wasTurnedBack(putOffAt, Date.now()) ? { nextAt: 0, putOffAt: undefined } : undefined
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

interface Attempt {
  /** With the rest of the queue: it goes on, or waits for a better moment, or until its owner has logged in. */
  next: 'goOn' | 'wait' | 'waitForLogin'
  /** Name of the file that lies on the device now. */
  ready?: string
}

const GO_ON: Attempt = { next: 'goOn' }

const goOnWith = (ready: string | undefined): Attempt => (ready === undefined ? GO_ON : { next: 'goOn', ready })

/**
 * One attempt at a row, from where the last one stopped: each part is stored before the next is asked for. `stopped`: the queue
 * changed hands, and what is on its way is not for this tab any more.
 */
async function attemptDownload(
  store: UserDatabase,
  row: OutboxRow,
  send: Send,
  stopped: AbortSignal,
): Promise<Attempt> {
  const wanted = watchWanted(store, row.id, stopped)
  try {
    const attempt = await sendParts(store, row, send, wanted.signal)
    return stopped.aborted ? { ...attempt, next: 'wait' } : attempt
  } finally {
    wanted.release()
  }
}

async function sendParts(store: UserDatabase, row: OutboxRow, send: Send, signal: AbortSignal): Promise<Attempt> {
  const requests = requestsOf(row.intent)
  const isWhole = requests.length === 1
  for (const [part, request] of requests.entries()) {
    if (!isWhole && part < (await countStoredParts(store, row.id))) continue
    await store.outbox.update(row.id, {
      state: 'sending',
      leaseUntil: Date.now() + LEASE_MS,
      received: 0,
      total: undefined,
    })
    const outcome = await send(request, row.id, reporter(store, row.id), signal).catch(unlessAborted(signal))
    if (signal.aborted || !outcome) return GO_ON
    if (outcome.kind !== 'done') return settle(store, row, outcome)
    if (isWhole) return goOnWith(await storeFile(store, row.id, outcome.answer))
    if (!(await storePart(store, row.id, part, outcome.answer))) return GO_ON
  }
  return goOnWith(await storeMerged(store, row))
}

/** What a request ends with that was called off is no error. */
const unlessAborted = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error
}

async function settle(
  store: UserDatabase,
  { id, attempts: before }: OutboxRow,
  outcome: Exclude<Outcome<unknown>, { kind: 'done' }>,
): Promise<Attempt> {
  const attempts = before + 1
  switch (outcome.kind) {
    case 'refused': {
      const { message: trouble } = outcome.refused
      await store.outbox.update(id, { state: 'failed', attempts, trouble, settledAt: Date.now() })
      return GO_ON
    }
    case 'later': {
      const { message: trouble, connectionFailed: lineFault, isBusy: busy, retryAfterMs } = outcome
      const putOffAt = Date.now()
      const nextAt = putOffAt + backoffMs(attempts, { retryAfterMs, isTurn: busy })
      await store.outbox.update(id, { state: 'waiting', attempts, trouble, lineFault, busy, nextAt, putOffAt })
      return { next: 'wait' }
    }
    case 'signIn':
      await store.outbox.update(id, { state: 'waiting' })
      return { next: 'waitForLogin' }
  }
}

/** Aborts when the row is discarded, in any tab, or the queue stopped: nobody waits for a file that nobody wants. */
function watchWanted(store: UserDatabase, id: string, stopped: AbortSignal) {
  const unwanted = new AbortController()
  const abort = () => unwanted.abort()
  stopped.addEventListener('abort', abort)
  const subscription = liveQuery(() => store.outbox.where('id').equals(id).count()).subscribe({
    next: (count) => count === 0 && abort(),
    error: () => undefined,
  })
  const release = () => {
    stopped.removeEventListener('abort', abort)
    subscription.unsubscribe()
  }
  return { signal: unwanted.signal, release }
}

function reporter(store: UserDatabase, id: string) {
  let last = 0
  return (received: number, total?: number) => {
    if (Date.now() - last < PROGRESS_EVERY_MS) return
    last = Date.now()
    const known = total === undefined ? {} : { total }
    void store.outbox.update(id, { received, ...known, leaseUntil: last + LEASE_MS })
  }
}
