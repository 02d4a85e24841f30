import { connect } from 'node:net'
import { answerLength } from '../answerLength.ts'
import type { Rate } from '../rate.ts'
import { rateOf } from '../rate.ts'

export interface Load {
  host: string
  port: number
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
export async function keepAliveLoad({ host, port, nextRequest, connections, seconds }: Load): Promise<HttpRate> {
  const latencies: number[] = []
  const refused: Record<string, number> = {}
  const started = performance.now()
  const deadline = started + seconds * 1_000

  const onAnswer = (status: string, milliseconds: number) => {
    if (status === '200' || status === '201') latencies.push(milliseconds)
    else refused[status] = (refused[status] ?? 0) + 1
  }
  const each = Array.from({ length: connections }, (_, connection) =>
    askUntil(deadline, { host, port }, () => nextRequest(connection), onAnswer),
  )
  await Promise.all(each)
  return { ...rateOf(latencies, (performance.now() - started) / 1_000), refused }
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
