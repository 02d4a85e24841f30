import { Client, type ClientConfig } from 'pg'
import { traceStatement, type TracedQuery } from '../../tracing.ts'
import { databaseCode, DatabaseUnavailable } from './databaseError.ts'

type Callback = (error: Error | undefined, result: unknown) => void

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
  #warning: string | undefined

  constructor({ primary, ...config }: StrictConfig = {}) {
    super(primary ? { ...config, connectionString: primary() } : config)
    this.on('notice', ({ code = '' }) => {
      if (WARNINGS.test(code)) this.#warning = code
    })
    const ask = (...given: unknown[]): unknown => {
      // What is asked in one go leaves in one packet.
      this.connection.stream.cork()
      process.nextTick(() => this.connection.stream.uncork())
      return Reflect.apply(super.query, this, given)
    }
    // Of pg's many forms, ours are those with a promise and, in its pool, with a callback. A COPY is neither.
    this.query = ((...given: unknown[]) => {
      const callback = given.at(-1)
      const query = tracedQuery(given[0])
      if (typeof callback !== 'function') {
        const asked = ask(...given)
        return asked instanceof Promise ? asked.then(...this.#judges(traceStatement(query))) : asked
      }
      const end = traceStatement(query)
      return ask(...given.slice(0, -1), (error: Error | undefined, result: unknown) => {
        const failure = this.#failure(error)
        end(failure)
        return (callback as Callback)(failure, result)
      })
    }) as Client['query']
  }

  #judges(end: (error?: Error) => void) {
    const judge = (error?: Error) => {
      const failure = this.#failure(error)
      end(failure)
      if (failure) throw failure
    }
    return [
      (result: unknown) => {
        judge()
        return result
      },
      judge,
    ] as const
  }

  #failure(error?: Error): Error | undefined {
    if (databaseCode(error) === READ_ONLY) void this.end()
    const code = this.#warning
    this.#warning = undefined
    return error ?? (code === undefined ? undefined : new DatabaseUnavailable(`warned with ${code}`))
  }
}

/** Of pg's forms of a query; a COPY has no text of its own that says anything. */
const tracedQuery = (query: unknown): TracedQuery =>
  typeof query === 'string' ? { text: query } : (query as TracedQuery)

/** A plain warning, and that of a backend which is told to end; mere notices have other codes. */
const WARNINGS = /^(01|57)/

const READ_ONLY = '25006'
