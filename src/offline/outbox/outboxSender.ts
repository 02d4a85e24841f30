import { liveQuery } from 'dexie'
import type { ReportRequest } from '../../contract/reports/report.ts'
import type { DownloadedFile } from '../../domain/DownloadedFile.ts'
import type { Outcome } from '../../domain/Outcome.ts'
import { queueOf, type Kind, type Later, type Queue, type Sent } from '../queue.ts'
import { userStore } from '../storage/userStore.ts'
import type { UserDatabase } from '../store/databases.ts'
import { NO_REST } from '../store/rest.ts'
import type { OutboxRow } from '../store/userRows.ts'
import { isPendingDownload, readDownload, readOutbox, storeFile } from './outbox.ts'
import { applyRetention } from './outboxRetention.ts'

/** One request. `signal` ends one that nobody wants any more; what it then comes back with, or throws, does not matter. */
export type Send = (
  intent: ReportRequest,
  id: string,
  progress: (received: number, total?: number) => void,
  signal: AbortSignal,
) => Promise<Outcome<DownloadedFile>>

export interface SenderPorts {
  send: Send
  /** Told once the file is on the device. */
  onReady?: (id: string, filename: string) => void
}

/** A login makes a new queue. This one only asks in case it was missed. */
const LOGIN_MISSED_MS = 60_000

/** Longer than a download goes without a byte. */
const LEASE_MS = 3 * 60_000

const PROGRESS_EVERY_MS = 250

let queue: Queue | undefined

/** The queue of whoever is logged in; called again it changes hands, and with no owner it rests. */
export function serveOutbox(owner: string | undefined, ports: SenderPorts): void {
  queue?.stop()
  queue = owner === undefined ? undefined : outboxQueue(owner, ports)
  // It may have rested for this very login.
  queue?.wake(true)
}

/** Sends what is due, as on "Try now"; `again`: the tab is seen again, and what failed with the connection does not wait for its time (offline 76). */
export const wakeOutbox = (again = false): void => queue?.wake(again)

/** The connection is back. */
export const wakeOutboxOnReturn = (): void => queue?.wakeOnReturn()

/** One download after the other. Send, store, then change the row: a crash at any point repeats an attempt, never loses one. */
export const outboxQueue = (owner: string, ports: SenderPorts): Queue => queueOf(outboxKind(userStore(owner), ports))

const outboxKind = (store: UserDatabase, { send, onReady }: SenderPorts): Kind<OutboxRow> => ({
  lock: `outbox-${store.owner}`,
  leaseMs: LEASE_MS,
  lotSize: 1,
  read: (isAlone) => readPending(store, isAlone),
  isFresh: () => true,
  send: async (lot, { stopped }) => {
    const { id } = lot[0]!
    const row = await readDownload(store, id)
    // Discarded since it was read.
    if (!row || !isPendingDownload(row)) return ANSWERED
    const { sent = ANSWERED, ready } = await attemptDownload(store, row, send, stopped)
    if (ready !== undefined) onReady?.(id, ready)
    return sent
  },
  rest: (ids, rest, heard) =>
    store.transaction('rw', store.outbox, async () => {
      for (const id of ids) {
        const row = await readDownload(store, id)
        if (row?.state !== 'waiting') continue
        await store.outbox.update(id, { ...rest, ...(heard !== undefined && { trouble: heard }) })
      }
    }),
  now: () => Date.now(),
  random: () => Math.random(),
})

const ANSWERED: Sent = { kind: 'answered', later: new Map() }

/**
 * The rows as they are, the oldest first: what a dead tab left half sent waits, and what must go has gone. Whoever has the lock knows that
 * nobody else is sending; without it only a run-out lease says so.
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
    const asSent = (row: OutboxRow) => (row.state === 'sending' ? { ...row, ...NO_REST, nextAt: row.leaseUntil } : row)
    return rows.filter(isPendingDownload).map(asSent).toReversed()
  })

interface Attempt {
  /** Why it comes again. */
  sent?: Later
  /** Name of the file that lies on the device now. */
  ready?: string | undefined
}

/** One attempt at a row. `stopped`: the queue changed hands, and what is on its way is not for this tab any more. */
async function attemptDownload(
  store: UserDatabase,
  row: OutboxRow,
  send: Send,
  stopped: AbortSignal,
): Promise<Attempt> {
  const wanted = watchWanted(store, row.id, stopped)
  try {
    return await sendReport(store, row, send, wanted.signal)
  } finally {
    wanted.release()
  }
}

async function sendReport(store: UserDatabase, row: OutboxRow, send: Send, signal: AbortSignal): Promise<Attempt> {
  const sending = { state: 'sending', leaseUntil: Date.now() + LEASE_MS, received: 0, total: undefined } as const
  await store.outbox.update(row.id, sending)
  const outcome = await send(row.intent, row.id, reporter(store, row.id), signal).catch(unlessAborted(signal))
  if (signal.aborted || !outcome) return {}
  if (outcome.kind !== 'done') return settle(store, row, outcome)
  return { ready: await storeFile(store, row.id, outcome.answer) }
}

/** What a request ends with that was called off is no error. */
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
  // Nothing gets through until its owner has logged in.
  return { sent: { kind: 'later', connectionFailed: true, message: outcome.message, retryAfterMs: LOGIN_MISSED_MS } }
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
