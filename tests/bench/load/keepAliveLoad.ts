import { connect } from 'node:net'
import { rateOf, type Rate } from '../rate.ts'

export interface Load {
  host: string
  port: number
  /** Several servers, whose connections take turns; else all go to `port`. */
  ports?: readonly number[] | undefined
  /** One request, headers and body, for the connection with this number; `undefined` when it has no more to ask. */
  nextRequest: (connection: number) => string | undefined
  connections: number
  seconds: number
}

export interface HttpRate extends Rate {
  /** Answers other than 200 and 201, by status. */
  refused: Record<string, number>
}

/**
 * Asks over keep-alive connections, one request at a time on each. It writes to bare sockets, since Node's HTTP client would take
 * more of the two cores than the server it measures.
 */
export async function keepAliveLoad({
  host,
  port,
  ports = [port],
  nextRequest,
  connections,
  seconds,
}: Load): Promise<HttpRate> {
  const latencies: number[] = []
  const refused: Record<string, number> = {}
  const started = performance.now()
  const deadline = started + seconds * 1_000

  const onAnswer = (status: string, milliseconds: number) => {
    if (status === '200' || status === '201') latencies.push(milliseconds)
    else refused[status] = (refused[status] ?? 0) + 1
  }
  const each = Array.from({ length: connections }, (_, connection) =>
    askUntil(deadline, { host, port: ports[connection % ports.length]! }, () => nextRequest(connection), onAnswer),
  )
  await Promise.all(each)
  return { ...rateOf(latencies, (performance.now() - started) / 1_000), refused }
}

/** Of one connection that asks the same again and again: the time of an answer, not what the machine can do at once. */
export async function oneByOne(
  { host, port }: Pick<Load, 'host' | 'port'>,
  request: string,
  seconds: number,
): Promise<Rate> {
  const load = { host, port, connections: 1, nextRequest: () => request }
  await keepAliveLoad({ ...load, seconds: seconds / 4 })
  const rate = await keepAliveLoad({ ...load, seconds })
  if (Object.keys(rate.refused).length > 0) throw new Error(`the API refused: ${JSON.stringify(rate.refused)}`)
  return rate
}

function askUntil(
  deadline: number,
  address: { host: string; port: number },
  next: () => string | undefined,
  onAnswer: (status: string, milliseconds: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...address, noDelay: true })
    let received = ''
    let askedAt = 0
    const ask = () => {
      const request = performance.now() < deadline ? next() : undefined
      if (request === undefined) {
        socket.end()
        resolve()
        return
      }
      askedAt = performance.now()
      socket.write(request)
    }
    socket.setEncoding('latin1')
    socket.once('connect', ask)
    socket.once('error', reject)
    socket.once('close', () => resolve())
    socket.on('data', (chunk: string) => {
      received += chunk
      const length = answerLength(received)
      if (length === undefined || received.length < length) return
      onAnswer(received.slice(9, 12), performance.now() - askedAt)
      received = received.slice(length)
      ask()
    })
  })
}

/** Length of the first answer in `received`, or `undefined` while that cannot be told. */
export function answerLength(received: string): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = received.slice(0, headEnd)
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return headEnd + 4 + Number(length)
  const end = received.indexOf('\r\n0\r\n\r\n', headEnd)
  return end < 0 ? undefined : end + 7
}

/** What to say of calls that a busy server refused (decision 0042), which no rate counts. Throws when there was another refusal. */
export function busyNote(rates: readonly Pick<HttpRate, 'refused'>[]): string {
  const others = rates.flatMap(({ refused }) => Object.keys(refused)).filter((status) => status !== '503')
  if (others.length > 0) throw new Error(`the API refused: ${others.join(', ')}`)
  const busy = rates.reduce((sum, { refused }) => sum + (refused['503'] ?? 0), 0)
  return busy === 0 ? '' : ` (${busy} refused as busy)`
}
