import { connect, type Socket } from 'node:net'
import { answerLength } from './answerLength.ts'

/** The server lets go of idle connections after five seconds; a proxy has to be quicker (docs/OPERATIONS.md). */
const LONGEST_IDLE_MS = 3_000
/** What the portal waits for an answer (src/api/transport.ts); then it hangs up. */
const PATIENCE_MS = 8_000

export interface Address {
  host: string
  port: number
}

/** As many keep-alive connections as there are requests at one time, like a proxy has them. */
export class KeptConnections {
  readonly #address: Address
  readonly #idle: { socket: Socket; since: number }[] = []

  constructor(address: Address) {
    this.#address = address
  }

  /** The status of the answer, with the code of a refusal, or what happened in its place; never rejects. */
  ask(request: string): Promise<string> {
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
        if (length !== undefined && received.length >= length) settle(outcomeOf(received), true)
      }
      socket.on('data', onData).on('error', onError).on('close', onClose).setTimeout(PATIENCE_MS, onTimeout)
      socket.write(request)
    })
  }

  end(): void {
    for (const { socket } of this.#idle.splice(0)) socket.destroy()
  }

  /** Reads all the time: one that the server has closed must not look as if it were idle. */
  #open(): Socket {
    const socket = connect({ ...this.#address, noDelay: true }).setEncoding('latin1')
    return socket.on('error', () => undefined).resume()
  }

  /** The one used last, so that those that are not needed grow old. */
  #idleOne(): Socket | undefined {
    const last = this.#idle.pop()
    if (last === undefined) return undefined
    if (performance.now() - last.since < LONGEST_IDLE_MS && !last.socket.destroyed) return last.socket
    last.socket.destroy()
    this.end()
    return undefined
  }
}

function outcomeOf(answer: string): string {
  const status = answer.slice(9, 12)
  const code = status < '400' ? undefined : /"error":"(\w+)"/.exec(answer)?.[1]
  return code === undefined ? status : `${status} ${code}`
}
