/** How many a second are let in, until it was measured, and at least. */
const FIRST_RATE = 100
const LEAST_RATE = 10
/** Of the rate that was believed, when less was measured: the first seconds of a rush are spent on refusing it. */
const MEMORY = 0.9
const WINDOW_MS = 1_000
/** Nobody is sent away for longer. */
const MOST_SECONDS = 90
/** Each is told a time around its turn, by chance a quarter more or less. */
const CHANCE = 1 / 4

/**
 * Those who were refused and told to come back. They get times one after the other, as many a second as the server has shown that it
 * can take: the more were refused, the further they are spread. With one time for all, all would come back as they came.
 */
export class Crowd {
  readonly #now: () => number
  readonly #random: () => number
  #rate = FIRST_RATE
  #window = { since: 0, served: 0, refused: 0 }
  /** When the last of them is to be back, in the clock's milliseconds. */
  #lastAt = 0

  constructor(now: () => number = () => performance.now(), random: () => number = Math.random) {
    this.#now = now
    this.#random = random
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
    return Math.round(least + turn * (1 - CHANCE + 2 * CHANCE * this.#random()))
  }

  /** What was served says what can be served only while somebody was refused. */
  #turnWindow(): number {
    const now = this.#now()
    const { since, served, refused } = this.#window
    if (now - since < WINDOW_MS) return now
    if (refused > 0) {
      const measured = (served * 1_000) / (now - since)
      this.#rate = Math.max(LEAST_RATE, measured, MEMORY * this.#rate + (1 - MEMORY) * measured)
    }
    this.#window = { since: now, served: 0, refused: 0 }
    return now
  }
}
