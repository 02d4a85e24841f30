import { connect, type Socket } from 'node:net'
import { Pool, type Client, type PoolClient, type PoolConfig } from 'pg'
import { boundToTrace } from '../../tracing.ts'
import { DatabaseBusy, unavailable, type DatabaseUnavailable } from './databaseError.ts'
import { StrictClient } from './StrictClient.ts'

export type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void

/** A little longer than a statement may take, so that a database that is there has had its say. */
const LONGEST_SILENCE_MS = 4_000

/**
 * pg's pool, except that it bears with a database that goes away:
 * - a failure to get a connection has a type: pg gives "timeout exceeded" no code to switch on;
 * - a connection that is in use when it breaks ends neither the process, as pg's own event without a listener would, nor keeps
 *   its place in the pool when who uses it forgets to give it back: Drizzle does where BEGIN fails;
 * - a connection in use that says nothing for LONGEST_SILENCE_MS is ended, and the question with it: TCP alone waits for a far
 *   side that is gone for many minutes, and an answer that comes later must not meet the next question.
 *   The server is told to give up as well: a commit that waits for a standby does not notice who has gone.
 */
export class ResilientPool extends Pool {
  readonly #inUse = new Set<PoolClient>()
  readonly #all = new Set<PoolClient>()
  readonly #queue = new WaitQueue()

  constructor(config: PoolConfig) {
    super({ ...config, Client: StrictClient })
    this.on('connect', (client) => this.#watch(client))
    this.on('acquire', (client) => {
      this.#inUse.add(client)
      setSilenceLimit(client, LONGEST_SILENCE_MS)
    })
    this.on('release', (_error, client) => {
      this.#inUse.delete(client)
      setSilenceLimit(client, 0)
    })
  }

  /** Cuts every connection: the next ones are opened to the primary of now. */
  reopen(): void {
    for (const client of this.#all) socketOf(client).destroy()
  }

  state() {
    return { busy: this.totalCount - this.idleCount, idle: this.idleCount, waiting: this.waitingCount }
  }

  override connect(): Promise<PoolClient>
  override connect(done: ConnectCallback): void
  override connect(done?: ConnectCallback): Promise<PoolClient> | void {
    const leave = this.#queue.enter()
    if (done === undefined) {
      return super
        .connect()
        .catch((cause: unknown) => Promise.reject(this.#connectFailure(cause)))
        .finally(leave)
    }
    const handOver = boundToTrace(done)
    super.connect((error, client, release) => {
      leave()
      handOver(error && this.#connectFailure(error), client, release)
    })
  }

  /** How long the first in the queue has waited; 0 while there is none, or it only waits for another connection to be opened. */
  longestWaitMs(): number {
    return this.totalCount < this.options.max ? 0 : this.#queue.longestMs()
  }

  #connectFailure(cause: unknown): DatabaseUnavailable {
    return this.#inUse.size < this.options.max ? unavailable('connect', cause) : new DatabaseBusy('connect', { cause })
  }

  #watch(client: PoolClient): void {
    this.#all.add(client)
    // Who waits for an answer is told by that.
    client.on('error', () => undefined)
    client.once('end', () => {
      this.#all.delete(client)
      this.#takeBack(client)
    })
    socketOf(client).on('timeout', () => {
      cancelQuery(client as unknown as CancelKey)
      // Not `client.end()`: that waits for what was sent.
      socketOf(client).destroy()
    })
  }

  #takeBack(client: PoolClient): void {
    if (!this.#inUse.has(client)) return
    client.release(true)
    // Giving it back a second time is an error to pg.
    client.release = () => undefined
  }
}

/** How long nothing may come or go on a connection that is in use; 0 is without end. Anew for everybody who gets it. */
export const setSilenceLimit = (client: PoolClient, ms: number): void => void socketOf(client).setTimeout(ms)

const CANCEL_REQUEST = 80_877_102

/**
 * Asks the server, on a connection of its own, to break off what it does for `client`. By the protocol it gives no answer, and takes
 * this without TLS, a login, or one of its places.
 */
function cancelQuery({ host, port, processID, secretKey }: CancelKey): void {
  const message = Buffer.alloc(16)
  for (const [at, value] of [16, CANCEL_REQUEST, processID, secretKey].entries())
    message.writeInt32BE(value | 0, at * 4)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.on('error', () => undefined)
  socket.setTimeout(LONGEST_SILENCE_MS, () => socket.destroy())
  socket.end(message)
}

/** pg has it, and its types do not say so. */
type CancelKey = Pick<Client, 'host' | 'port'> & { processID: number; secretKey: number }

/** TLS has its own, which is one too. */
const socketOf = (client: PoolClient) => client.connection.stream as Socket

/** Who waits for something, and since when. Those who came first are served first. */
class WaitQueue {
  readonly #since = new Set<{ at: number }>()

  /** What it answers is called once, when the wait is over. */
  enter(): () => void {
    const one = { at: performance.now() }
    this.#since.add(one)
    return () => void this.#since.delete(one)
  }

  /** How long the first of them has waited; 0 when nobody does. */
  longestMs(): number {
    for (const { at } of this.#since) return performance.now() - at
    return 0
  }
}
