import { Pool, type PoolClient } from 'pg'
import { DatabaseUnavailable } from './databaseError.ts'

type Done = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void

/** pg's pool, except that a failure to get a connection has a type: pg gives "timeout exceeded" no code to switch on. */
export class PatientPool extends Pool {
  state() {
    return { busy: this.totalCount - this.idleCount, idle: this.idleCount, waiting: this.waitingCount }
  }

  override connect(): Promise<PoolClient>
  override connect(done: Done): void
  override connect(done?: Done): Promise<PoolClient> | void {
    if (done === undefined) return super.connect().catch((cause: unknown) => Promise.reject(unavailable(cause)))
    super.connect((error, client, release) => done(error && unavailable(error), client, release))
  }
}

const unavailable = (cause: unknown) => new DatabaseUnavailable('connect', { cause })
