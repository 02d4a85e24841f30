import { type Rate, rateOf } from './rate.ts'

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
