/** Who waits for something, and since when. Those who came first are served first. */
export class WaitQueue {
  readonly #since = new Set<{ at: number }>()

  /** What it answers is called once, when the wait is over. */
  enter(): () => void {
    const one = { at: performance.now() }
    this.#since.add(one)
    return () => void this.#since.delete(one)
  }

  /** How long the first of them has waited; 0 when nobody does. */
  longestMs(): number {
    for (const { at } of this.#since) return performance.now() - at
    return 0
  }
}
