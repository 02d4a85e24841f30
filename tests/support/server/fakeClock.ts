type Unit = 'seconds' | 'minutes' | 'hours' | 'days'

/** Returns a clock that stands still until a test moves it. */
export function fakeClock(start: string | Date = '2026-11-21T02:00:00.000Z') {
  let now = new Date(start)
  return {
    now: () => new Date(now),
    set: (at: string | Date) => {
      now = new Date(at)
    },
    advance({ seconds = 0, minutes = 0, hours = 0, days = 0 }: Partial<Record<Unit, number>>) {
      now = new Date(now.getTime() + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000)
    },
  }
}
