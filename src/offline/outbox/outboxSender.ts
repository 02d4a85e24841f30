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

/** Sends one request. `signal` aborts a request that is no longer wanted. Its result or error is then ignored. */
export type SendDownload = (
  intent: ReportRequest,
  id: string,
  progress: (received: number, total?: number) => void,
  signal: AbortSignal,
) => Promise<Outcome<DownloadedFile>>

export interface SenderPorts {
  send: SendDownload
  /** Called when the file is on the device. */
  onReady?: (id: string, filename: string) => void
}

/** Only for a tab that misses the login: the login itself starts a new queue at once. */
const LOGIN_MISSED_MS = 60_000

/** Longer than the time after which a download without a byte is given up. */
const LEASE_MS = 3 * 60_000

const PROGRESS_EVERY_MS = 250

let queue: Queue | undefined

/** Starts the queue of the logged-in user and stops the previous one. Without an owner no queue runs. */
export function serveOutbox(owner: string | undefined, ports: SenderPorts): void {
  queue?.stop()
  queue = owner === undefined ? undefined : outboxQueue(owner, ports)
  // Downloads may have waited for this login.
  queue?.wake(true)
}

/**
 * Sends the downloads that are due. `withPaused`, after "Try now" or when the tab is visible again, also sends those that are paused
 * for the connection (offline 76).
 */
export const wakeOutbox = (withPaused = false): void => queue?.wake(withPaused)

/** Wakes the queue when the connection is back. */
export const wakeOutboxOnReturn = (): void => queue?.wakeOnReturn()

/**
 * Makes the queue that sends one owner's downloads, one after the other. It changes the row only after it has stored the file, so a
 * crash can repeat an attempt, but lose no download.
 */
export const outboxQueue = (owner: string, ports: SenderPorts): Queue => makeQueue(outboxRules(userStore(owner), ports))

const outboxRules = (store: UserDatabase, { send, onReady }: SenderPorts): QueueRules<OutboxRow> => ({
  lock: `outbox-${store.owner}`,
  leaseMs: LEASE_MS,
  batchSize: 1,
  read: (isAlone) => readPending(store, isAlone),
  isFresh: () => true,
  send: async (batch, { stopped }) => {
    const { id } = batch[0]!
    const row = await readDownload(store, id)
    // The user may have discarded the row since it was read.
    if (!row || !isUnansweredDownload(row)) return ANSWERED
    const { retry, filename } = await attemptDownload(store, row, send, stopped)
    if (filename !== undefined) onReady?.(id, filename)
    return retry ?? ANSWERED
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
 * Applies the retention and returns the waiting rows, oldest first. A row that a closed tab left as `sending` waits again. With the
 * lock no other tab can be sending it. Without the lock only an expired lease shows that.
 */
const readPending = (store: UserDatabase, isAlone: boolean): Promise<OutboxRow[]> =>
  store.transaction('rw', store.outbox, store.files, async () => {
    const rows = await readOutbox(store)
    for (const row of rows) {
      if (row.state !== 'sending' || (!isAlone && row.leaseUntil >= Date.now())) continue
      const reset = { state: 'waiting', received: 0 } as const
      await store.outbox.update(row.id, reset)
      Object.assign(row, reset)
    }
    await applyRetention(store, rows)
    const dueAfterLease = (row: OutboxRow) =>
      row.state === 'sending' ? { ...row, ...DUE_NOW, nextAt: row.leaseUntil } : row
    return rows.filter(isUnansweredDownload).map(dueAfterLease).toReversed()
  })

interface Attempt {
  /** Why the download must be sent again later. */
  retry?: RetryLater
  /** The name of the file that is now on the device. */
  filename?: string | undefined
}

/** Sends one row. `stopped` is aborted when the queue's owner has changed. This tab then ignores the answer. */
async function attemptDownload(
  store: UserDatabase,
  row: OutboxRow,
  send: SendDownload,
  stopped: AbortSignal,
): Promise<Attempt> {
  const wanted = abortWhenUnwanted(store, row.id, stopped)
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
  const outcome = await send(row.intent, row.id, makeProgressReporter(store, row.id), signal).catch(
    unlessAborted(signal),
  )
  if (signal.aborted || !outcome) return {}
  if (outcome.kind !== 'done') return storeFailure(store, row, outcome)
  return { filename: await storeFile(store, row.id, outcome.answer) }
}

/** Ignores the error of an aborted request. */
const unlessAborted = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error
}

async function storeFailure(
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
  if (outcome.kind === 'later') return { retry: outcome }
  // Until the owner has logged in, every request would fail.
  return { retry: { kind: 'later', connectionFailed: true, message: outcome.message, retryAfterMs: LOGIN_MISSED_MS } }
}

/** Makes a signal that aborts when the row is discarded in any tab, or when the queue stops. */
function abortWhenUnwanted(store: UserDatabase, id: string, stopped: AbortSignal) {
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

function makeProgressReporter(store: UserDatabase, id: string) {
  let reportedAt = 0
  return (received: number, total?: number) => {
    if (Date.now() - reportedAt < PROGRESS_EVERY_MS) return
    reportedAt = Date.now()
    const known = total === undefined ? {} : { total }
    void store.outbox.update(id, { received, ...known, leaseUntil: reportedAt + LEASE_MS })
  }
}
