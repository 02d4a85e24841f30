export interface Rate {
  perSecond: number
  p50: number
  /** Milliseconds. */
  p99: number
}

/** Rate and percentiles of finished calls, each given in milliseconds. */
export function rateOf(latencies: number[], seconds: number): Rate {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { perSecond: latencies.length / seconds, p50: at(0.5), p99: at(0.99) }
}

/** The run in the middle of a series by rate: one burst of another process must not decide. */
export function medianRate<R extends Rate>(runs: R[]): R {
  const middle = runs.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(runs.length / 2)]
  if (!middle) throw new Error('a series needs at least one run')
  return middle
}

/** Other processes only ever add to the time of a single call, so the least disturbed run says most. */
export function quietest<R extends Rate>(runs: R[]): R {
  const [best] = runs.toSorted((a, b) => a.p50 - b.p50)
  if (!best) throw new Error('a series needs at least one run')
  return best
}

/** Keeps `inFlight` calls going for `seconds`. */
export async function callLoad(
  inFlight: number,
  seconds: number,
  call: (lane: number) => Promise<void>,
): Promise<Rate> {
  const latencies: number[] = []
  const started = performance.now()
  const deadline = started + seconds * 1_000
  const lane = async (_: unknown, number: number) => {
    while (performance.now() < deadline) {
      const askedAt = performance.now()
      await call(number)
      latencies.push(performance.now() - askedAt)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  return rateOf(latencies, (performance.now() - started) / 1_000)
}
