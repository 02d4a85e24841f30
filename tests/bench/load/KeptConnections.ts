import { connect, type Socket } from 'node:net'

/** The server closes idle connections after 65 seconds; a proxy has to be quicker (docs/OPERATIONS.md). */
const LONGEST_IDLE_MS = 60_000

/** The portal waits this long for an answer (src/api/transport.ts); then it hangs up. */
const PATIENCE_MS = 8_000

export interface Address {
  host: string
  port: number
  /** Local addresses to connect from, in turn; without them the system chooses. */
  from?: readonly string[]
}

const REFUSED = /"error":"(\w+)"/
const NOT_REDEEMED = /"outcomes":\[\{"state":"(?!redeemed)(\w+)"/

/**
 * Keep-alive connections, one for each concurrent request, like those of a proxy. It writes to bare sockets, because Node's
 * HTTP client would take more of the two cores than the server it measures.
 */
export class KeptConnections {
  readonly #address: Address
  readonly #idle: { socket: Socket; since: number }[] = []
  #opened = 0

  constructor(address: Address) {
    this.#address = address
  }

  /** The status of the answer, with the code of a refusal or the result of a till's row; on failure the reason instead. Never rejects. */
  async ask(request: string): Promise<string> {
    const answer = await this.answerTo(request)
    if (!answer.startsWith('HTTP/')) return answer
    const status = answer.slice(9, 12)
    const code = (status < '400' ? NOT_REDEEMED : REFUSED).exec(answer)?.[1]
    return code === undefined ? status : `${status} ${code}`
  }

  /** The raw answer, or the reason why there is none: `ECONNRESET`, `closed`, `silent`. Never rejects. */
  answerTo(request: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = this.#idleOne() ?? this.#open()
      let received = ''
      const settle = (outcome: string, isWhole: boolean) => {
        socket.off('data', onData).off('error', onError).off('close', onClose).setTimeout(0, onTimeout)
        if (isWhole) this.#idle.push({ socket, since: performance.now() })
        else socket.destroy()
        resolve(outcome)
      }
      const onTimeout = () => settle('silent', false)
      const onError = (error: NodeJS.ErrnoException) => settle(error.code ?? error.message, false)
      const onClose = () => settle('closed', false)
      const onData = (chunk: string) => {
        received += chunk
        const length = answerLength(received)
        if (length !== undefined && received.length >= length) settle(received, true)
      }
      socket.on('data', onData).on('error', onError).on('close', onClose).setTimeout(PATIENCE_MS, onTimeout)
      socket.write(request)
    })
  }

  end(): void {
    for (const { socket } of this.#idle.splice(0)) socket.destroy()
  }

  /** Reads all the time, so that a connection closed by the server does not look idle. */
  #open(): Socket {
    const { host, port, from = [] } = this.#address
    const localAddress = from[this.#opened++ % from.length]
    const socket = connect({ host, port, localAddress, noDelay: true }).setEncoding('latin1')
    return socket.on('error', () => undefined).resume()
  }

  /** The idle connection that was used last, so that surplus ones grow old. */
  #idleOne(): Socket | undefined {
    const last = this.#idle.pop()
    if (last === undefined) return undefined
    if (performance.now() - last.since < LONGEST_IDLE_MS && !last.socket.destroyed) return last.socket
    last.socket.destroy()
    this.end()
    return undefined
  }
}

/** Length of the answer that `received` begins with; `undefined` while it is not known yet. */
function answerLength(received: string): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const length = /content-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1]
  if (length !== undefined) return headEnd + 4 + Number(length)
  const end = received.indexOf('\r\n0\r\n\r\n', headEnd)
  return end < 0 ? undefined : end + 7
}
