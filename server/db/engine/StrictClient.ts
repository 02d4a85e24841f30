import type { EventEmitter } from 'node:events'
import { Client, type ClientConfig } from 'pg'
import { DatabaseUnavailable } from './databaseError.ts'

interface StrictConfig extends ClientConfig {
  /** Where it goes, asked when the connection is made: the primary may have moved. */
  primary?: () => string
}

/**
 * A connection on which a query fails that came with a warning. PostgreSQL warns, and says that all is well, when a commit was broken
 * off while it waited for a standby: it has happened here, and perhaps nowhere else. So what became of it is unknown (decision 0072).
 * A connection to a server that can no longer write is ended: the next one may find the primary.
 */
export class StrictClient extends Client {
  constructor({ primary, ...config }: StrictConfig = {}) {
    super(primary ? { ...config, connectionString: primary() } : config)
    // A query that waits fails by itself. Without a listener a connection that is cut would end the process.
    this.on('error', () => undefined)
    this.once('connect', () => {
      this.on('notice', ({ code = '' }) => {
        // pg fails what it is asking, and then the connection: the server goes on to say that it has succeeded.
        if (WARNINGS.test(code)) this.connection.emit('errorMessage', new DatabaseUnavailable(`warned with ${code}`))
      })
      this.connection.on('errorMessage', ({ code }: { code?: string }) => {
        if (code === READ_ONLY) void this.end()
      })
    })
    const ask = (given: unknown[]): unknown => Reflect.apply(super.query, this, given)
    const noteEnd = (error?: Error) => {
      if (isSilence(error)) this.#giveUp()
    }
    // pg's pool asks with a callback, everybody else with a promise.
    this.query = ((...given: unknown[]) => {
      const callback = given.at(-1)
      if (typeof callback !== 'function') {
        const asked = ask(given) as Promise<unknown>
        asked.catch(noteEnd)
        return asked
      }
      return ask([
        ...given.slice(0, -1),
        (error: Error | undefined, result: unknown) => {
          noteEnd(error)
          callback(error, result)
        },
      ])
    }) as Client['query']
  }

  /** Asks the server to break off what it does for us: a commit that waits for a standby does not notice who has gone. */
  #giveUp(): void {
    const { host, port } = this
    const other = new Client({ host, port }) as unknown as Cancelling
    other.connection.on('error', () => undefined)
    other.connection.unref()
    other.cancel(this, (this as unknown as Cancelling).activeQuery)
  }
}

/** pg has it, and its types do not say so. */
interface Cancelling {
  connection: EventEmitter & { unref(): void }
  activeQuery: unknown
  cancel(client: Client, query: unknown): void
}

/** Says whether pg has given up waiting for an answer (`query_timeout`), for which it has no code. */
export const isSilence = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

/** A plain warning, and that of a backend which is told to end; mere notices have other codes. */
const WARNINGS = /^(01|57)/

const READ_ONLY = '25006'
