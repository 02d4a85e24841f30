import { setTimeout as sleep } from 'node:timers/promises'
import { row, type Comparison } from '../comparison.ts'
import { callLoad, type Rate } from '../measure.ts'
import { KeptConnections, type Address } from './KeptConnections.ts'

interface ClosedLoad {
  /** Connections take turns with them. */
  servers: readonly Address[]
  connections: number
  seconds: number
  /** Headers and body, for the connection with this number. */
  nextRequest: (connection: number) => string
}

export interface HttpRate extends Rate {
  /** The statuses of answers other than 200, which no rate counts. */
  refused: string[]
}

/** Asks one request at a time on each connection, as soon as the one before is answered. */
export async function closedLoad({ servers, connections, seconds, nextRequest }: ClosedLoad): Promise<HttpRate> {
  const kept = servers.map((server) => new KeptConnections(server))
  const refused: string[] = []
  const rate = await callLoad(connections, seconds, async (connection) => {
    const status = await kept[connection % kept.length]!.ask(nextRequest(connection))
    if (status !== '200') refused.push(status)
    return status === '200'
  })
  for (const one of kept) one.end()
  return { ...rate, refused }
}

/** The same where the server may refuse nothing. */
export async function answeredLoad(load: ClosedLoad): Promise<HttpRate> {
  const rate = await closedLoad(load)
  if (rate.refused.length > 0) throw new Error(`the API refused: ${countsOf(rate.refused)}`)
  return rate
}

/** What to say of calls that a busy server refused (decision 0042). Throws when there was another refusal. */
export function busyNote(rates: readonly Pick<HttpRate, 'refused'>[]): string {
  const refused = rates.flatMap((rate) => rate.refused)
  const others = refused.filter((status) => !status.startsWith('503'))
  if (others.length > 0) throw new Error(`the API refused: ${countsOf(others)}`)
  return refused.length === 0 ? '' : ` (${refused.length} refused as busy)`
}

/** `12 × 200, 3 × 503 SERVER_BUSY` */
export const countsOf = (statuses: readonly string[]): string =>
  [...new Set(statuses)].map((status) => `${statuses.filter((one) => one === status).length} × ${status}`).join(', ')

interface OpenLoad {
  /** Asked in turn: one for a proxy, or one each for those who ask. */
  connections: readonly KeptConnections[]
  /** One after the other, without a pause. */
  steps: { perSecond: number; seconds: number }[]
  /** Ends the steps early. */
  isOver?: () => boolean
  nextRequest: () => { kind: string; text: string }
}

export interface Answered {
  kind: string
  /** `200`, `503 SERVER_BUSY`, or what happened in the place of an answer. */
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
export async function openLoad({ connections, steps, nextRequest, isOver }: OpenLoad): Promise<Answered[]> {
  const underWay: Promise<Answered>[] = []
  const started = performance.now()
  const sinceDue = (at: number) => performance.now() - started - at * 1_000
  const ask = async (at: number): Promise<Answered> => {
    const { kind, text } = nextRequest()
    const late = sinceDue(at)
    const connection = connections[asked++ % connections.length]!
    return { kind, status: await connection.ask(text), at, late, ms: sinceDue(at) }
  }
  let [begins, asked] = [0, 0]
  for (const { perSecond, seconds } of steps) {
    for (let n = 0; n < perSecond * seconds && !isOver?.(); n += 1) {
      const at = begins + n / perSecond
      while (sinceDue(at) < 0) await sleep(TICK_MS)
      underWay.push(ask(at))
    }
    begins += seconds
  }
  return Promise.all(underWay)
}

/** Tokens are good for ten minutes. */
const TOKENS_SECONDS = 300

interface SteadyLoad {
  address: Address
  perSecond: number
  seconds: number
  /** With tokens of now. */
  requests: () => Promise<OpenLoad['nextRequest']>
}

/** The same rate for as long as it is wanted, without regard to the answers; what came of each request. */
export async function steadyLoad({ address, perSecond, seconds, requests }: SteadyLoad): Promise<Answered[]> {
  const connections = [new KeptConnections(address)]
  const answered: Answered[] = []
  for (let left = seconds; left > 0; left -= TOKENS_SECONDS) {
    const steps = [{ perSecond, seconds: Math.min(left, TOKENS_SECONDS) }]
    answered.push(...(await openLoad({ connections, steps, nextRequest: await requests() })))
  }
  for (const one of connections) one.end()
  return answered
}

/** How many were answered with something else than 200. */
export function failures(what: string, answered: readonly Answered[], p99?: Comparison['p99']): Comparison {
  const failed = answered.filter(({ status }) => status !== '200')
  return row(
    what,
    failed.length,
    { baseline: answered.length, unit: 'requests', against: 'all of them' },
    '= 0.00',
    p99,
  )
}
