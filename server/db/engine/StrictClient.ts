import type { EventEmitter } from 'node:events'
import { Client, type ClientConfig } from 'pg'
import { DatabaseUnavailable } from './databaseError.ts'

interface StrictConfig extends ClientConfig {
  /** Returns the URL when the connection is made: the primary may have moved. */
  primary?: () => string
}

/**
 * A connection on which a query with a warning fails. When a commit is interrupted while it waits for a standby, PostgreSQL only warns and reports
 * success: the commit happened on this server and perhaps on no other, so its outcome is unknown (decision 0072). A connection to a server that can
 * no longer write is ended, because the next connection may find the primary.
 */
export class StrictClient extends Client {
  constructor({ primary, ...config }: StrictConfig = {}) {
    super(primary ? { ...config, connectionString: primary() } : config)
    // A running query fails by itself. Without a listener a broken connection would end the process.
    this.on('error', () => undefined)
    this.once('connect', () => {
      this.on('notice', ({ code = '' }) => {
        // Makes pg fail the current query and then the connection, because the server goes on to report success.
        if (WARNINGS.test(code)) this.connection.emit('errorMessage', new DatabaseUnavailable(`warned with ${code}`))
      })
      this.connection.on('errorMessage', ({ code }: { code?: string }) => {
        if (code === READ_ONLY) void this.end()
      })
    })
    const ask = (given: unknown[]): unknown => Reflect.apply(super.query, this, given)
    const noteFailure = (error?: Error) => {
      if (isAnswerTimeout(error)) this.#cancelQuery()
    }
    // pg's pool passes a callback; all other callers use the promise.
    this.query = ((...given: unknown[]) => {
      const callback = given.at(-1)
      if (typeof callback !== 'function') {
        const asked = ask(given) as Promise<unknown>
        asked.catch(noteFailure)
        return asked
      }
      return ask([
        ...given.slice(0, -1),
        (error: Error | undefined, result: unknown) => {
          noteFailure(error)
          callback(error, result)
        },
      ])
    }) as Client['query']
  }

  /** Asks the server to cancel the current query: a commit that waits for a standby does not notice that its client has gone. */
  #cancelQuery(): void {
    const { host, port } = this
    const other = new Client({ host, port }) as unknown as Cancelling
    other.connection.on('error', () => undefined)
    other.connection.unref()
    other.cancel(this, (this as unknown as Cancelling).activeQuery)
  }
}

/** Parts of pg that its types do not declare. */
interface Cancelling {
  connection: EventEmitter & { unref(): void }
  activeQuery: unknown
  cancel(client: Client, query: unknown): void
}

/** True if pg gave up waiting for an answer (`query_timeout`), for which it has no code. */
export const isAnswerTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout'

/** Codes of warnings, and of a backend that is told to end; mere notices have other codes. */
const WARNINGS = /^(01|57)/

const READ_ONLY = '25006'
