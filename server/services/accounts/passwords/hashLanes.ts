import { availableParallelism } from 'node:os'
import { serverBusy } from '../../Refusal.ts'

/**
 * Who a hash is made for. `counter`: a PIN, or a login of a device that has signed in before. `signed in`: whoever has shown a
 * session or a link. `strangers`: anybody.
 */
export type Lane = 'counter' | 'signed in' | 'strangers'

/** As many threads as Node has for such work. Each hash takes 19 MiB and a core: more would only make all of them slower. */
const AT_ONCE = 4

/** Strangers leave half of the cores to everybody else, and wait for a second at most: behind more they would have hung up. */
const LIMITS: Record<Lane, { atOnce: number; waiting: number }> = {
  counter: { atOnce: AT_ONCE, waiting: 200 },
  'signed in': { atOnce: 2, waiting: 200 },
  strangers: { atOnce: Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2))), waiting: 20 },
}

/** A free place goes to the first of these that wants it. */
const ORDER = ['counter', 'signed in', 'strangers'] as const satisfies Lane[]

interface Waiting {
  go: () => void
  drop: (reason: unknown) => void
  isGone: () => boolean
}

const waiting: Record<Lane, Waiting[]> = { counter: [], 'signed in': [], strangers: [] }
const running: Record<Lane, number> = { counter: 0, 'signed in': 0, strangers: 0 }

const hasPlace = (lane: Lane) =>
  running[lane] < LIMITS[lane].atOnce && ORDER.reduce((sum, one) => sum + running[one], 0) < AT_ONCE

/** Throws Refusal SERVER_BUSY where no more may wait, once those who have hung up are out of the queue. */
export function refuseWhenFull(lane: Lane): void {
  if (waiting[lane].length < LIMITS[lane].waiting) return
  const [gone, there] = [[] as Waiting[], [] as Waiting[]]
  for (const one of waiting[lane]) (one.isGone() ? gone : there).push(one)
  waiting[lane] = there
  for (const { drop } of gone) drop(serverBusy())
  if (there.length >= LIMITS[lane].waiting) throw serverBusy()
}

/** Runs `hash` in its turn. Throws Refusal SERVER_BUSY without it when the lane is full, or `isGone` says that nobody waits any more. */
export async function inLane<T>(lane: Lane, hash: () => Promise<T>, isGone = () => false): Promise<T> {
  if (hasPlace(lane)) running[lane] += 1
  else {
    refuseWhenFull(lane)
    await new Promise<void>((go, drop) => waiting[lane].push({ go, drop, isGone }))
  }
  try {
    return await hash()
  } finally {
    running[lane] -= 1
    fillPlaces()
  }
}

/** The place is taken before anybody goes on: nobody can slip in between. */
function fillPlaces(): void {
  for (const lane of ORDER) {
    while (hasPlace(lane)) {
      const next = waiting[lane].shift()
      if (!next) break
      if (next.isGone()) next.drop(serverBusy())
      else {
        running[lane] += 1
        next.go()
      }
    }
  }
}

/** How many hashes of each lane are made and wait at this moment. */
export const laneStates = () => ORDER.map((lane) => ({ lane, running: running[lane], waiting: waiting[lane].length }))
