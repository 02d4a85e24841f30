import { liveQuery } from 'dexie'
import type { ReportRequest } from '../../contract/reports/report.ts'
import type { DownloadedFile } from '../../domain/DownloadedFile.ts'
import type { Outcome } from '../../domain/Outcome.ts'
import { makeQueue, type QueueRules, type RetryLater, type Queue, type SendResult } from '../queue.ts'
import { userStore } from '../storage/userStore.ts'
import type { UserDatabase } from '../store/databases.ts'
import { DUE_NOW } from '../store/retryState.ts'
import type { OutboxRow } from '../store/userRows.ts'
import { isUnansweredDownload, readDownload, readOutbox, storeFile } from './outbox.ts'
import { applyRetention } from './outboxRetention.ts'

/** Sends one request. `signal` ends a request that is no longer wanted; its result or error is then ignored. */
export type SendDownload = (
  intent: ReportRequest,
  id: string,
  progress: (received: number, total?: number) => void,
  signal: AbortSignal,
) => Promise<Outcome<DownloadedFile>>

export interface SenderPorts {
  send: SendDownload
  /** Called once the file is on the device. */
  onReady?: (id: string, filename: string) => void
}

/** A login makes a new queue. This wait is only for a login that was missed. */
const LOGIN_MISSED_MS = 60_000

/** A download without a byte for this long is given up earlier. */
const LEASE_MS = 3 * 60_000

const PROGRESS_EVERY_MS = 250

let queue: Queue | undefined

/** Starts the queue of the logged-in user, and stops the queue before it. Without an owner there is none. */
export function serveOutbox(owner: string | undefined, ports: SenderPorts): void {
  queue?.stop()
  queue = owner === undefined ? undefined : outboxQueue(owner, ports)
  // It may have waited for this login.
  queue?.wake(true)
}

/**
 * Sends the downloads that are due. `again` ("Try now", or the tab is visible again): also those that failed with the connection,
 * before their time (offline 76).
 */
export const wakeOutbox = (again = false): void => queue?.wake(again)

/** Wakes the queue when the connection is back. */
export const wakeOutboxOnReturn = (): void => queue?.wakeOnReturn()

/**
 * The queue of one owner's downloads, one after the other. It sends, stores, then changes the row: a crash at any point repeats an
 * attempt, never loses one.
 */
export const outboxQueue = (owner: string, ports: SenderPorts): Queue => makeQueue(outboxRules(userStore(owner), ports))

const outboxRules = (store: UserDatabase, { send, onReady }: SenderPorts): QueueRules<OutboxRow> => ({
  lock: `outbox-${store.owner}`,
  leaseMs: LEASE_MS,
  lotSize: 1,
  read: (isAlone) => readPending(store, isAlone),
  isFresh: () => true,
  send: async (lot, { stopped }) => {
    const { id } = lot[0]!
    const row = await readDownload(store, id)
    // Discarded since it was read.
    if (!row || !isUnansweredDownload(row)) return ANSWERED
    const { sent = ANSWERED, ready } = await attemptDownload(store, row, send, stopped)
    if (ready !== undefined) onReady?.(id, ready)
    return sent
  },
  putOff: (ids, state, lastMessage) =>
    store.transaction('rw', store.outbox, async () => {
      for (const id of ids) {
        const row = await readDownload(store, id)
        if (row?.state !== 'waiting') continue
        await store.outbox.update(id, { ...state, ...(lastMessage !== undefined && { trouble: lastMessage }) })
      }
    }),
  now: () => Date.now(),
  random: () => Math.random(),
})

const ANSWERED: SendResult = { kind: 'answered', later: new Map() }

/**
 * Returns the waiting rows, oldest first. It sets rows that a closed tab left half sent back to waiting, and applies the retention.
 * With the lock no other tab is sending; without it only an expired lease shows that.
 */
const readPending = (store: UserDatabase, isAlone: boolean): Promise<OutboxRow[]> =>
  store.transaction('rw', store.outbox, store.files, async () => {
    const rows = await readOutbox(store)
    for (const row of rows) {
      if (row.state !== 'sending' || (!isAlone && row.leaseUntil >= Date.now())) continue
      const left = { state: 'waiting', received: 0 } as const
      await store.outbox.update(row.id, left)
      Object.assign(row, left)
    }
    await applyRetention(store, rows)
    const asSent = (row: OutboxRow) => (row.state === 'sending' ? { ...row, ...DUE_NOW, nextAt: row.leaseUntil } : row)
    return rows.filter(isUnansweredDownload).map(asSent).toReversed()
  })

interface Attempt {
  /** Why it is sent again later. */
  sent?: RetryLater
  /** The name of the file that is now on the device. */
  ready?: string | undefined
}

/** One attempt at a row. `stopped`: the queue has changed its owner, and this tab ignores the answer. */
async function attemptDownload(
  store: UserDatabase,
  row: OutboxRow,
  send: SendDownload,
  stopped: AbortSignal,
): Promise<Attempt> {
  const wanted = watchWanted(store, row.id, stopped)
  try {
    return await sendReport(store, row, send, wanted.signal)
  } finally {
    wanted.release()
  }
}

async function sendReport(
  store: UserDatabase,
  row: OutboxRow,
  send: SendDownload,
  signal: AbortSignal,
): Promise<Attempt> {
  const sending = { state: 'sending', leaseUntil: Date.now() + LEASE_MS, received: 0, total: undefined } as const
  await store.outbox.update(row.id, sending)
  const outcome = await send(row.intent, row.id, reporter(store, row.id), signal).catch(unlessAborted(signal))
  if (signal.aborted || !outcome) return {}
  if (outcome.kind !== 'done') return settle(store, row, outcome)
  return { ready: await storeFile(store, row.id, outcome.answer) }
}

/** An aborted request may fail: that is no error. */
const unlessAborted = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error
}

async function settle(
  store: UserDatabase,
  { id, attempts }: OutboxRow,
  outcome: Exclude<Outcome<DownloadedFile>, { kind: 'done' }>,
): Promise<Attempt> {
  if (outcome.kind === 'refused') {
    const failed = { state: 'failed', attempts: attempts + 1, trouble: outcome.refused.message } as const
    await store.outbox.update(id, { ...failed, settledAt: Date.now() })
    return {}
  }
  await store.outbox.update(id, { state: 'waiting' })
  if (outcome.kind === 'later') return { sent: outcome }
  // Every request fails until its owner has logged in.
  return { sent: { kind: 'later', connectionFailed: true, message: outcome.message, retryAfterMs: LOGIN_MISSED_MS } }
}

/** Aborts when the row is discarded in any tab, or the queue stops. */
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
