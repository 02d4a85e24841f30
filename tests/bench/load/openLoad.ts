import { setTimeout as sleep } from 'node:timers/promises'
import type { KeptConnections } from '../KeptConnections.ts'

export interface OpenLoad {
  connections: KeptConnections
  /** One after the other, without a pause. */
  steps: { perSecond: number; seconds: number }[]
  nextRequest: () => { kind: string; text: string }
}

export interface Answered {
  kind: string
  /** `200`, `503 SERVER_BUSY`, or what happened in the place of an answer: `ECONNRESET`, `closed`, `silent`. */
  status: string
  /** When it was due, in seconds from the start of the load. */
  at: number
  /** Milliseconds from then on. */
  ms: number
  /** Of them, how many passed before it was sent: more than a few, and the machine was too busy for the load itself. */
  late: number
}

/** The generator is never behind by more than this and what the machine keeps it waiting. */
const TICK_MS = 2

/**
 * Asks at given rates, like people who do not know of each other: a server that falls behind is asked no less. Times count from
 * when a request was due, so a busy machine that sends it late hides nothing. Resolves when the last one has its answer.
 */
export async function openLoad({ connections, steps, nextRequest }: OpenLoad): Promise<Answered[]> {
  const underWay: Promise<Answered>[] = []
  const started = performance.now()
  const sinceDue = (at: number) => performance.now() - started - at * 1_000
  const ask = async (at: number): Promise<Answered> => {
    const { kind, text } = nextRequest()
    const late = sinceDue(at)
    return { kind, status: await connections.ask(text), at, late, ms: sinceDue(at) }
  }
  let begins = 0
  for (const { perSecond, seconds } of steps) {
    for (let n = 0; n < perSecond * seconds; n += 1) {
      const at = begins + n / perSecond
      while (sinceDue(at) < 0) await sleep(TICK_MS)
      underWay.push(ask(at))
    }
    begins += seconds
  }
  return Promise.all(underWay)
}
