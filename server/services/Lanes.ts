import { SERVER_BUSY } from './Refusal.ts'

interface Limit {
  atOnce: number
  waiting: number
}

interface Waiting {
  go: () => void
  drop: (reason: unknown) => void
  isGone: () => boolean
}

interface Traffic extends Limit {
  running: number
  queue: Waiting[]
  /** Those who have hung up were looked for in this turn of the event loop. In a rush, to look for each who comes cost more than to refuse. */
  looked: boolean
}

/** Work of which only so much is done at one time: each lane has its limits, and a free place goes to the first lane that wants it. */
export class Lanes<Lane extends string> {
  readonly #lanes: Map<Lane, Traffic>
  readonly #atOnce: number

  /** `atOnce`: of all lanes together. */
  constructor(limits: Record<Lane, Limit>, atOnce = Infinity) {
    const entries = Object.entries(limits) as [Lane, Limit][]
    this.#lanes = new Map(entries.map(([lane, limit]) => [lane, { ...limit, running: 0, queue: [], looked: false }]))
    this.#atOnce = atOnce
  }

  /** Throws Refusal SERVER_BUSY where no more may wait, once those who have hung up are out of the queue. */
  refuseWhenFull(lane: Lane): void {
    const traffic = this.#lanes.get(lane)!
    if (traffic.queue.length >= traffic.waiting) dropGone(traffic)
    if (traffic.queue.length >= traffic.waiting) throw SERVER_BUSY
  }

  /** Does `work` in its turn. Throws Refusal SERVER_BUSY without it when the lane is full, or `isGone` says that nobody waits any more. */
  async carryOut<T>(lane: Lane, work: () => T | Promise<T>, isGone = () => false): Promise<T> {
    const traffic = this.#lanes.get(lane)!
    if (this.#hasPlace(traffic)) traffic.running += 1
    else {
      this.refuseWhenFull(lane)
      await new Promise<void>((go, drop) => traffic.queue.push({ go, drop, isGone }))
    }
    try {
      return await work()
    } finally {
      traffic.running -= 1
      this.#fillPlaces()
    }
  }

  /** How much of each lane is done and waits at this moment. */
  readonly states = (): { lane: Lane; running: number; waiting: number }[] =>
    [...this.#lanes].map(([lane, { running, queue }]) => ({ lane, running, waiting: queue.length }))

  #hasPlace({ running, atOnce }: Traffic): boolean {
    return running < atOnce && this.states().reduce((sum, lane) => sum + lane.running, 0) < this.#atOnce
  }

  /** The place is taken before anybody goes on: nobody can slip in between. */
  #fillPlaces(): void {
    for (const traffic of this.#lanes.values()) {
      while (this.#hasPlace(traffic)) {
        const next = traffic.queue.shift()
        if (!next) break
        if (next.isGone()) next.drop(SERVER_BUSY)
        else {
          traffic.running += 1
          next.go()
        }
      }
    }
  }
}

function dropGone(traffic: Traffic): void {
  if (traffic.looked) return
  traffic.looked = true
  setImmediate(() => (traffic.looked = false))
  const [gone, there] = [[] as Waiting[], [] as Waiting[]]
  for (const one of traffic.queue) (one.isGone() ? gone : there).push(one)
  traffic.queue = there
  for (const { drop } of gone) drop(SERVER_BUSY)
}
