/** How many a second are let in, until it was measured, and at least. */
const FIRST_RATE = 100
const LEAST_RATE = 10
/**
 * Of the rate that was believed, when less was measured. A second in which many times more were refused than served was spent on
 * refusing, and says next to nothing of what can be served.
 */
const MEMORY = { refusing: 0.995, serving: 0.9 }
/** More than this many refused for each one served: then the window was one of refusing. */
const REFUSING = 4
const WINDOW_MS = 1_000
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
    this.#lastAt = Math.max(now, this.#lastAt) + 1_000 / this.#rate
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
