import { callbackify } from 'node:util'
import { escapeIdentifier, Pool, type Client, type PoolClient } from 'pg'
import type { Log } from '../../log.ts'
import { databaseCode, toUnavailable } from './databaseError.ts'
import { ResilientPool, type ConnectCallback } from './ResilientPool.ts'

/** Connections with the tenants' role. Before a connection serves another organisation than last time, it is told whose rows it may see. */
export class TenantPool extends ResilientPool {
  readonly #organisations = new WeakMap<PoolClient, string>()

  /** Returns a connection that sees the rows of this organisation, until it is released. */
  async connectAs(organisationId: string): Promise<PoolClient> {
    const client = await this.connect()
    // A transaction was left open on this connection. Its rollback would undo the setting.
    if (client.getTransactionStatus() !== 'I') {
      client.release(true)
      return this.connectAs(organisationId)
    }
    if (this.#organisations.get(client) !== organisationId) await this.#setOrganisation(client, organisationId)
    return client
  }

  /** Limits the connection to the rows of one organisation. After an error it is dropped, because the earlier limit may still apply. */
  async #setOrganisation(client: PoolClient, organisationId: string): Promise<void> {
    try {
      await client.query({ ...SET_ORGANISATION, values: [organisationId] })
      this.#organisations.set(client, organisationId)
    } catch (error) {
      client.release(true)
      throw toUnavailable('connect', error)
    }
  }
}

const SET_ORGANISATION = { name: 'tenant', text: `SELECT set_config('portal.organisation', $1, false)` }

/** The tenants' pool as one organisation uses it: every connection sees only the rows of that organisation. It takes its connections from `tenants`. */
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

/** The rights of tenants' calls on tables without an organisation. A tenant can use only these tables and those with a policy. */
const COMMON_RIGHTS: Record<string, string> = {
  product_service_category: 'SELECT',
  resource: 'SELECT',
  throttle: 'SELECT, INSERT, UPDATE, DELETE',
  login_attempt: 'SELECT, INSERT, UPDATE, DELETE',
  password_nonce: 'SELECT, INSERT, UPDATE, DELETE',
  // Tenants may send mail to any address, but read no mail.
  mail_outbox: 'INSERT',
}

const ROW_RIGHTS = 'SELECT, INSERT, UPDATE, DELETE'

/**
 * Returns the role for tenants' calls. Unlike the owner of the tables, it is bound by the policies, and it has rights on rows only. Creates the role
 * and grants its rights if the login may do that. Returns `undefined` if an administrator has to create the role first.
 */
export async function provideTenantRole(client: Client, log: Log): Promise<string | undefined> {
  const { role, isThere } = await findRole(client)
  try {
    if (!isThere) await createRole(client, role)
    await grantRights(client, role)
    await proveWall(client, role)
    return role
  } catch (error) {
    log.warn('tenants_not_walled', { role, code: databaseCode(error) })
    return undefined
  }
}

/** Each login has a role of its own: logins that share a cluster must not see each other's rows through a shared role. */
async function findRole(client: Client): Promise<{ role: string; isThere: boolean }> {
  const { rows } = await client.query<{ role: string; isThere: boolean }>(`
    SELECT role, EXISTS (SELECT FROM pg_roles WHERE rolname = role) AS "isThere"
    FROM (SELECT left(current_user, 56) || '_tenant' AS role) AS name`)
  return rows[0]!
}

async function createRole(client: Client, role: string): Promise<void> {
  try {
    await client.query(`CREATE ROLE ${escapeIdentifier(role)} NOLOGIN`)
    await client.query(`GRANT ${escapeIdentifier(role)} TO current_user`)
  } catch (error) {
    // Roles belong to the whole cluster: a server of another database may have created it just now.
    if (!['42710', '23505'].includes(databaseCode(error) ?? '')) throw error
  }
}

/** Grants the missing rights. After the first start these are rights on tables that a migration added. */
async function grantRights(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ grant: string }>(MISSING_RIGHTS, [role, JSON.stringify(COMMON_RIGHTS)])
  for (const { grant } of rows) await client.query(grant)
}

const MISSING_RIGHTS = `
  SELECT format('GRANT %s ON %I TO %I', rights, name, $1::text) AS "grant"
  FROM (
    SELECT c.oid, c.relname AS name, CASE WHEN c.relrowsecurity THEN '${ROW_RIGHTS}' ELSE $2::jsonb ->> c.relname END AS rights
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
  ) AS reachable
  WHERE rights IS NOT NULL
    AND NOT (SELECT bool_and(has_table_privilege($1::name, oid, one)) FROM unnest(string_to_array(rights, ', ')) AS one)`

/** Switches to the role and asks the database: a role with too many rights would not limit anything. */
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
