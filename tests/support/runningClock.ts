export interface RunningClock {
  now(): Date
  /** Moves the clock on by milliseconds; it keeps running. */
  advance(milliseconds: number): void
  /** Back to the time of the wall. */
  reset(): void
}

/** The wall clock with an offset, for browser tests: the browser's own clock runs too, so a fixed one would drift away from it. */
export function runningClock(): RunningClock {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    advance(milliseconds) {
      offset += milliseconds
    },
    reset() {
      offset = 0
    },
  }
}
