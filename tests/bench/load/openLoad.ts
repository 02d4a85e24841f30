import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerLength } from './keepAliveLoad.ts'

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

/** The server lets go of idle connections after five seconds; a proxy has to be quicker (docs/OPERATIONS.md). */
const LONGEST_IDLE_MS = 3_000

/** What the portal waits for an answer (src/api/transport.ts); then it hangs up. */
const PATIENCE_MS = 8_000

interface Address {
  host: string
  port: number
  /** Addresses of this machine to ask from, in turn; the system's choice without them. */
  from?: readonly string[]
}

/** As many keep-alive connections as there are requests at one time, like a proxy has them. */
export class KeptConnections {
  readonly #address: Address
  readonly #idle: { socket: Socket; since: number }[] = []
  #opened = 0

  constructor(address: Address) {
    this.#address = address
  }

  /** The status of the answer, with the code of a refusal, or what happened in its place; never rejects. */
  async ask(request: string): Promise<string> {
    const answer = await this.answerTo(request)
    return answer.startsWith('HTTP/') ? outcomeOf(answer) : answer
  }

  /** The answer as it came, or what happened in its place; never rejects. */
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

  /** Reads all the time: one that the server has closed must not look as if it were idle. */
  #open(): Socket {
    const { host, port, from = [] } = this.#address
    const localAddress = from[this.#opened++ % from.length]
    const socket = connect({ host, port, localAddress, noDelay: true }).setEncoding('latin1')
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
  const connections = new KeptConnections(address)
  const answered: Answered[] = []
  for (let left = seconds; left > 0; left -= TOKENS_SECONDS) {
    const steps = [{ perSecond, seconds: Math.min(left, TOKENS_SECONDS) }]
    answered.push(...(await openLoad({ connections, steps, nextRequest: await requests() })))
  }
  connections.end()
  return answered
}
