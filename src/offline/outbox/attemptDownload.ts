import { liveQuery } from 'dexie'
import type { Outcome } from '../../domain/Outcome.ts'
import { backoffMs } from '../backoff.ts'
import { withRoom } from '../storage/withRoom.ts'
import type { UserDatabase } from '../store/databases.ts'
import type { OutboxRow } from '../store/userRows.ts'
import { partId, periodOfParts, requestsOf, type DownloadedFile, type Send } from './downloadRequests.ts'

const LEASE_MS = 3 * 60_000

const PROGRESS_EVERY_MS = 250

export interface Attempt {
  /** With the rest of the queue: it goes on, or waits for a better moment, or until its owner has logged in. */
  next: 'goOn' | 'wait' | 'waitForLogin'
  /** Name of the file that lies on the device now. */
  ready?: string
}

const GO_ON: Attempt = { next: 'goOn' }

/**
 * One attempt at a row, from where the last one stopped: each part is stored before the next is asked for. `stopped`: the queue
 * changed hands, and what is on its way is not for this tab any more.
 */
export async function attemptDownload(
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
    if (isWhole) return storeFile(store, row.id, outcome.answer)
    if (!(await storePart(store, row.id, part, outcome.answer))) return GO_ON
  }
  return storeMerged(store, row)
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
      const nextAt = Date.now() + backoffMs(attempts, { retryAfterMs, isTurn: busy })
      await store.outbox.update(id, { state: 'waiting', attempts, trouble, lineFault, busy, nextAt })
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

/** Bytes and state in one transaction: Ready always has its file. Not told of a row that was discarded meanwhile. */
async function storeFile(store: UserDatabase, id: string, file: DownloadedFile): Promise<Attempt> {
  const { bytes, filename, type } = file
  const isStored = await orNoRoom(store, id, () =>
    store.transaction('rw', store.outbox, store.files, async () => {
      const settled = { settledAt: Date.now(), trouble: undefined, lineFault: undefined, partsKept: undefined }
      const changed = await store.outbox.update(id, { state: 'ready', filename, size: bytes.byteLength, ...settled })
      await store.files.where('id').startsWith(`${id}/`).delete()
      if (changed > 0) await store.files.put({ id, bytes, type })
      return changed > 0
    }),
  )
  return isStored ? { next: 'goOn', ready: filename } : GO_ON
}

/** Parts are asked for in turn, so their number is the index of the next one. */
const countStoredParts = (store: UserDatabase, id: string): Promise<number> =>
  Promise.resolve(store.files.where('id').startsWith(`${id}/`).count())

/** A part lies on the device before the next is asked for: a restart goes on behind it. */
async function storePart(store: UserDatabase, id: string, part: number, file: DownloadedFile): Promise<boolean> {
  const { bytes, type } = file
  const kept = await orNoRoom(store, id, () =>
    store.transaction('rw', store.outbox, store.files, async () => {
      const progress = { attempts: 0, partsKept: part + 1, trouble: undefined, lineFault: undefined }
      const changed = await store.outbox.update(id, progress)
      if (changed > 0) await store.files.put({ id: partId(id, part), bytes, type })
      return changed > 0
    }),
  )
  return kept ?? false
}

/** All parts as one file, or the row failed with words: parts that do not add up are downloaded again. */
async function storeMerged(store: UserDatabase, row: OutboxRow): Promise<Attempt> {
  const parts = await store.files.where('id').startsWith(`${row.id}/`).sortBy('id')
  // Loaded with the first merge: the queue runs on every screen, and seldom has parts.
  const { mergeReports } = await import('./mergeReports.ts')
  const merged = mergeReports(
    parts.map(({ bytes }) => bytes),
    periodOfParts(row.intent) ?? '',
  )
  if (merged.kind === 'merged') {
    return storeFile(store, row.id, { bytes: merged.bytes, filename: row.title, type: parts[0]?.type ?? 'text/csv' })
  }
  await store.transaction('rw', store.outbox, store.files, async () => {
    await store.files.where('id').startsWith(`${row.id}/`).delete()
    const failed = { state: 'failed', trouble: merged.trouble, partsKept: undefined, settledAt: Date.now() } as const
    await store.outbox.update(row.id, failed)
  })
  return GO_ON
}

async function orNoRoom<T>(store: UserDatabase, id: string, keep: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withRoom(keep)
  } catch {
    const trouble = 'This device has no room for the file. Free some space, then retry.'
    await store.outbox.update(id, { state: 'failed', trouble, settledAt: Date.now() })
    return undefined
  }
}
