import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Log } from '../../log.ts'
import { UnusableDatabase } from './databaseError.ts'

/** The number of an advisory lock, the same in every process: its holder migrates, the others wait. */
export const MIGRATION_LOCK = 7_204_118

const ASK_AGAIN_MS = 100
const WORTH_A_WARNING_MS = 1_000
/** Longer than any migration takes, because a large index is built before the upgrade (docs/OPERATIONS.md). */
const LONGEST_WAIT_MS = 10 * 60_000

const CLOCK = { now: () => performance.now(), pause: (): Promise<void> => sleep(ASK_AGAIN_MS) }

/**
 * Runs `work` while this connection holds the migration lock. Call `refusePooler` first: the lock belongs to a session.
 * @throws UnusableDatabase when another session holds the lock for ten minutes
 */
export async function withMigrationLock<T>(
  client: Client,
  log: Log,
  work: () => Promise<T>,
  clock = CLOCK,
): Promise<T> {
  await takeLock(client, log, clock)
  // Unlocks, because the end of this connection might not: a pooler can keep the session for its next client.
  const unlock = () => client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK])
  try {
    const result = await work()
    await unlock()
    return result
  } catch (error) {
    await unlock().catch(() => undefined)
    throw error
  }
}

/** Asks again and again, because a statement that waits has a snapshot, and CREATE INDEX CONCURRENTLY waits for all snapshots. */
async function takeLock(client: Client, log: Log, clock: typeof CLOCK): Promise<void> {
  const began = clock.now()
  for (let isLogged = false; !(await tryLock(client)); await clock.pause()) {
    const waitedMs = clock.now() - began
    if (waitedMs > LONGEST_WAIT_MS) throw new UnusableDatabase(await describeHolder(client))
    if (isLogged || waitedMs < WORTH_A_WARNING_MS) continue
    log.warn('waiting_for_migration')
    isLogged = true
  }
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ isTaken: boolean }>('SELECT pg_try_advisory_lock($1) AS "isTaken"', [
    MIGRATION_LOCK,
  ])
  return rows[0]!.isTaken
}

const HOLDER = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid = $1 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

async function describeHolder(client: Client): Promise<string> {
  const { rows } = await client.query<{ pid: number }>(HOLDER, [MIGRATION_LOCK])
  const pid = rows[0]?.pid
  return `Another server has held the migration lock for ten minutes${pid === undefined ? '.' : `, in process ${pid} of PostgreSQL. If no server is starting, run: SELECT pg_terminate_backend(${pid})`}`
}
