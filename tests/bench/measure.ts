import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Rate {
  perSecond: number
  p50: number
  /** In milliseconds. */
  p99: number
}

/** Rate and percentiles of finished calls; `latencies` are in milliseconds. */
export function rateOf(latencies: number[], seconds: number): Rate {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { perSecond: latencies.length / seconds, p50: at(0.5), p99: at(0.99) }
}

/** The time within which 99 of 100 calls end. */
export const p99Of = (latencies: number[]): number => rateOf(latencies, 1).p99

/** Measures several things in turn, so that a drift of the machine hits all of them. */
export async function inTurns<T extends object>(
  runs: number,
  measures: { [N in keyof T]: () => Promise<T[N]> },
): Promise<{ [N in keyof T]: T[N][] }> {
  const names = Object.keys(measures) as (keyof T)[]
  const measured = Object.fromEntries(names.map((name) => [name, []])) as unknown as { [N in keyof T]: T[N][] }
  for (let run = 0; run < runs; run += 1) {
    for (const name of names) measured[name].push(await measures[name]())
  }
  return measured
}

export const repeated = async <T>(runs: number, measure: () => Promise<T>): Promise<T[]> =>
  (await inTurns(runs, { measure })).measure

/** The run with the median rate: one burst of another process must not decide. */
export function medianRate<R extends Rate>(runs: R[]): R {
  const middle = runs.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(runs.length / 2)]
  if (!middle) throw new Error('a series needs at least one run')
  return middle
}

/** The run with the shortest times: other processes only ever add to the time of a single call. */
export function quietest<R extends Rate>(runs: R[]): R {
  const [best] = runs.toSorted((a, b) => a.p50 - b.p50)
  if (!best) throw new Error('a series needs at least one run')
  return best
}

/** Keeps `inFlight` calls going for `seconds`. A call that answers `false` is not counted. */
export async function callLoad(
  inFlight: number,
  seconds: number,
  call: (lane: number) => Promise<unknown>,
): Promise<Rate> {
  const latencies: number[] = []
  const started = performance.now()
  const deadline = started + seconds * 1_000
  const lane = async (_: unknown, number: number) => {
    while (performance.now() < deadline) {
      const askedAt = performance.now()
      if ((await call(number)) !== false) latencies.push(performance.now() - askedAt)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  return rateOf(latencies, (performance.now() - started) / 1_000)
}

const BUSY_SHARE = 0.1
const WINDOW_MS = 500
const PATIENCE_MS = 30_000

function ticks(): { all: number; idle: number } {
  const times = cpus().map((cpu) => cpu.times)
  const sum = (of: (time: (typeof times)[number]) => number) => times.reduce((total, time) => total + of(time), 0)
  return { all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq), idle: sum(({ idle }) => idle) }
}

/** Waits until no other process uses the processor, but not for ever: a burst of another process would spoil the result. */
export async function waitForQuietMachine(): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const before = ticks()
    await sleep(WINDOW_MS)
    const after = ticks()
    const busy = 1 - (after.idle - before.idle) / (after.all - before.all)
    if (busy < BUSY_SHARE || Date.now() > deadline) return
  }
}
