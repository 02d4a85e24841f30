import { SERVER_BUSY, type Refusal } from './Refusal.ts'

export interface Limits {
  /** The number of tasks that may run at the same time. Without it, any number. */
  atOnce?: number
  /** The number of tasks of one key that may run at the same time. Without it, any number. */
  ofOneKey?: number
  /** The number of tasks of all keys together that may wait for a place. */
  waiting: number
  /** The longest wait in milliseconds: after it, the caller has given up anyway. Without it, no limit. */
  longestMs?: number
  /** The refusal thrown when there is no room. */
  refusal?: Refusal
}

interface PlaceRequest {
  /** The owner of the task. Keys take turns, so a key with many tasks does not hold up the others. */
  key?: string
  /** True when the caller has hung up. */
  isGone?: () => boolean
}

interface Waiting {
  isGone: () => boolean
  go: () => void
  drop: () => void
}

/** The milliseconds between two freed places that are assumed before anything is measured. */
const ASSUMED_MS = 10
/**
 * The number of freed places over which the time is averaged. A shorter average counts at once. A longer one raises the time by a tenth at most,
 * because in a rush most of the time goes into refusing.
 */
const MEASURED_PLACES = 100
const MAX_SLOWDOWN = 1.1
/** The longest time for which a refused caller is sent away. A device adds a random tenth at most (src/offline/backoff.ts). */
const MAX_RETRY_SECONDS = 60

/**
 * Runs a limited number of tasks at the same time. Other tasks wait in a fair order: keys take turns, and the oldest task of a key goes first. A task
 * that finds no room, or waits too long, is refused.
 */
export class BoundedQueue {
  readonly #limits: Limits
  readonly #running = new Map<string, number>()
  #runningCount = 0
  /** The waiting tasks by key, in the order of the turns. A key without waiting tasks is not in the map. */
  readonly #waiting = new Map<string, Set<Waiting>>()
  #waitingCount = 0
  /** The average milliseconds between two freed places while tasks waited. */
  #msPerPlace = ASSUMED_MS
  /** The start of the measurement, and the number of places freed since then. Undefined while no task waits. */
  #freed: { since: number; count: number } | undefined
  /** The latest time at which a refused caller was told to come back. */
  #lastBackAt = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Does `work` in its turn. Throws the queue's refusal, without doing the work, when there is no room or the wait was too long. */
  async run<T>(work: () => T | Promise<T>, request?: PlaceRequest): Promise<T> {
    const freePlace = await this.take(request)
    try {
      return await work()
    } finally {
      freePlace()
    }
  }

  /**
   * Takes a place for work that outlasts this call. Returns a function that gives the place back; calling it again does nothing. Throws like `run`.
   */
  async take({ key = '', isGone = () => false }: PlaceRequest = {}): Promise<() => void> {
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
   * Returns the seconds after which a refused caller should come again. Each caller gets a later time than the one before, so that they do not all
   * come back together.
   */
  secondsUntilRetry(now = performance.now()): number {
    const turn = Math.max(now, this.#lastBackAt) + this.#msPerPlace
    this.#lastBackAt = Math.min(turn, now + MAX_RETRY_SECONDS * 1_000)
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
    if (this.#freed.count < MEASURED_PLACES) return
    this.#msPerPlace = Math.min((now - this.#freed.since) / MEASURED_PLACES, MAX_SLOWDOWN * this.#msPerPlace)
    this.#freed = { since: now, count: 0 }
  }

  #wait(key: string, { go, drop, isGone }: Waiting): void {
    const { longestMs } = this.#limits
    const ofKey = this.#waiting.get(key) ?? new Set()
    const timer =
      longestMs === undefined
        ? undefined
        : setTimeout(() => {
            this.#remove(key, ofKey, entry)
            drop()
          }, longestMs)
    const entry: Waiting = { go: () => (clearTimeout(timer), go()), drop: () => (clearTimeout(timer), drop()), isGone }
    this.#waiting.set(key, ofKey.add(entry))
    this.#waitingCount += 1
  }

  #remove(key: string, ofKey: Set<Waiting>, entry: Waiting): void {
    ofKey.delete(entry)
    this.#waitingCount -= 1
    if (ofKey.size === 0) this.#waiting.delete(key)
  }

  /** Gives free places to waiting tasks. Each task takes its place before it goes on, so that no other task can slip in between. */
  #fillPlaces(): void {
    for (const [key, ofKey] of this.#waiting) {
      if (this.#runningCount >= (this.#limits.atOnce ?? Infinity)) return
      for (const entry of ofKey) {
        if (!this.#hasPlace(key)) break
        this.#remove(key, ofKey, entry)
        if (entry.isGone()) {
          entry.drop()
          continue
        }
        this.#begin(key)
        entry.go()
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
