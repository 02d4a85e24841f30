import { callbackify } from 'node:util'
import type { PoolClient } from 'pg'
import { type ConnectCallback, ResilientPool } from './engine/ResilientPool.ts'
import type { TenantPool } from './engine/TenantPool.ts'

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
