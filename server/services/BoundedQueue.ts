import { SERVER_BUSY, type Refusal } from './Refusal.ts'

export interface Limits {
  /** The number of pieces of work done at the same time; without it, any number. */
  atOnce?: number
  /** The number of pieces done at the same time for one key; without it, any number. */
  ofOneKey?: number
  /** The number that may wait for a place, for all keys together. */
  waiting: number
  /** The longest wait in milliseconds, after which the caller has given up anyway. Without it, no limit. */
  longestMs?: number
  /** The refusal thrown when there is no room. */
  refusal?: Refusal
}

interface Asking {
  /** The owner of the work. Keys take turns, so a key with much work does not hold up the others. */
  key?: string
  /** True when the caller has hung up. */
  isGone?: () => boolean
}

interface Waiting {
  isGone: () => boolean
  go: () => void
  drop: () => void
}

/** The assumed milliseconds until the next place comes free, before anything is measured. */
const FIRST_MS = 10
/**
 * The time is averaged over MEASURED places. A shorter average counts at once. A longer one adds at most a tenth each time, because in a rush most of
 * the time goes into refusing.
 */
const MEASURED = 100
const SLOWER = 1.1
/** The longest time a refused caller is sent away for. A device adds up to a tenth by chance (src/offline/backoff.ts). */
const MOST_SECONDS = 60

/**
 * Does a limited amount of work at the same time. More work waits in a fair order: keys take turns, and the oldest of a key goes first. Work that
 * finds no room, or waits too long, is refused.
 */
export class BoundedQueue {
  readonly #limits: Limits
  readonly #running = new Map<string, number>()
  #runningCount = 0
  /** By key, in the order of their turns. A key without waiting work is not in the map. */
  readonly #waiting = new Map<string, Set<Waiting>>()
  #waitingCount = 0
  /** Milliseconds between two places coming free while work waited. */
  #msEach = FIRST_MS
  /** The start and the count of places that came free while work waited; undefined while no work waits. */
  #freed: { since: number; count: number } | undefined
  /** The time when the last of the refused callers should come back. */
  #lastBackAt = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Does `work` in its turn. Throws the queue's refusal, without doing the work, when there is no room or the wait was too long. */
  async run<T>(work: () => T | Promise<T>, asking?: Asking): Promise<T> {
    const leave = await this.take(asking)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /**
   * Takes a place for work that outlasts this call. Returns a function that gives the place back; calling it again does nothing. Throws like `run`.
   */
  async take({ key = '', isGone = () => false }: Asking = {}): Promise<() => void> {
    if (!this.#hasPlace(key)) {
      this.refuseWhenFull(key)
      await new Promise<void>((go, drop) => this.#wait(key, { go, drop: () => drop(this.#refusal()), isGone }))
    } else this.#begin(key)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#end(key)
    }
  }

  /** Throws the queue's refusal when there is no room. Call it before preparing expensive work. */
  refuseWhenFull(key = ''): void {
    if (this.isFull(key)) throw this.#refusal()
  }

  isFull(key = ''): boolean {
    return this.#waitingCount >= this.#limits.waiting && !this.#hasPlace(key)
  }

  state(): { running: number; waiting: number } {
    return { running: this.#runningCount, waiting: this.#waitingCount }
  }

  /**
   * Returns the seconds after which a refused caller should come again. Each caller gets a different time: the more are refused, the further they are
   * spread. With the same time for all, they would all come back together.
   */
  secondsUntilRetry(now = performance.now()): number {
    const turn = Math.max(now, this.#lastBackAt) + this.#msEach
    this.#lastBackAt = Math.min(turn, now + MOST_SECONDS * 1_000)
    return (this.#lastBackAt - now) / 1_000
  }

  #refusal(): Refusal {
    return this.#limits.refusal ?? SERVER_BUSY
  }

  #hasPlace(key: string): boolean {
    const { atOnce = Infinity, ofOneKey = Infinity } = this.#limits
    return this.#runningCount < atOnce && (this.#running.get(key) ?? 0) < ofOneKey
  }

  #begin(key: string): void {
    this.#runningCount += 1
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1)
  }

  #end(key: string): void {
    this.#runningCount -= 1
    const left = this.#running.get(key)! - 1
    if (left > 0) this.#running.set(key, left)
    else this.#running.delete(key)
    this.#measure(performance.now())
    this.#fillPlaces()
  }

  #measure(now: number): void {
    if (this.#waitingCount === 0) {
      this.#freed = undefined
      return
    }
    this.#freed ??= { since: now, count: -1 }
    this.#freed.count += 1
    if (this.#freed.count < MEASURED) return
    this.#msEach = Math.min((now - this.#freed.since) / MEASURED, SLOWER * this.#msEach)
    this.#freed = { since: now, count: 0 }
  }

  #wait(key: string, { go, drop, isGone }: Waiting): void {
    const { longestMs } = this.#limits
    const ofKey = this.#waiting.get(key) ?? new Set()
    const timer =
      longestMs === undefined
        ? undefined
        : setTimeout(() => {
            this.#remove(key, ofKey, one)
            drop()
          }, longestMs)
    const one: Waiting = { go: () => (clearTimeout(timer), go()), drop: () => (clearTimeout(timer), drop()), isGone }
    this.#waiting.set(key, ofKey.add(one))
    this.#waitingCount += 1
  }

  #remove(key: string, ofKey: Set<Waiting>, one: Waiting): void {
    ofKey.delete(one)
    this.#waitingCount -= 1
    if (ofKey.size === 0) this.#waiting.delete(key)
  }

  /** Gives free places to waiting work. A place is taken before its work goes on, so that no other work can slip in between. */
  #fillPlaces(): void {
    for (const [key, ofKey] of this.#waiting) {
      if (this.#runningCount >= (this.#limits.atOnce ?? Infinity)) return
      for (const one of ofKey) {
        if (!this.#hasPlace(key)) break
        this.#remove(key, ofKey, one)
        if (one.isGone()) {
          one.drop()
          continue
        }
        this.#begin(key)
        one.go()
        // Puts the key behind all others, including those that this loop has not reached yet.
        if (ofKey.size > 0) {
          this.#waiting.delete(key)
          this.#waiting.set(key, ofKey)
        }
        break
      }
    }
  }
}
