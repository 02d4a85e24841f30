import { userStore } from '../storage/userStore.ts'
import type { UserDatabase } from '../store/databases.ts'
import type { OutboxRow } from '../store/userRows.ts'
import { withFreeLock } from '../store/withLock.ts'
import { attemptDownload } from './attemptDownload.ts'
import type { Send } from './downloadRequests.ts'
import { readOutbox } from './outbox.ts'
import { pruneOutbox } from './outboxRetention.ts'

export interface Sender {
  /** Sends whatever is due. Safe to call from anywhere, any number of times. */
  wake: () => void
  /** The same, and what failed at the line is due as well: there is reason to believe that it is back. */
  wakeForLine: () => void
  stop: () => void
}

/**
 * The one sender of a user's queue: the work runs inside a Web Lock, so that of many tabs exactly one sends, and a killed tab
 * hands over by dying. Send, confirm, then change the row: a crash at any point repeats an attempt, never loses one.
 */
export function startSender(owner: string, send: Send, onReady: (filename: string) => void = () => undefined): Sender {
  const stopped = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDraining = false
  let lineCameBack = false
  const isStopped = () => stopped.signal.aborted
  const run = (lineIsBack: boolean) => {
    // What is on its way may have been sent before the line was back, and would wait for its time.
    if (isDraining) lineCameBack ||= lineIsBack
    else if (!isStopped())
      void withFreeLock(`outbox-${owner}`, (locked) => drainOnce(locked, lineIsBack)).catch(() => undefined)
  }
  const drainOnce = async (locked: boolean, lineIsBack: boolean) => {
    isDraining = true
    await drain(locked, lineIsBack).finally(() => (isDraining = false))
    if (!lineCameBack) return
    lineCameBack = false
    setTimeout(() => run(true))
  }
  const drain = async (locked: boolean, lineIsBack: boolean) => {
    const store = userStore(owner)
    await returnOrphans(store, locked)
    if (lineIsBack) await endLineWaits(store)
    await pruneOutbox(store)
    for (let row = await nextDue(store); row && !isStopped(); row = await nextDue(store)) {
      if (!(await attemptDownload(store, row, { send, onReady, stopped: stopped.signal }))) break
    }
    const later = await nextDueAt(store)
    clearTimeout(timer)
    if (later !== undefined && !isStopped()) timer = setTimeout(() => run(false), Math.max(later - Date.now(), 500))
  }
  const stop = () => {
    stopped.abort()
    clearTimeout(timer)
  }
  return { wake: () => run(false), wakeForLine: () => run(true), stop }
}

/** Whoever holds the lock knows that no one else is sending; without locks only a run-out lease says so. */
async function returnOrphans(store: UserDatabase, locked: boolean) {
  for (const row of await readOutbox(store)) {
    const orphan = row.state === 'sending' && (locked || row.leaseUntil < Date.now())
    if (orphan) await store.outbox.update(row.id, { state: 'waiting', received: 0 })
  }
}

const waitingRows = async (store: UserDatabase) => (await readOutbox(store)).filter(({ state }) => state === 'waiting')

async function endLineWaits(store: UserDatabase) {
  for (const { id, lineFault } of await waitingRows(store)) if (lineFault) await store.outbox.update(id, { nextAt: 0 })
}

async function nextDue(store: UserDatabase): Promise<OutboxRow | undefined> {
  return (await waitingRows(store)).reverse().find(({ nextAt }) => nextAt <= Date.now())
}

async function nextDueAt(store: UserDatabase): Promise<number | undefined> {
  const times = (await waitingRows(store)).map(({ nextAt }) => nextAt)
  return times.length > 0 ? Math.min(...times) : undefined
}

let sender: Sender | undefined

/** The queue of whoever is signed in; called again it changes hands, and with no owner it rests. */
export function serveOutbox(owner: string | undefined, send: Send, onReady: (filename: string) => void): void {
  sender?.stop()
  sender = owner === undefined ? undefined : startSender(owner, send, onReady)
  wakeOutbox()
}

/** Sends what is due: at the start, on "Try now". */
export const wakeOutbox = (): void => sender?.wake()

/** The line returned, or the tab is seen again: what failed at the line does not wait for its time (offline 76). */
export const wakeOutboxOnReconnect = (): void => sender?.wakeForLine()
