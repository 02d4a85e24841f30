import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { median } from '../../support/server/responseTimes.ts'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import { row, type Bench, type Comparison } from '../comparison.ts'
import type * as Places from '../load/benchDatabase.ts'
import type { BenchDatabase } from '../load/benchDatabase.ts'
import type * as CounterSql from '../load/counterSql.ts'
import { inTurns, waitForQuietMachine, type Rate } from '../measure.ts'
import type * as RedemptionLoad from './redemptionLoad.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

/** More vouchers than the fastest engine redeems in a second. */
const VOUCHERS_PER_SECOND = 6_000

const MOST_TILLS = 64
const LOADS = [
  { tills: 1, verify: true },
  { tills: 16, verify: true },
  { tills: MOST_TILLS, verify: true },
  { tills: 16, verify: false },
]

/**
 * Compares this code with an earlier commit, in turns: a commit changes far less than an hour does on a shared machine.
 * Each side has its own server, database and load, because the API may have changed.
 */
export const compareBefore = (commit: string, bench: Bench): Promise<Comparison[]> =>
  withWorktree(commit, async (folder) => {
    const [now, before] = [await sideOf(ROOT), await sideOf(folder)]
    return open(now, (ours) => open(before, (theirs) => compareSides(ours, theirs, `before, ${commit}`, bench)))
  })

/** Runs the load on a server of one commit. */
type Running = ReturnType<typeof loadOn>

async function compareSides(now: Running, before: Running, against: string, bench: Bench): Promise<Comparison[]> {
  const results: Comparison[] = []
  for (const { tills, verify } of LOADS) {
    const load = { tills, verify, seconds: bench.seconds }
    const rates = await inTurns(bench.runs, { before: () => before(load), now: () => now(load) })
    const what = `redemptions, ${verify ? 'from check to receipt' : 'held'}, ${tills} ${tills === 1 ? 'till' : 'tills'}`
    results.push(compare(what, rates.now, rates.before, against))
  }
  return results
}

function compare(what: string, ours: Rate[], others: Rate[], against: string): Comparison {
  const rate = (rates: Rate[]) => median(rates.map(({ perSecond }) => perSecond))
  const p99 = (rates: Rate[]) => median(rates.map((one) => one.p99))
  const beside = { baseline: rate(others), unit: 'per second', against }
  return row(what, rate(ours), { ...beside, p99: { product: p99(ours), baseline: p99(others) } })
}

/** Runs `work` with the commit's files in a temporary folder. */
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

/** The parts of a commit's bench that are used here; both commits must have them with these names and parameters. */
type Side = Awaited<ReturnType<typeof sideOf>>

/** Loads the bench of a commit, which seeds its own database and calls its own server. */
async function sideOf(folder: string) {
  const load = <M>(path: string) => import(pathToFileURL(join(folder, path)).href) as Promise<M>
  return {
    places: await load<typeof Places>('tests/bench/load/benchDatabase.ts'),
    sql: await load<typeof CounterSql>('tests/bench/load/counterSql.ts'),
    loads: await load<typeof RedemptionLoad>('tests/bench/redemptions/redemptionLoad.ts'),
  }
}

const open = <T>(side: Side, work: (running: Running) => Promise<T>): Promise<T> =>
  side.places.withServer([side.sql.seedTills(MOST_TILLS)], (server, place) => work(loadOn(side, server, place)))

interface Load {
  tills: number
  seconds: number
  verify: boolean
}

/** Each run has fresh vouchers, and the writes of the run before are on disk: no run pays for another. */
const loadOn =
  ({ sql, loads }: Side, server: ServerProcess, { url, secrets }: BenchDatabase) =>
  async ({ tills, seconds, verify }: Load): Promise<Rate> => {
    const vouchers = (loads.WARM_UP_SECONDS + seconds) * VOUCHERS_PER_SECOND
    const held = verify ? [] : [sql.holdVouchers(vouchers, tills)]
    await sql.runSql(url, sql.issueVouchers(vouchers), ...held, 'CHECKPOINT')
    await waitForQuietMachine()
    return loads.apiLoad({ servers: [server], secrets, tills, seconds, verify })
  }
