import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { PoolClient, PoolConfig } from 'pg'
import type { Log } from '../../log.ts'
import { ConnectionProof } from './ConnectionProof.ts'
import type { Database, Durability, Transaction } from './Database.ts'
import { databaseCode, DatabaseUnavailable, failedWait, unavailableUnlessCoded } from './databaseError.ts'
import { readDurability } from './durability.ts'
import { connectionTo, Hosts } from './Hosts.ts'
import { COMMIT, PrimaryWatch } from './PrimaryWatch.ts'
import { readingConfig, readingPool, type Purpose, type ReadingPool } from './readingPool.ts'
import { ResilientPool } from './ResilientPool.ts'
import { StrictClient } from './StrictClient.ts'
import { SingleTenantPool, TenantPool, tenantRole } from './TenantPool.ts'

export const MIGRATIONS = join(import.meta.dirname, '..', 'migrations')

/** Any number, the same in every process: whoever holds it migrates, the others wait. */
const MIGRATION_LOCK = 7_204_118
/** With those of the portal and of downloads 42 a process: two processes fit into the hundred that PostgreSQL has by default. */
const TENANTS_AT_ONCE = 12

/** PostgreSQL 15 or later, or a compatible cluster, shared by any number of server processes. */
export async function openPostgresql(
  url: string,
  log: Log,
  engine: Database['engine'] = 'postgresql',
): Promise<Database> {
  const hosts = new Hosts(url)
  await hosts.untilPrimary(log)
  const { durability, owner, role } = await migrateOnce(hosts, log)
  // An idle connection that breaks has nobody to tell; without a listener it would end the process.
  const lost = (error: Error) => log.warn('idle_connection_lost', { code: databaseCode(error) })
  const isWalled = role !== undefined
  const isDurable = !durability.off.includes('synchronous_commit')
  const asOwner = { role: owner, isBound: isWalled ? false : undefined, isDurable }
  const portalProof = new ConnectionProof(shortConfig(hosts, 20), { ...asOwner, pool: 'portal' }, log)
  const readingProof = new ConnectionProof(readingConfig(hosts), { ...asOwner, pool: 'downloads' }, log)
  const tenantProof = isWalled
    ? new ConnectionProof(
        shortConfig(hosts, TENANTS_AT_ONCE, asRole(role)),
        { role, isBound: true, isDurable, pool: 'tenants' },
        log,
      )
    : undefined
  const pool = withErrorListener(new ResilientPool(portalProof.config), lost)
  const readings = readingPool(readingProof.config, role, lost)
  // Two pools, so that a redemption, which judges everything in one statement, never pays for the wall.
  const tenants = tenantProof && withErrorListener(new TenantPool(tenantProof.config), lost)
  const watch = new PrimaryWatch(hosts, log, () => {
    for (const one of [pool, tenants, readings]) one?.reopen()
  })
  await watch.look()
  const portal: Database = {
    ...queriesOver({ pool, readings, watch }),
    engine,
    durability,
    isWalled,
    async refused() {
      const found = [portalProof, readingProof, ...(tenantProof ? [tenantProof] : [])].map((proof) => proof.refused())
      return (await Promise.all(found)).flat()
    },
    forTenant: (organisationId) =>
      tenants
        ? {
            ...portal,
            ...queriesOver({ pool: new SingleTenantPool(tenants, organisationId), readings, watch }, organisationId),
          }
        : portal,
    askPrimary: () => watch.look(),
    writability: () => watch.state(),
    portal: () => portal,
    restarts: () => 0,
    pools: () => [
      { pool: 'portal', ...pool.state() },
      ...(tenants ? [{ pool: 'tenants' as const, ...tenants.state() }] : []),
      { pool: 'downloads', ...readings.state() },
    ],
    longestWaitMs: (line) => Math.max(pool.longestWaitMs(), line === 'portal' ? 0 : (tenants?.longestWaitMs() ?? 0)),
    async close() {
      watch.stop()
      await Promise.all([pool.end(), tenants?.end(), readings.end()])
    },
  }
  return portal
}

interface Sources {
  pool: ResilientPool
  readings: ReadingPool
  watch: PrimaryWatch
}

/** The ways to ask the database by the connections of one pool. */
function queriesOver({ pool, readings, watch }: Sources, organisationId?: string) {
  const db = drizzle(pool, { casing: 'snake_case' })
  const waitForStandby = async () => {
    if (!watch.isStandbyNamed()) return
    if (watch.state() !== 'writable') throw new DatabaseUnavailable(watch.state())
    try {
      await db.execute(sql.raw(COMMIT))
    } catch (error) {
      throw failedWait(error)
    }
  }
  return {
    db,
    run: runBy(pool),
    transaction: <T>(work: (tx: Transaction) => Promise<T>) => inTransaction(pool, work),
    waitForStandby,
    async openReading(purpose: Purpose) {
      const reading = await readings.open(purpose, organisationId)
      try {
        await waitForStandby()
        return reading
      } catch (error) {
        await reading.close()
        throw error
      }
    },
  }
}

const runBy =
  (connection: Pick<ResilientPool | PoolClient, 'query'>): Database['run'] =>
  async <Row>({ name, text }: { name: string; text: string }, values: unknown[]) => {
    try {
      return (await connection.query({ name, text, values })).rows as Row[]
    } catch (error) {
      throw unavailableUnlessCoded('query', error)
    }
  }

/**
 * Statements written by hand find each row by its key, by a plan that a connection makes once. For a single row PostgreSQL would plan each time,
 * which costs more than the row; and what it has planned while a table was empty would read all of it from then on.
 */
const BEGIN = [
  'BEGIN',
  'SET LOCAL plan_cache_mode = force_generic_plan',
  ...['seqscan', 'hashjoin', 'mergejoin'].map((way) => `SET LOCAL enable_${way} = off`),
].join(';')

async function inTransaction<T>(pool: ResilientPool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const sent: Promise<unknown>[] = []
  const noted = <A>(answer: Promise<A>): Promise<A> => {
    // Whoever sent it may look at it later, or never: the end of the transaction does.
    answer.catch(() => undefined)
    sent.push(answer)
    return answer
  }
  const ask = (text: string) =>
    noted(client.query(text).catch((error: unknown) => Promise.reject(unavailableUnlessCoded('query', error))))
  const run = runBy(client)
  const tx: Transaction = {
    run: (statement, values) => noted(run(statement, values)),
    get db() {
      return drizzle(client, { casing: 'snake_case' })
    },
  }
  void ask(BEGIN)
  try {
    const result = await work(tx)
    const { command } = await ask('COMMIT')
    await Promise.all(sent)
    // The database says of a statement that failed to whoever sent it, and answers COMMIT with ROLLBACK.
    if (command !== 'COMMIT') throw new DatabaseUnavailable('transaction rolled back')
    client.release()
    return result
  } catch (error) {
    void ask('ROLLBACK')
    const isBroken = (await Promise.allSettled(sent)).at(-1)?.status === 'rejected'
    client.release(isBroken)
    throw error
  }
}

/** For short statements. */
const shortConfig = (hosts: Hosts, max: number, options?: string): PoolConfig => ({
  ...connectionTo(hosts, options),
  statement_timeout: 3_500,
  pipeline: true,
  max,
})

/** Connections take the role on as they open. Blanks end an option. */
const asRole = (role: string) => `-c role=${role.replaceAll(/[\\\s]/g, String.raw`\$&`)}`

const withErrorListener = <P extends ResilientPool>(pool: P, lost: (error: Error) => void): P => pool.on('error', lost)

interface Start {
  durability: Durability
  /** Of the tables: what everything but tenants' calls is run as. */
  owner: string
  /** For tenants' calls, if it can be had. */
  role: string | undefined
}

/** Also reads what the server survives, on the one connection there is at a start, and whom its calls are run as. */
async function migrateOnce(hosts: Hosts, log: Log): Promise<Start> {
  const client = new StrictClient(connectionTo(hosts))
  // Who waits for an answer is told by that; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    await migrate(drizzle(client, { casing: 'snake_case' }), { migrationsFolder: MIGRATIONS })
    const { rows } = await client.query<{ owner: string }>('SELECT current_user::text AS owner')
    return { durability: await readDurability(client), owner: rows[0]!.owner, role: await tenantRole(client, log) }
  } finally {
    // Ending the connection gives the lock back.
    await client.end()
  }
}
