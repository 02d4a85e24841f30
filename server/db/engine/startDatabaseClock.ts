import type { Clock } from '../../Clock.ts'
import type { Log } from '../../log.ts'
import type { Database, Statement } from './Database.ts'
import { databaseCode } from './databaseError.ts'

const EVERY_MS = 30_000
/** The time a busy machine may take to read an answer that has arrived. */
const TOLERANCE_MS = 100
const WORTH_A_WARNING_MS = 2_000

export interface DatabaseClock extends Clock {
  /** Compares itself with the database again. Rejects as a query does. */
  compare(): Promise<void>
  stop(): void
}

/**
 * Starts a clock that shows the database's time, which all its servers share (decision 0039, FLT-14). It decides when sessions, holds and tokens end,
 * even if this machine's clock changes. Between comparisons it runs on `monotonic`, milliseconds since the process began. Rejects as a query does.
 */
export async function startDatabaseClock(
  { run }: Pick<Database, 'run'>,
  log: Log,
  monotonic: () => number = () => performance.now(),
  machine: () => number = () => Date.now(),
): Promise<DatabaseClock> {
  const first = await measure(run, monotonic)
  /** How far the database is ahead of `monotonic`. */
  let databaseAheadMs = (first.leastMs + first.mostMs) / 2
  // Only log lines and certificates use this machine's clock.
  const machineAheadMs = machine() - monotonic() - databaseAheadMs
  if (Math.abs(machineAheadMs) > WORTH_A_WARNING_MS)
    log.warn('clock_apart', { ahead_seconds: Math.round(machineAheadMs / 1_000) })

  async function compare(): Promise<void> {
    const { leastMs, mostMs } = await measure(run, monotonic)
    // The clock keeps its time as long as that is within the measured range, so that it does not jump at each comparison.
    const wantedMs = Math.min(Math.max(databaseAheadMs, leastMs - TOLERANCE_MS), mostMs + TOLERANCE_MS)
    const stepMs = wantedMs - databaseAheadMs
    if (Math.abs(stepMs) > WORTH_A_WARNING_MS) log.warn('clock_stepped', { seconds: Math.round(stepMs / 1_000) })
    databaseAheadMs = wantedMs
  }

  const timer = setInterval(() => {
    compare().catch((error: unknown) => log.warn('clock_not_compared', { code: databaseCode(error) }))
  }, EVERY_MS)
  return { now: () => new Date(monotonic() + databaseAheadMs), compare, stop: () => clearInterval(timer) }
}

/** Measures how far the database is ahead of `monotonic`, as a range: it read its clock at some time between question and answer. */
async function measure(run: Database['run'], monotonic: () => number): Promise<{ leastMs: number; mostMs: number }> {
  const asked = monotonic()
  const [row] = await run(NOW, [])
  if (!row) throw new TypeError('the clock statement always gives a row')
  return { leastMs: row.ms - monotonic(), mostMs: row.ms - asked }
}

const NOW: Statement<[], { ms: number }> = {
  name: 'clock',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
}
