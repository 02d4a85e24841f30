/** A clock that stands still until it is told to move. */
export interface FakeClock {
  now(): Date
  set(at: string | Date): void
  advance(by: { seconds?: number; minutes?: number; hours?: number; days?: number }): void
}

export function fakeClock(start: string | Date = '2026-11-21T02:00:00.000Z'): FakeClock {
  let now = new Date(start)
  return {
    now: () => new Date(now),
    set: (at) => {
      now = new Date(at)
    },
    advance({ seconds = 0, minutes = 0, hours = 0, days = 0 }) {
      now = new Date(now.getTime() + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000)
    },
  }
}
