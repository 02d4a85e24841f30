import type { OutboxIntent } from '../../contract/outboxIntents.ts'
import type { OutboxRow } from '../store/outboxRow.ts'
import type { UserDatabase } from '../store/userDatabase.ts'
import { rowsOf } from './outbox.ts'
import { backoffMs } from './backoff.ts'
import { userStore } from './userStore.ts'

/** What became of one attempt, told by the wiring in words the queue understands. */
export type SendOutcome =
  | { kind: 'done'; bytes: ArrayBuffer; filename: string; type: string }
  /** The line or the server could not do it now; `retryAfterMs` when the server named a time. */
  | { kind: 'later'; retryAfterMs?: number; trouble: string }
  /** The server will not do it, ever: shown with its words. */
  | { kind: 'refused'; trouble: string }
  /** The session is over: everything waits for its owner. */
  | { kind: 'stop' }

export type Send = (
  intent: OutboxIntent,
  id: string,
  progress: (received: number, total?: number) => void,
) => Promise<SendOutcome>

export interface Sender {
  /** Sends whatever is due. Safe to call from anywhere, any number of times. */
  wake: () => void
  stop: () => void
}

const LEASE_MS = 3 * 60_000
const PROGRESS_EVERY_MS = 250

/**
 * The one sender of a user's queue: the work runs inside a Web Lock, so that of many tabs exactly one sends, and a killed tab
 * hands over by dying. Send, confirm, then change the row: a crash at any point repeats an attempt, never loses one.
 */
export function startSender(owner: string, send: Send, onReady: (filename: string) => void = () => undefined): Sender {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const wake = () => {
    if (!stopped) void alone(owner, drain).catch(() => undefined)
  }
  const drain = async (locked: boolean) => {
    const store = userStore(owner)
    await returnOrphans(store, locked)
    for (let row = await nextDue(store); row && !stopped; row = await nextDue(store)) {
      if (!(await sendOne(store, row, send, onReady))) break
    }
    const later = await nextDueAt(store)
    clearTimeout(timer)
    if (later !== undefined && !stopped) timer = setTimeout(wake, Math.max(later - Date.now(), 500))
  }
  const stop = () => {
    stopped = true
    clearTimeout(timer)
  }
  return { wake, stop }
}

async function alone(owner: string, work: (locked: boolean) => Promise<void>) {
  if (!navigator.locks) return work(false)
  await navigator.locks.request(`outbox-${owner}`, { ifAvailable: true }, (lock) => (lock ? work(true) : undefined))
}

/** Whoever holds the lock knows that no one else is sending; without locks only a run-out lease says so. */
async function returnOrphans(store: UserDatabase, locked: boolean) {
  for (const row of await rowsOf(store)) {
    const orphan = row.state === 'sending' && (locked || row.leaseUntil < Date.now())
    if (orphan) await store.outbox.update(row.id, { state: 'waiting', received: 0 })
  }
}

const waitingRows = async (store: UserDatabase) => (await rowsOf(store)).filter(({ state }) => state === 'waiting')

async function nextDue(store: UserDatabase): Promise<OutboxRow | undefined> {
  return (await waitingRows(store)).reverse().find(({ nextAt }) => nextAt <= Date.now())
}

async function nextDueAt(store: UserDatabase): Promise<number | undefined> {
  const times = (await waitingRows(store)).map(({ nextAt }) => nextAt)
  return times.length > 0 ? Math.min(...times) : undefined
}

/** One attempt. False when the rest of the queue should wait as well. */
async function sendOne(
  store: UserDatabase,
  row: OutboxRow,
  send: Send,
  onReady: (filename: string) => void,
): Promise<boolean> {
  const attempts = row.attempts + 1
  const change = (next: Partial<OutboxRow>) => store.outbox.update(row.id, next)
  await change({ state: 'sending', leaseUntil: Date.now() + LEASE_MS, received: 0 })
  const outcome = await send(row.intent, row.id, reporter(change))
  switch (outcome.kind) {
    case 'done':
      // Told only once the file is on the device, and not for one that was discarded on its way.
      if (await keepFile(store, row.id, outcome)) onReady(outcome.filename)
      return true
    case 'refused':
      await change({ state: 'failed', attempts, trouble: outcome.trouble, settledAt: Date.now() })
      return true
    case 'later': {
      const wait = outcome.retryAfterMs ?? backoffMs(attempts)
      await change({ state: 'waiting', attempts, trouble: outcome.trouble, nextAt: Date.now() + wait })
      return false
    }
    case 'stop':
      await change({ state: 'waiting' })
      return false
  }
}

function reporter(change: (next: Partial<OutboxRow>) => PromiseLike<unknown>) {
  let last = 0
  return (received: number, total?: number) => {
    if (Date.now() - last < PROGRESS_EVERY_MS) return
    last = Date.now()
    void change({ received, ...(total === undefined ? {} : { total }), leaseUntil: last + LEASE_MS })
  }
}

/** Bytes and state in one transaction: Ready always has its file. A row discarded meanwhile stays discarded. */
async function keepFile(
  store: UserDatabase,
  id: string,
  file: Extract<SendOutcome, { kind: 'done' }>,
): Promise<boolean> {
  const { bytes, filename, type } = file
  try {
    return await store.transaction('rw', store.outbox, store.files, async () => {
      const ready = {
        state: 'ready',
        filename,
        size: bytes.byteLength,
        settledAt: Date.now(),
        trouble: undefined,
      } as const
      const wanted = (await store.outbox.update(id, ready)) > 0
      if (wanted) await store.files.put({ id, bytes, type })
      return wanted
    })
  } catch {
    const trouble = 'This device has no room for the file. Free some space, then retry.'
    await store.outbox.update(id, { state: 'failed', trouble, settledAt: Date.now() })
    return false
  }
}
