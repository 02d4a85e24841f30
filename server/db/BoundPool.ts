import { callbackify } from 'node:util'
import type { PoolClient } from 'pg'
import { type Done, PatientPool } from './engine/ResilientPool.ts'
import type { TenantPool } from './engine/TenantPool.ts'

/** The pool of tenants as one of them has it: every connection sees the rows of this organisation. It has none of its own. */
export class BoundPool extends PatientPool {
  readonly #connect: () => Promise<PoolClient>

  constructor(tenants: TenantPool, organisationId: string) {
    super({})
    this.#connect = () => tenants.connectAs(organisationId)
  }

  override connect(): Promise<PoolClient>
  override connect(done: Done): void
  override connect(done?: Done): Promise<PoolClient> | void {
    if (done === undefined) return this.#connect()
    callbackify(this.#connect)((error, client) => done(error ?? undefined, client, (broken) => client.release(broken)))
  }
}
