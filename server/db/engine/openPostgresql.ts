import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type { Pool, PoolClient, PoolConfig } from 'pg'
import type { Log } from '../../log.ts'
import type { Database, Durability, MissingProperty, PoolState, Transaction } from './Database.ts'
import { DatabaseUnavailable, toWaitError, toUnavailableUnlessCoded } from './databaseError.ts'
import { readDurability } from './durability.ts'
import { withMigrationLock } from './migrationLock.ts'
import { EMPTY_WRITE, Primary } from './Primary.ts'
import { ReadingPool } from './ReadingPool.ts'
import { refusePooler } from './refusePooler.ts'
import { ResilientPool } from './ResilientPool.ts'
import { StrictClient } from './StrictClient.ts'
import { SingleTenantPool, TenantPool, provideTenantRole } from './TenantPool.ts'

export const MIGRATIONS = join(import.meta.dirname, '..', 'migrations')

/** Size of the tenants pool. With the other two pools a process has 42 connections, so two processes fit into PostgreSQL's default of a hundred. */
const TENANTS_AT_ONCE = 12

/**
 * Opens and migrates PostgreSQL 15 or later, or a compatible cluster. Any number of server processes may share it.
 * @throws UnusableDatabase when a pooler would break the portal, or another server migrates for too long
 */
export async function openPostgresql(
  url: string,
  log: Log,
  engine: Database['engine'] = 'postgresql',
): Promise<Database> {
  const primary = new Primary(url)
  await primary.waitUntilFound(log)
  if (engine === 'postgresql') await refusePooler(primary)
  const { durability, owner, role } = await migrateOnce(primary, log)
  const hasRowSecurity = role !== undefined
  const isDurable = !durability.off.includes('synchronous_commit')
  const askPrimary = () => primary.check()
  const asOwner = { role: owner, isBoundByPolicies: hasRowSecurity ? false : undefined, isDurable, askPrimary }
  const pool = new ResilientPool(makeShortConfig(primary, 20), log, { ...asOwner, pool: 'portal' })
  const readings = new ReadingPool(primary, role, log, { ...asOwner, pool: 'downloads' })
  // Two pools, so that a redemption, which checks everything in one statement, does not pay for row security.
  const tenants = hasRowSecurity
    ? new TenantPool(makeShortConfig(primary, TENANTS_AT_ONCE, makeRoleOption(role)), log, {
        role,
        isBoundByPolicies: true,
        isDurable,
        askPrimary,
        pool: 'tenants',
      })
    : undefined
  const pools = { portal: pool, ...(tenants && { tenants }), downloads: readings }
  const namedPools = Object.entries(pools) as [PoolState['pool'], ResilientPool][]
  await primary.watch(log, () => {
    for (const [, one] of namedPools) one.reopen()
  })
  const portal: Database = {
    ...makeQueries({ pool, readings, primary }),
    engine,
    durability,
    hasRowSecurity,
    async unusablePools() {
      const found = await Promise.all(
        namedPools.map(async ([name, one]) => ({ pool: name, lacks: await one.missingProperty() })),
      )
      return found.filter((one): one is { pool: PoolState['pool']; lacks: MissingProperty } => one.lacks !== undefined)
    },
    forTenant: (organisationId) =>
      tenants
        ? {
            ...portal,
            ...makeQueries({ pool: new SingleTenantPool(tenants, organisationId), readings, primary }, organisationId),
          }
        : portal,
    askPrimary,
    writability: () => primary.state(),
    awayMs: () => primary.awayMs(),
    forAllTenants: () => portal,
    pools: () => namedPools.map(([name, one]) => ({ pool: name, ...one.state() })),
    async close() {
      primary.stop()
      await Promise.all(namedPools.map(([, one]) => one.end()))
    },
  }
  return portal
}

interface Sources {
  pool: Pool
  readings: ReadingPool
  primary: Primary
}

/** The ways to query the database with the connections of one pool. */
function makeQueries({ pool, readings, primary }: Sources, organisationId?: string) {
  const db = drizzle(pool, { casing: 'snake_case' })
  const waitForStandby = async () => {
    if (!primary.isStandbyNamed()) return
    if (primary.state() !== 'writable') throw new DatabaseUnavailable(primary.state())
    try {
      await db.execute(sql.raw(EMPTY_WRITE))
    } catch (error) {
      throw toWaitError(error)
    }
  }
  return {
    db,
    run: makeRun(pool),
    transaction: <T>(work: (tx: Transaction) => Promise<T>) => runInTransaction(pool, work),
    waitForStandby,
    async openReading() {
      const reading = await readings.openReading(organisationId)
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

const makeRun =
  (connection: Pick<Pool | PoolClient, 'query'>): Database['run'] =>
  async <Row>({ name, text }: { name: string; text: string }, values: unknown[]) => {
    try {
      return (await connection.query({ name, text, values })).rows as Row[]
    } catch (error) {
      throw toUnavailableUnlessCoded('query', error)
    }
  }

/**
 * Begins a transaction, with planner settings for our hand-written statements: each row is found by its key, with a plan that each connection makes
 * once. Otherwise PostgreSQL would plan a single-row statement each time, which costs more than the row; and a plan made while a table was empty
 * would scan all of that table from then on.
 */
const BEGIN = [
  'BEGIN',
  'SET LOCAL plan_cache_mode = force_generic_plan',
  ...['seqscan', 'hashjoin', 'mergejoin'].map((way) => `SET LOCAL enable_${way} = off`),
].join(';')

async function runInTransaction<T>(pool: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const sent: Promise<unknown>[] = []
  const track = <A>(answer: Promise<A>): Promise<A> => {
    // The caller of `run` may await the answer late or never. The end of the transaction checks every answer.
    answer.catch(() => undefined)
    sent.push(answer)
    return answer
  }
  const send = (text: string) =>
    track(client.query(text).catch((error: unknown) => Promise.reject(toUnavailableUnlessCoded('query', error))))
  const run = makeRun(client)
  const tx: Transaction = {
    run: (statement, values) => track(run(statement, values)),
    get db() {
      return drizzle(client, { casing: 'snake_case' })
    },
  }
  // BEGIN leaves in one packet with the first statements of `work`: each packet costs a tenth of a small transaction's processor time.
  const { stream } = client.connection
  stream.cork()
  process.nextTick(() => stream.uncork())
  void send(BEGIN)
  try {
    const result = await work(tx)
    const { command } = await send('COMMIT')
    await Promise.all(sent)
    // The caller of `run` gets the error of a failed statement; the database then answers COMMIT with ROLLBACK.
    if (command !== 'COMMIT') throw new DatabaseUnavailable('transaction rolled back')
    client.release()
    return result
  } catch (error) {
    void send('ROLLBACK')
    const isBroken = (await Promise.allSettled(sent)).at(-1)?.status === 'rejected'
    client.release(isBroken)
    throw error
  }
}

/** A little longer than the statement timeout, so that a running database can report its own error first. */
const LONGEST_SILENCE_MS = 4_000

/**
 * Returns the configuration for short statements. TCP alone waits many minutes for a server that is gone, so pg stops waiting after `query_timeout`.
 * It then closes the connection, because a late answer would be taken for that of the next query.
 */
const makeShortConfig = (primary: Primary, max: number, options?: string): PoolConfig => ({
  ...primary.connection(options),
  statement_timeout: 3_500,
  query_timeout: LONGEST_SILENCE_MS,
  pipeline: true,
  max,
})

/** Returns the option that sets the role of a new connection. A blank would end the option, so blanks are escaped. */
const makeRoleOption = (role: string) => `-c role=${role.replaceAll(/[\\\s]/g, String.raw`\$&`)}`

interface Start {
  durability: Durability
  /** The owner of the tables; runs everything except tenants' calls. */
  owner: string
  /** The role for tenants' calls, if it is available. */
  role: string | undefined
}

/** Migrates, and reads durability and roles on the same connection. */
async function migrateOnce(primary: Primary, log: Log): Promise<Start> {
  const client = new StrictClient(primary.connection())
  await client.connect()
  try {
    return await withMigrationLock(client, log, async () => {
      await migrate(drizzle(client, { casing: 'snake_case' }), { migrationsFolder: MIGRATIONS })
      const { rows } = await client.query<{ owner: string }>('SELECT current_user::text AS owner')
      return {
        durability: await readDurability(client),
        owner: rows[0]!.owner,
        role: await provideTenantRole(client, log),
      }
    })
  } finally {
    await client.end()
  }
}
