import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Engine from '../../../server/db/engine/openPostgresql.ts'
import type * as SentStatements from '../../support/database/sentStatements.ts'
import { median } from '../../support/server/responseTimes.ts'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'
import { row, type Bench, type Comparison } from '../comparison.ts'
import type * as Places from '../load/benchDatabase.ts'
import type { BenchDatabase } from '../load/benchDatabase.ts'
import type * as CounterSql from '../load/counterSql.ts'
import { inTurns, waitForQuietMachine, type Rate } from '../measure.ts'
import type * as Pgbench from './pgbench.ts'
import type * as RedemptionLoad from './redemptionLoad.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

/** More than the fastest engine redeems in one run. */
const VOUCHERS_PER_SECOND = 6_000

const CHECKED = 'redemptions, from check to receipt'
const HELD = 'redemptions, held'
const TILLS = { one: 1, few: 16, many: 64 }

/**
 * This code beside that of an earlier commit, in turns, as a server and the tills of each would: what a commit changes is far less than
 * what an hour changes on a shared machine. Each has its own server, its own database, and its own load, for the wire may have changed.
 */
export const compareBefore = (commit: string, bench: Bench): Promise<Comparison[]> =>
  withWorktree(commit, async (folder) => {
    const [now, before] = [await sideOf(ROOT), await sideOf(folder)]
    return open(now, (ours) => open(before, (theirs) => compareSides(ours, theirs, `before, ${commit}`, bench)))
  })

/** A running server of one commit, and its load. */
type Running = Awaited<ReturnType<typeof runningOf>>

async function compareSides(now: Running, before: Running, against: string, bench: Bench): Promise<Comparison[]> {
  const results: Comparison[] = []
  for (const tills of Object.values(TILLS)) {
    const load = { tills, seconds: bench.seconds, verify: true }
    const rates = await inTurns(bench.runs, { before: () => before.api(load), now: () => now.api(load) })
    results.push(compare(`${CHECKED}, ${named(tills)}`, rates.now, rates.before, against))
  }
  const load = { tills: TILLS.few, seconds: bench.seconds, verify: false }
  const script = { before: await before.recordHeld(load.tills), now: await now.recordHeld(load.tills) }
  const held = await inTurns(bench.runs, {
    before: () => before.api(load),
    now: () => now.api(load),
    limitBefore: () => before.pgbench(load, script.before),
    limit: () => now.pgbench(load, script.now),
  })
  const what = `${HELD}, ${named(load.tills)}`
  const pgbench = 'pgbench, the same work one by one'
  return [
    ...results,
    compare(what, held.now, held.before, against),
    compare(what, held.now, held.limit, pgbench),
    compare(what, held.now, held.limitBefore, `${pgbench}, ${against}`),
    compare(`${what}: before`, held.before, held.limitBefore, `${pgbench}, ${against}`),
  ]
}

const named = (tills: number) => `${tills} ${tills === 1 ? 'till' : 'tills'}`

function compare(what: string, ours: Rate[], others: Rate[], against: string): Comparison {
  const rate = (rates: Rate[]) => median(rates.map(({ perSecond }) => perSecond))
  const p99 = (rates: Rate[]) => median(rates.map((one) => one.p99))
  const beside = { baseline: rate(others), unit: 'per second', against }
  return row(what, rate(ours), beside, undefined, { product: p99(ours), baseline: p99(others) })
}

/** The commit's files in a folder of their own while `work` lasts. */
async function withWorktree<T>(commit: string, work: (folder: string) => Promise<T>): Promise<T> {
  const parent = mkdtempSync(join(tmpdir(), 'portal-before-'))
  const folder = join(parent, 'portal')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    git('worktree', 'add', '--quiet', '--detach', folder, commit)
    installInto(folder)
    return await work(folder)
  } finally {
    git('worktree', 'remove', '--force', folder)
    rmSync(parent, { recursive: true, force: true })
  }
}

function installInto(folder: string): void {
  const lockOf = (place: string) => readFileSync(join(place, 'package-lock.json'), 'utf8')
  if (lockOf(folder) === lockOf(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** What the bench of a commit has; both commits must have it with these names and parameters. */
type Side = Awaited<ReturnType<typeof sideOf>>

/** The bench of a commit itself seeds its database and asks its server. */
async function sideOf(folder: string) {
  const load = <M>(path: string) => import(pathToFileURL(join(folder, path)).href) as Promise<M>
  return {
    places: await load<typeof Places>('tests/bench/load/benchDatabase.ts'),
    sql: await load<typeof CounterSql>('tests/bench/load/counterSql.ts'),
    loads: await load<typeof RedemptionLoad>('tests/bench/redemptions/redemptionLoad.ts'),
    limits: await load<typeof Pgbench>('tests/bench/redemptions/pgbench.ts'),
    sent: await load<typeof SentStatements>('tests/support/database/sentStatements.ts'),
    engine: await load<typeof Engine>('server/db/engine/openPostgresql.ts'),
  }
}

const open = <T>(side: Side, work: (running: Running) => Promise<T>): Promise<T> =>
  side.places.withServer([side.sql.seedTills(TILLS.many)], (server, place) => work(runningOf(side, server, place)))

interface Load {
  tills: number
  seconds: number
  verify: boolean
}

function runningOf({ sql, loads, limits, sent, engine }: Side, server: ServerProcess, { url, secrets }: BenchDatabase) {
  /** Fresh vouchers, and the writes of the run before on disk: no run pays for another. */
  const refill = async ({ tills, seconds, verify }: Load) => {
    const vouchers = (loads.WARM_UP_SECONDS + seconds) * VOUCHERS_PER_SECOND
    const held = verify ? [] : [sql.holdVouchers(vouchers, tills)]
    await sql.runSql(url, sql.issueVouchers(vouchers), ...held, 'CHECKPOINT')
    await waitForQuietMachine()
  }
  return {
    api: async (load: Load): Promise<Rate> => {
      await refill(load)
      return loads.apiLoad({ servers: [server], secrets, ...load })
    },
    pgbench: async (load: Load, script: string): Promise<Rate> => {
      await refill(load)
      return limits.pgbench({ url, script, clients: load.tills, seconds: load.seconds })
    },
    /** What one redemption of a held voucher sends to PostgreSQL, for as many clients. */
    recordHeld: async (clients: number): Promise<string> => {
      await sql.runSql(url, sql.issueVouchers(2, limits.RECORDED - 1))
      const database = await engine.openPostgresql(url, silentLog)
      try {
        const { verify, redeem } = loads.counterLoad(database, secrets)
        // Who the cashier is was asked before.
        for (const n of [limits.RECORDED - 1, limits.RECORDED]) await verify(0, n)
        await redeem(0, limits.RECORDED - 1)
        const statements = await sent.sentStatements(() => redeem(0, limits.RECORDED))
        return limits.replayOf(clients, statements)
      } finally {
        await database.close()
      }
    },
  }
}
