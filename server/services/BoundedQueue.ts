import { SERVER_BUSY, type Refusal } from './Refusal.ts'

export interface Limits {
  /** Pieces of work that are done at one time; unset: any number. */
  atOnce?: number
  /** How many of them may be of one key. */
  ofOneKey?: number
  /** How many may wait for a place, of all keys together. */
  waiting: number
  /** Nobody waits longer: by then who asked gives up. Unset: as long as it takes. */
  longestMs?: number
  /** The refusal that is thrown where there is no room. */
  refusal?: Refusal
}

interface Asking {
  /** The owner of the work. Keys take turns, so a key with much work does not hold up the others. */
  key?: string
  /** Says whether the caller has gone. */
  isGone?: () => boolean
}

interface Waiting {
  isGone: () => boolean
  go: () => void
  drop: () => void
}

/** How long the next place is believed to take, until it was measured. */
const FIRST_MS = 10
/**
 * It is measured over so many places. That it takes less is believed at once, that it takes longer by a tenth each time: in the seconds of
 * a rush, it is refusing that takes the time.
 */
const MEASURED = 100
const SLOWER = 1.1
/** Nobody is sent away for longer. A device adds up to a tenth by chance (src/offline/backoff.ts). */
const MOST_SECONDS = 60

/**
 * Work of which only so much is done at one time. More of it waits in fair order: the first of a key first, and key after key. What
 * finds no room, or waits too long, is refused.
 */
export class BoundedQueue {
  readonly #limits: Limits
  readonly #running = new Map<string, number>()
  #runningCount = 0
  /** By key, in the order of their turns. A key for which nobody waits is not there. */
  readonly #waiting = new Map<string, Set<Waiting>>()
  #waitingCount = 0
  /** From one place that came free to the next, while somebody waited. */
  #msEach = FIRST_MS
  /** Since when places have come free that somebody waited for, and how many; undefined while nobody waits. */
  #freed: { since: number; count: number } | undefined
  /** When the last of those who were refused is to be back. */
  #lastBackAt = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Does `work` in its turn. Throws the queue's refusal, without the work, where there is no room or it was not begun in time. */
  async run<T>(work: () => T | Promise<T>, asking?: Asking): Promise<T> {
    const leave = await this.take(asking)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /** A place for work that outlasts this call. What it answers gives the place back, and may be called again. Throws like `run`. */
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

  /** For work that is not even to be prepared where it would be refused. */
  refuseWhenFull(key = ''): void {
    if (this.isFull(key)) throw this.#refusal()
  }

  isFull(key = ''): boolean {
    return this.#waitingCount >= this.#limits.waiting && !this.#hasPlace(key)
  }

  /** Counts the work that runs and the work that waits. */
  state(): { running: number; waiting: number } {
    return { running: this.#runningCount, waiting: this.#waitingCount }
  }

  /**
   * In how many seconds one who was refused is to come again. Each gets a turn of its own: the more were refused, the further they are
   * spread. With one time for all, all would come back as they came.
   */
  turnOfRefused(now = performance.now()): number {
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

  /** A place is taken before anybody goes on: nobody can slip in between. */
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
        // Its next turn comes after those of all others, which this loop has not seen yet.
        if (ofKey.size > 0) {
          this.#waiting.delete(key)
          this.#waiting.set(key, ofKey)
        }
        break
      }
    }
  }
}
