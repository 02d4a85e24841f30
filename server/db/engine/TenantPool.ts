import { callbackify } from 'node:util'
import type { PoolClient } from 'pg'
import { unavailable } from './databaseError.ts'
import { ResilientPool, type ConnectCallback } from './ResilientPool.ts'

/** Connections that have taken on the tenants' role for good, and are told whose rows they see whenever that changes. */
export class TenantPool extends ResilientPool {
  readonly #told = new WeakMap<PoolClient, string>()

  /** A connection that sees the rows of this organisation, until it is given back. */
  async connectAs(organisationId: string): Promise<PoolClient> {
    const client = await this.connect()
    // Given back in the middle of a transaction: what it is told now might be undone with it.
    if (client.getTransactionStatus() !== 'I') {
      client.release(true)
      return this.connectAs(organisationId)
    }
    if (this.#told.get(client) !== organisationId) await this.#tell(client, organisationId)
    return client
  }

  /** A connection that may not have understood is nobody's. */
  async #tell(client: PoolClient, organisationId: string): Promise<void> {
    try {
      await client.query({ ...TELL, values: [organisationId] })
      this.#told.set(client, organisationId)
    } catch (error) {
      client.release(true)
      throw unavailable('connect', error)
    }
  }
}

const TELL = { name: 'tenant', text: `SELECT set_config('portal.organisation', $1, false)` }

/** The pool of tenants as one of them has it: every connection sees the rows of this organisation. It has none of its own. */
export class SingleTenantPool extends ResilientPool {
  readonly #connect: () => Promise<PoolClient>

  constructor(tenants: TenantPool, organisationId: string) {
    super({})
    this.#connect = () => tenants.connectAs(organisationId)
  }

  override connect(): Promise<PoolClient>
  override connect(done: ConnectCallback): void
  override connect(done?: ConnectCallback): Promise<PoolClient> | void {
    if (done === undefined) return this.#connect()
    callbackify(this.#connect)((error, client) => done(error ?? undefined, client, (broken) => client.release(broken)))
  }
}
