import { userStore } from '../storage/userStore.ts'
import type { UserDatabase } from '../store/databases.ts'
import type { OutboxRow } from '../store/userRows.ts'
import { withFreeLock } from '../store/withLock.ts'
import { attemptDownload, type Attempt } from './attemptDownload.ts'
import type { Send } from './downloadRequests.ts'
import { readDownload, readOutbox } from './outbox.ts'
import { applyRetention } from './outboxRetention.ts'

export interface Sender {
  /** Sends whatever is due. Safe to call from anywhere, any number of times. */
  wake: () => void
  /** The same, and what failed with the connection is due as well: there is reason to believe that it is back. */
  wakeOnReconnect: () => void
  stop: () => void
}

export interface SenderPorts {
  send: Send
  /** Told once the file is on the device. */
  onReady?: (filename: string) => void
}

/** Never busier than this, however soon a row says it is due. */
const BREATH_MS = 500

/** A login makes a new sender. This one only asks in case it was missed. */
const LOGIN_MISSED_MS = 60_000

/**
 * The one sender of a user's queue: the work runs inside a Web Lock, so that of many tabs exactly one sends, and a killed tab
 * hands over by dying. Send, confirm, then change the row: a crash at any point repeats an attempt, never loses one.
 */
export function startSender(owner: string, { send, onReady }: SenderPorts): Sender {
  const stopped = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDraining = false
  let reconnectedMeanwhile = false
  const isStopped = () => stopped.signal.aborted
  const run = (reconnected: boolean) => {
    // What is on its way may have been sent before the connection was back, and would wait for its time.
    if (isDraining) reconnectedMeanwhile ||= reconnected
    else if (!isStopped())
      void withFreeLock(`outbox-${owner}`, (locked) => drainOnce(locked, reconnected)).catch(() => undefined)
  }
  const drainOnce = async (locked: boolean, reconnected: boolean) => {
    isDraining = true
    await drain(locked, reconnected).finally(() => (isDraining = false))
    if (!reconnectedMeanwhile) return
    reconnectedMeanwhile = false
    setTimeout(() => run(true))
  }
  /** Round after round: what was queued during one is sent by the next. */
  const drain = async (locked: boolean, reconnected: boolean) => {
    const store = userStore(owner)
    let rows = await beginRound(store, locked, reconnected)
    let next: Attempt['next'] = 'goOn'
    for (let due = dueRows(rows); next === 'goOn' && due.length > 0; due = dueRows(rows)) {
      next = await sendRound(store, due)
      if (isStopped()) return
      rows = await beginRound(store, locked, false)
    }
    clearTimeout(timer)
    const dueAt = nextDueAt(rows)
    if (dueAt === undefined || isStopped()) return
    timer = setTimeout(
      () => run(false),
      Math.max(dueAt - Date.now(), next === 'waitForLogin' ? LOGIN_MISSED_MS : BREATH_MS),
    )
  }
  const sendRound = async (store: UserDatabase, due: OutboxRow[]): Promise<Attempt['next']> => {
    for (const { id } of due) {
      // Discarded or put off since the round began.
      const row = await readDownload(store, id)
      if (!row || !isDue(row)) continue
      if (isStopped()) return 'wait'
      const { next, ready } = await attemptDownload(store, row, send, stopped.signal)
      if (ready !== undefined) onReady?.(ready)
      if (next !== 'goOn') return next
    }
    return 'goOn'
  }
  const stop = () => {
    stopped.abort()
    clearTimeout(timer)
  }
  return { wake: () => run(false), wakeOnReconnect: () => run(true), stop }
}

/**
 * The rows as they are, in order again: what a dead tab left half sent waits, and what must go has gone. Whoever holds the lock
 * knows that no one else is sending; without locks only a run-out lease says so.
 */
function beginRound(store: UserDatabase, locked: boolean, reconnected: boolean): Promise<OutboxRow[]> {
  const correction = ({ state, leaseUntil, lineFault }: OutboxRow): Partial<OutboxRow> | undefined => {
    if (state === 'sending') return locked || leaseUntil < Date.now() ? { state: 'waiting', received: 0 } : undefined
    return state === 'waiting' && reconnected && lineFault ? { nextAt: 0 } : undefined
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

function nextDueAt(rows: readonly OutboxRow[]): number | undefined {
  const times = rows.filter(({ state }) => state === 'waiting').map(({ nextAt }) => nextAt)
  return times.length > 0 ? Math.min(...times) : undefined
}

let sender: Sender | undefined

/** The queue of whoever is signed in; called again it changes hands, and with no owner it rests. */
export function serveOutbox(owner: string | undefined, ports: SenderPorts): void {
  sender?.stop()
  sender = owner === undefined ? undefined : startSender(owner, ports)
  wakeOutbox()
}

/** Sends what is due: at the start, on "Try now". */
export const wakeOutbox = (): void => sender?.wake()

/** The connection returned, or the tab is seen again: what failed with it does not wait for its time (offline 76). */
export const wakeOutboxOnReconnect = (): void => sender?.wakeOnReconnect()
