import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import type { Database } from '../db/engine/Database.ts'
import { Lanes } from '../services/Lanes.ts'
import type { Batches } from '../services/redemptions/batches.ts'
import { SERVER_BUSY } from '../services/Refusal.ts'

/**
 * Who is let in before whom. `counter`: somebody stands there and waits; also the refresh of a session. `others`: portals.
 * `uploads`: what waits on tills; nobody stands there, the voucher is held for the till, and it comes again by itself.
 * `signs of life`: a busy server is exactly what these are asked about.
 */
export type Lane = 'signs of life' | 'counter' | 'others' | 'uploads'

/**
 * How long calls may wait for the database, or for their turn in the next batch, before new ones are refused; a call waits several times. Beyond that more is asked than
 * can be answered: a longer queue costs as much, and everybody would wait until they give up. A short rush stays below it and simply
 * waits. Counters and refreshes of a session are refused last, when most of the queue is theirs, and never because of merchants'
 * portals: a redemption has other connections than a dashboard (decision 0042).
 */
const LONGEST_WAIT_MS = { counter: 750, others: 100, uploads: 50 }

/** Uploads that are carried out at one time: a counter waits behind as many rows as they have. */
const UPLOADS_AT_ONCE = 8

/**
 * Uploads that wait for one of these places, two seconds' work of a small server: they come by chance, now more and now fewer, and
 * each that is sent away for it costs another request, and its till a minute.
 */
const UPLOADS_WAITING = 600

const SIGNS_OF_LIFE: readonly Endpoint[] = [ENDPOINTS['system.health'], ENDPOINTS['system.ready']]

/** `backlog`: the caller says that nobody waits at a counter. */
export function laneOf(endpoint: Endpoint, backlog = false): Lane {
  if (SIGNS_OF_LIFE.includes(endpoint)) return 'signs of life'
  const { access, lane } = endpoint
  if (lane === 'till') return backlog ? 'uploads' : 'counter'
  const isUrgent = typeof access === 'string' ? access === 'expired token' : access.feature === 'counter'
  return isUrgent ? 'counter' : 'others'
}

/** What a busy server does with a call before anything was done for it, and when those it refuses are to come again. */
export class Admission {
  readonly #database: Pick<Database, 'longestWaitMs' | 'writability'>
  readonly #batches: Pick<Batches, 'longestWaitMs'>
  readonly #crowds = { counter: new Crowd(), others: new Crowd(), uploads: new Crowd() }
  readonly #uploads = new Lanes({ uploads: { atOnce: UPLOADS_AT_ONCE, waiting: UPLOADS_WAITING } })

  constructor(database: Pick<Database, 'longestWaitMs' | 'writability'>, batches: Pick<Batches, 'longestWaitMs'>) {
    this.#database = database
    this.#batches = batches
  }

  /**
   * Throws Refusal SERVER_BUSY, before anything was read of the call. While commits are not possible, or wait for a standby that is
   * away, a write would only keep a connection from those who read.
   */
  refuseWhenBusy({ method }: Pick<Endpoint, 'method'>, lane: Lane): void {
    const { longestWaitMs, writability } = this.#database
    if (method !== 'GET' && writability() !== 'writable') throw SERVER_BUSY
    if (lane === 'signs of life') return
    const waits = lane === 'others' ? longestWaitMs() : Math.max(longestWaitMs('portal'), this.#batches.longestWaitMs())
    if (waits >= LONGEST_WAIT_MS[lane]) throw SERVER_BUSY
    if (lane === 'uploads') this.#uploads.refuseWhenFull(lane)
  }

  /**
   * Does `work` in its lane; throws Refusal SERVER_BUSY as above, and for an upload that waits while `isGone` says that its till has
   * hung up. A call takes its place once it is read: slow senders keep none.
   */
  async carryOut<T>(lane: Lane, work: () => T | Promise<T>, isGone: () => boolean): Promise<T> {
    if (lane === 'signs of life') return work()
    const result = await (lane === 'uploads' ? this.#uploads.carryOut(lane, work, isGone) : work())
    this.#crowds[lane].served()
    return result
  }

  /**
   * Whole seconds for the Retry-After of a call of this lane that has to wait `least`. In a rush many have given up before their turn
   * came, which shows in the next turn of the event loop at the latest. A time that nobody hears would stay empty.
   */
  async comeBackIn(lane: Lane, least: number, isGone: () => boolean): Promise<number> {
    if (lane === 'signs of life') return least
    await nextTurn()
    await nextTurn()
    return isGone() ? least : this.#crowds[lane].comeBackIn(least)
  }
}

/** How many a second a quiet server serves, until it was measured, and at least. */
const FIRST_RATE = 120
const LEAST_RATE = 10
/**
 * Of the rate that was believed, when less was measured. A second in which many times more were refused than served was spent on
 * refusing, and says next to nothing of what can be served.
 */
const MEMORY = { refusing: 0.995, serving: 0.9 }
/** More than this many refused for each one served: then the window was one of refusing. */
const REFUSING = 4
const WINDOW_MS = 1_000
/** Of the rate of quieter seconds: new connections and refusals take the rest. Called back faster, half had to come a third time. */
const IN_A_RUSH = 0.9
/** Nobody is sent away for longer. A device adds up to a tenth by chance (src/offline/backoff.ts). */
const MOST_SECONDS = 80

/**
 * Those who were refused and told to come back. They get times one after the other, as many a second as the server has shown that it
 * can take: the more were refused, the further they are spread. With one time for all, all would come back as they came.
 */
export class Crowd {
  readonly #now: () => number
  #rate = FIRST_RATE
  #window = { since: 0, served: 0, refused: 0 }
  /** When the last of them is to be back, in the clock's milliseconds. */
  #lastAt = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  served(): void {
    this.#turnWindow()
    this.#window.served += 1
  }

  /** Whole seconds, `least` where nobody else waits. */
  comeBackIn(least: number): number {
    const now = this.#turnWindow()
    this.#window.refused += 1
    this.#lastAt = Math.max(now, this.#lastAt) + 1_000 / (IN_A_RUSH * this.#rate)
    const turn = Math.min((this.#lastAt - now) / 1_000, MOST_SECONDS)
    return Math.round(least + turn)
  }

  /** What was served can be served again. That no more can be, only those say who were refused. */
  #turnWindow(): number {
    const now = this.#now()
    const { since, served, refused } = this.#window
    if (now - since < WINDOW_MS) return now
    const measured = (served * 1_000) / (now - since)
    const memory = refused > REFUSING * served ? MEMORY.refusing : MEMORY.serving
    const believed = refused > 0 ? memory * this.#rate + (1 - memory) * measured : this.#rate
    this.#rate = Math.max(LEAST_RATE, measured, believed)
    this.#window = { since: now, served: 0, refused: 0 }
    return now
  }
}
