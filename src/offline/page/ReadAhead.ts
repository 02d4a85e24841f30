import type { CachedAnswer } from '../reads/cachedRead.ts'

/** As good as asked just now: a page of a list that stays open on a screen is often older. */
const YOUNG_MS = 30_000

type Load<T> = (signal: AbortSignal) => Promise<CachedAnswer<T>>

/**
 * Answers that were asked for before anybody went there, by the key of their question. In memory, for as long as a screen is
 * open: what is kept for offline lies in the database of the user.
 */
export class PrefetchCache<T> {
  #answers = new Map<string, CachedAnswer<T>>()
  #asking = new Map<string, AbortController>()

  /** What came for `key`, while it is young; the very same object each time. */
  young(key: string): CachedAnswer<T> | undefined {
    const answer = this.#answers.get(key)
    return answer && Date.now() - answer.asOf.getTime() < YOUNG_MS ? answer : undefined
  }

  /** Asks, unless it is there or on its way. One that fails leaves nothing behind: who goes there asks, and hears why. */
  async want(key: string, load: Load<T>): Promise<void> {
    if (this.young(key) || this.#asking.has(key)) return
    const controller = new AbortController()
    this.#asking.set(key, controller)
    const answer = await load(controller.signal).catch(() => undefined)
    // Another one is asking by now, when this was called off.
    if (controller.signal.aborted) return
    this.#asking.delete(key)
    if (answer) this.#answers.set(key, answer)
  }

  /** After a change none of it can be trusted, and what is on its way may have been answered before it. */
  forget(): void {
    for (const controller of this.#asking.values()) controller.abort()
    this.#asking.clear()
    this.#answers.clear()
  }
}
