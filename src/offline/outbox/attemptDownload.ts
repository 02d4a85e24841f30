import { liveQuery } from 'dexie'
import type { OutboxRow } from '../store/userRows.ts'
import type { UserDatabase } from '../store/userDatabase.ts'
import { backoffMs } from '../backoff.ts'
import { storeMerged, storePart, storeFile, countStoredParts } from '../page/outboxFiles.ts'
import { requestsOf } from './downloadRequests.ts'
import type { Send, SendOutcome } from '../page/Send.ts'

interface Means {
  send: Send
  onReady: (filename: string) => void
  /** The queue changed hands: what is on its way is not for this tab any more. */
  stopped: AbortSignal
}

const LEASE_MS = 3 * 60_000
const PROGRESS_EVERY_MS = 250

/**
 * One attempt at a row, from where the last one stopped: each part is stored before the next is asked for. False when the rest
 * of the queue should wait as well.
 */
export async function attemptDownload(store: UserDatabase, row: OutboxRow, means: Means): Promise<boolean> {
  const change = (next: Partial<OutboxRow>) => store.outbox.update(row.id, next)
  const wanted = watchWanted(store, row.id, means.stopped)
  try {
    return await sendParts(store, row, { ...means, change, signal: wanted.signal })
  } finally {
    wanted.release()
  }
}

type Change = (next: Partial<OutboxRow>) => PromiseLike<number>

async function sendParts(
  store: UserDatabase,
  row: OutboxRow,
  { send, onReady, stopped, change, signal }: Means & { change: Change; signal: AbortSignal },
): Promise<boolean> {
  const requests = requestsOf(row.intent)
  const isWhole = requests.length === 1
  for (const [part, request] of requests.entries()) {
    if (!isWhole && part < (await countStoredParts(store, row.id))) continue
    await change({ state: 'sending', leaseUntil: Date.now() + LEASE_MS, received: 0, total: undefined })
    const outcome = await send(request, row.id, reporter(change), signal)
    if (signal.aborted) return !stopped.aborted
    if (outcome.kind !== 'done') return settle(row, outcome, change)
    if (isWhole) return tell(await storeFile(store, row.id, outcome), onReady)
    if (!(await storePart(store, row.id, part, outcome))) return true
  }
  return tell(await storeMerged(store, row), onReady)
}

/** Told only once the file is on the device, and not for one that was discarded on its way. */
function tell(filename: string | undefined, onReady: Means['onReady']): true {
  if (filename !== undefined) onReady(filename)
  return true
}

async function settle(
  row: OutboxRow,
  outcome: Exclude<SendOutcome, { kind: 'done' }>,
  change: Change,
): Promise<boolean> {
  const attempts = row.attempts + 1
  switch (outcome.kind) {
    case 'refused':
      await change({ state: 'failed', attempts, trouble: outcome.trouble, settledAt: Date.now() })
      return true
    case 'later': {
      const { trouble, lineFault = false, retryAfterMs = backoffMs(attempts) } = outcome
      await change({ state: 'waiting', attempts, trouble, lineFault, nextAt: Date.now() + retryAfterMs })
      return false
    }
    case 'stop':
      await change({ state: 'waiting' })
      return false
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

function reporter(change: Change) {
  let last = 0
  return (received: number, total?: number) => {
    if (Date.now() - last < PROGRESS_EVERY_MS) return
    last = Date.now()
    void change({ received, ...(total === undefined ? {} : { total }), leaseUntil: last + LEASE_MS })
  }
}
