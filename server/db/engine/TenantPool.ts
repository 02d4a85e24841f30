import { callbackify } from 'node:util'
import { escapeIdentifier, Pool, type Client, type PoolClient } from 'pg'
import type { Log } from '../../log.ts'
import { databaseCode, unavailable } from './databaseError.ts'
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
export class SingleTenantPool extends Pool {
  readonly #connect: () => Promise<PoolClient>

  constructor(tenants: TenantPool, organisationId: string) {
    super()
    this.#connect = () => tenants.connectAs(organisationId)
  }

  override connect(): Promise<PoolClient>
  override connect(done: ConnectCallback): void
  override connect(done?: ConnectCallback): Promise<PoolClient> | void {
    if (done === undefined) return this.#connect()
    callbackify(this.#connect)((error, client) => done(error ?? undefined, client, (broken) => client.release(broken)))
  }
}

/**
 * What a call of a tenant needs of the tables that hold no organisation's rows. A table that is neither here nor has a policy is
 * out of its reach.
 */
const COMMON: Record<string, string> = {
  product_service_category: 'SELECT',
  resource: 'SELECT',
  throttle: 'SELECT, INSERT, UPDATE, DELETE',
  login_attempt: 'SELECT, INSERT, UPDATE, DELETE',
  password_nonce: 'SELECT, INSERT, UPDATE, DELETE',
  // It may write to anybody, and read nobody's.
  mail_outbox: 'INSERT',
}

const ROWS = 'SELECT, INSERT, UPDATE, DELETE'

/**
 * The role that calls of tenants are run as, ready to be taken on: bound by the policies, unlike the owner of the tables, and with
 * no right but on rows. It is made and given its rights here where the login may; `undefined` where somebody has to make it first.
 */
export async function tenantRole(client: Client, log: Log): Promise<string | undefined> {
  const { role, isThere } = await nameOf(client)
  try {
    if (!isThere) await make(client, role)
    await grantRights(client, role)
    await proveWall(client, role)
    return role
  } catch (error) {
    log.warn('tenants_not_walled', { role, code: databaseCode(error) })
    return undefined
  }
}

/** A role of its own for every login: those who share a cluster must not reach each other's rows by a role that they share. */
async function nameOf(client: Client): Promise<{ role: string; isThere: boolean }> {
  const { rows } = await client.query<{ role: string; isThere: boolean }>(`
    SELECT role, EXISTS (SELECT FROM pg_roles WHERE rolname = role) AS "isThere"
    FROM (SELECT left(current_user, 56) || '_tenant' AS role) AS name`)
  return rows[0]!
}

async function make(client: Client, role: string): Promise<void> {
  try {
    await client.query(`CREATE ROLE ${escapeIdentifier(role)} NOLOGIN`)
    await client.query(`GRANT ${escapeIdentifier(role)} TO current_user`)
  } catch (error) {
    // Roles belong to the whole cluster: a server of another database may have made it just now.
    if (!['42710', '23505'].includes(databaseCode(error) ?? '')) throw error
  }
}

/** Only what is lacking, which after the first start is what a migration has added. */
async function grantRights(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ grant: string }>(MISSING_RIGHTS, [role, JSON.stringify(COMMON)])
  for (const { grant } of rows) await client.query(grant)
}

const MISSING_RIGHTS = `
  SELECT format('GRANT %s ON %I TO %I', rights, name, $1::text) AS "grant"
  FROM (
    SELECT c.oid, c.relname AS name, CASE WHEN c.relrowsecurity THEN '${ROWS}' ELSE $2::jsonb ->> c.relname END AS rights
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
  ) AS reachable
  WHERE rights IS NOT NULL
    AND NOT (SELECT bool_and(has_table_privilege($1::name, oid, one)) FROM unnest(string_to_array(rights, ', ')) AS one)`

/** Takes the role on and asks the database itself: a role that may do more than it should is no wall. */
async function proveWall(client: Client, role: string): Promise<void> {
  await client.query(`SET ROLE ${escapeIdentifier(role)}`)
  try {
    const { rows } = await client.query<{ active: boolean }>(`SELECT row_security_active('organisation') AS active`)
    if (!rows[0]!.active) throw new UnboundRole(role)
  } finally {
    await client.query('RESET ROLE')
  }
}

class UnboundRole extends Error {
  override name = 'UnboundRole' as const
}
