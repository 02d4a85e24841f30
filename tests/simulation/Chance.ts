/** Random numbers from a seed, the same on each run. Mulberry32 is small, fast, and good enough for this. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = Math.trunc(seed) >>> 0
  }

  /** A number from 0 up to, but not including, 1. */
  readonly next = (): number => {
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  /** A random number, often small, sometimes large; `mean` on average. */
  around(mean: number): number {
    return -Math.log(1 - this.next()) * mean
  }

  happens(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!
  }

  /** One of the keys, with the given weights. */
  weighted<K extends string>(weights: Record<K, number>): K {
    const entries = Object.entries(weights) as [K, number][]
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [key, weight] of entries) if ((left -= weight) < 0) return key
    return entries.at(-1)![0]
  }

  /** A new generator; draws from this one do not change its numbers. */
  fork(): Chance {
    return new Chance(this.below(2 ** 32))
  }

  fill<T extends ArrayBufferView>(into: T): T {
    const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength)
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = this.below(256)
    return into
  }
}
