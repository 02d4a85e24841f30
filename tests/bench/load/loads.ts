import { setTimeout as sleep } from 'node:timers/promises'
import { row, type Comparison } from '../comparison.ts'
import { callLoad, type Rate } from '../measure.ts'
import { KeptConnections, type Address } from './KeptConnections.ts'

interface ClosedLoad {
  /** Connections are spread over the servers in turn. */
  servers: readonly Address[]
  connections: number
  seconds: number
  /** The next request, headers and body, of the connection with this number. */
  nextRequest: (connection: number) => string
}

export interface HttpRate extends Rate {
  /** The statuses of answers other than 200, which are not in the rate. */
  refused: string[]
}

/** Sends one request at a time on each connection, the next as soon as the last is answered. */
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

/** Like closedLoad; throws when the server refuses a request. */
export async function answeredLoad(load: ClosedLoad): Promise<HttpRate> {
  const rate = await closedLoad(load)
  if (rate.refused.length > 0) throw new Error(`the API refused: ${countsOf(rate.refused)}`)
  return rate
}

/** A note on calls that a busy server refused (decision 0042). Throws when there was another refusal. */
export function busyNote(rates: readonly Pick<HttpRate, 'refused'>[]): string {
  const refused = rates.flatMap((rate) => rate.refused)
  const others = refused.filter((status) => !status.startsWith('503'))
  if (others.length > 0) throw new Error(`the API refused: ${countsOf(others)}`)
  return refused.length === 0 ? '' : ` (${refused.length} refused as busy)`
}

/** Counts equal statuses: `12 × 200, 3 × 503 SERVER_BUSY`. */
export const countsOf = (statuses: readonly string[]): string =>
  [...new Set(statuses)].map((status) => `${statuses.filter((one) => one === status).length} × ${status}`).join(', ')

interface OpenLoad {
  /** Used in turn: one for a proxy, or one for each client. */
  connections: readonly KeptConnections[]
  /** Steps follow each other without a pause. */
  steps: { perSecond: number; seconds: number }[]
  /** Returns true to end the steps early. */
  isOver?: () => boolean
  nextRequest: () => { kind: string; text: string }
}

export interface Answered {
  kind: string
  /** `200`, `503 SERVER_BUSY`, or the reason why there is no answer. */
  status: string
  /** The time at which it was due, in seconds from the start of the load. */
  at: number
  /** Milliseconds from that time to the answer. */
  ms: number
  /** Milliseconds from that time until it was sent. More than a few mean that the machine was too busy for the load itself. */
  late: number
}

/** The generator wakes this often, in milliseconds, so it is never late by more, apart from delays of the machine. */
const TICK_MS = 2

/**
 * Sends requests at given rates, like independent people: a server that falls behind gets no fewer. Times count from the
 * moment a request was due, so a busy machine that sends it late hides nothing. Resolves when the last request is answered.
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

/** Tokens are valid for ten minutes, so they are renewed after this many seconds. */
const TOKENS_SECONDS = 300

interface SteadyLoad {
  address: Address
  perSecond: number
  seconds: number
  /** Makes requests with fresh tokens. */
  requests: () => Promise<OpenLoad['nextRequest']>
}

/** Sends requests at a constant rate, whatever the answers are. Returns the result of each request. */
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

/** The number of answers other than 200, as a comparison. */
export function failures(what: string, answered: readonly Answered[], p99?: Comparison['p99']): Comparison {
  const failed = answered.filter(({ status }) => status !== '200')
  return row(
    what,
    failed.length,
    { baseline: answered.length, unit: 'requests', against: 'all of them', p99 },
    '= 0.00',
  )
}
