import type { Socket } from 'node:net'
import { Pool, type ClientBase, type PoolClient, type PoolConfig } from 'pg'
import type { Log } from '../../log.ts'
import type { MissingProperty, PoolState } from './Database.ts'
import { databaseCode, DatabaseBusy, DatabaseUnavailable, toUnavailable } from './databaseError.ts'
import { SKIPS_STANDBY } from './durability.ts'
import type { Writability } from './Primary.ts'
import { StrictClient } from './StrictClient.ts'

export type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void

/** The properties that each connection of a pool must have; the server has checked at its start that they are possible. */
export interface Expected {
  pool: PoolState['pool']
  /** The role that runs its queries. */
  role: string
  /** True if policies bind that role. Undefined if there is no tenants' role: such a cluster may not know row security at all. */
  isBoundByPolicies: boolean | undefined
  /** True if a commit waits for the disk. False if an operator has allowed it not to (decision 0039). */
  isDurable: boolean
  /** Asks now if the primary takes writes. */
  askPrimary: () => Promise<Writability>
}

/**
 * A pg pool that survives the loss of its database:
 * - a failure to get a connection has its own error class, because pg gives "timeout exceeded" no code;
 * - a connection that breaks in use does not end the process, as an error event of pg without a listener would;
 * - a connection that breaks leaves the pool, even if its user does not release it: Drizzle forgets to when BEGIN fails.
 *
 * It also checks each new connection (decision 0039). A pooler may drop its options, a role may have got more rights, or a setting may have
 * changed, and queries would still succeed.
 */
export class ResilientPool extends Pool {
  readonly #inUse = new Set<PoolClient>()
  readonly #all = new Set<PoolClient>()
  readonly #log: Log
  #verdict: 'unknown' | 'good' | MissingProperty = 'unknown'

  /** @param expected properties of each new connection; unset: no check */
  constructor(config: PoolConfig, log: Log, expected?: Expected) {
    super({ ...config, Client: StrictClient })
    this.#log = log
    // pg-pool awaits `onConnect`.
    if (expected)
      Object.assign(this.options, { onConnect: (client: ClientBase) => this.#checkConnection(client, expected) })
    // No call waits on an idle connection that breaks; without a listener its error would end the process.
    this.on('error', (error) => log.warn('idle_connection_lost', { code: databaseCode(error) }))
    this.on('connect', (client) => this.#watch(client))
    this.on('acquire', (client) => this.#inUse.add(client))
    this.on('release', (_error, client) => this.#inUse.delete(client))
  }

  /** Closes every connection, so that new connections lead to the current primary. */
  reopen(): void {
    for (const client of this.#all) (client.connection.stream as Socket).destroy()
  }

  state() {
    return { busy: this.totalCount - this.idleCount, idle: this.idleCount, waiting: this.waitingCount }
  }

  /** Returns the property that the newest connection lacks. Opens another connection first, unless the newest one was good. */
  async missingProperty(): Promise<MissingProperty | undefined> {
    const isLacking = () => this.#verdict !== 'good' && this.#verdict !== 'unknown'
    if (this.#verdict !== 'good') {
      await this.connect().then(
        (client) => client.release(),
        (error: unknown) => (isLacking() ? undefined : Promise.reject(error)),
      )
    }
    return isLacking() ? (this.#verdict as MissingProperty) : undefined
  }

  override connect(): Promise<PoolClient>
  override connect(done: ConnectCallback): void
  override connect(done?: ConnectCallback): Promise<PoolClient> | void {
    if (done === undefined)
      return super.connect().catch((cause: unknown) => Promise.reject(this.#connectFailure(cause)))
    super.connect((error, client, release) => done(error && this.#connectFailure(error), client, release))
  }

  #connectFailure(cause: unknown): DatabaseUnavailable {
    return this.#inUse.size < this.options.max
      ? toUnavailable('connect', cause)
      : new DatabaseBusy('connect', { cause })
  }

  #watch(client: PoolClient): void {
    this.#all.add(client)
    client.once('end', () => {
      this.#all.delete(client)
      if (!this.#inUse.has(client)) return
      client.release(true)
      // pg throws when a connection is released a second time.
      client.release = () => undefined
    })
  }

  /**
   * Checks a new connection before it is used.
   * @throws DatabaseUnavailable when the connection lacks a property; the pool then drops that connection
   */
  async #checkConnection(client: ClientBase, expected: Expected): Promise<void> {
    const missing = await findMissingProperty(client, expected)
    const verdict = missing ?? 'good'
    if (verdict !== this.#verdict) {
      const { pool } = expected
      if (missing !== undefined) this.#log.error('connection_refused', { pool, lacks: missing })
      else if (this.#verdict !== 'unknown') this.#log.info('connection_good_again', { pool })
      this.#verdict = verdict
    }
    if (missing !== undefined) throw new DatabaseUnavailable(`connection without its ${missing}`)
  }
}

/** Short, because a caller that waits for a connection waits for its check too. */
const CHECK_TIMEOUT_MS = 1_500

interface Found {
  role: string
  isBoundByPolicies: boolean
  isUtc: boolean
  hasIsoDates: boolean
  isDurable: boolean
  isReadOnly: boolean
}

/** SQL: true for UTC by either of its names, and for a cluster without the setting. */
const IS_UTC = `coalesce(current_setting('TimeZone', true) IN ('UTC', 'Etc/UTC'), true)`
const HAS_ISO_DATES = `coalesce(current_setting('DateStyle', true) LIKE 'ISO%', true)`

async function findMissingProperty(
  client: ClientBase,
  { role, isBoundByPolicies, isDurable, askPrimary }: Expected,
): Promise<MissingProperty | undefined> {
  const bound = isBoundByPolicies === undefined ? 'false' : `row_security_active('organisation')`
  const text = `SELECT current_user::text AS role, ${bound} AS "isBoundByPolicies", ${IS_UTC} AS "isUtc", ${HAS_ISO_DATES} AS "hasIsoDates",
    current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    current_setting('synchronous_commit', true) IS DISTINCT FROM 'off' AND NOT ${SKIPS_STANDBY} AS "isDurable"`
  const { rows } = await client.query<Found>({ text, query_timeout: CHECK_TIMEOUT_MS } as { text: string })
  const found = rows[0]!
  if (found.role !== role) return 'role'
  if (isBoundByPolicies !== undefined && found.isBoundByPolicies !== isBoundByPolicies) return 'row security'
  if (!found.isUtc) return 'TimeZone'
  if (!found.hasIsoDates) return 'DateStyle'
  if (isDurable && !found.isDurable) return 'synchronous_commit'
  // While no primary takes writes, reads from a standby are welcome.
  return found.isReadOnly && (await isWritable(askPrimary)) ? 'primary' : undefined
}

const isWritable = (askPrimary: Expected['askPrimary']): Promise<boolean> =>
  askPrimary().then(
    (state) => state !== 'read only',
    () => false,
  )
