import { writeFileSync } from 'node:fs'
import { cpus, loadavg, release, type as system, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import manifest from '../../package.json'
import { table, type Bench, type Comparison } from './comparison.ts'
import { compareBefore } from './redemptions/compareBefore.ts'
import { compareRedemptions } from './redemptions/compareRedemptions.ts'
import { compareSustained } from './redemptions/compareSustained.ts'
import { compareCapacity } from './servers/compareCapacity.ts'
import { compareReads } from './servers/compareReads.ts'
import { compareSoak } from './servers/compareSoak.ts'
import { compareStorm } from './servers/compareStorm.ts'
import { compareSurge } from './servers/compareSurge.ts'
import { compareLoggedInStarts } from './starts/compareLoggedInStarts.ts'
import { compareLoginJavaScript, compareStarts } from './starts/compareStarts.ts'
import { compareDashboards, compareTables } from './tables/compareSizes.ts'

const SERIES: Record<string, (length: Bench) => Promise<Comparison[]>> = {
  login: compareLoginJavaScript,
  starts: compareStarts,
  'logged-in-starts': compareLoggedInStarts,
  redemptions: compareRedemptions,
  dashboard: compareDashboards,
  tables: compareTables,
  reads: compareReads,
  capacity: compareCapacity,
  surge: compareSurge,
  soak: compareSoak,
  sustained: compareSustained,
  storm: compareStorm,
}

/** Names for several series. */
const GROUPS: Record<string, string[]> = { load: ['redemptions', 'capacity', 'reads', 'surge'] }

/** Series that take so long that they run only when named. */
const ONLY_BY_NAME = ['capacity', 'soak', 'sustained', 'storm']

const SECONDS = 4

/** An earlier commit needs more turns than a baseline, because the difference is smaller. */
const RUNS = { beside: '3', before: '5' }

const LONGER: Record<string, number> = { soak: 600, sustained: 600 }

/** `npm run bench`: compares the product with baselines of the same run. It informs and never fails: numbers depend on the machine. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'string' },
      before: { type: 'string' },
      runs: { type: 'string' },
      seconds: { type: 'string' },
    },
  })
  const { before } = values
  const runs = Number(values.runs ?? (before === undefined ? RUNS.beside : RUNS.before))
  const results: Comparison[] = []
  const measured = chosen(positionals)
  if (before !== undefined && measured.join() !== 'redemptions') {
    throw new Error('--before COMMIT is for one series: npm run bench -- redemptions --before COMMIT')
  }
  for (const name of measured) {
    const seconds = Number(values.seconds ?? LONGER[name] ?? SECONDS)
    const bench = { runs, seconds }
    results.push(...(await (before === undefined ? SERIES[name]!(bench) : compareBefore(before, bench))))
  }
  const lengths = `Each rate is the middle one of ${runs} runs of ${values.seconds ?? SECONDS} s.`
  console.log(`\n${table(results)}\n\n${lengths}\n${describeMachine()}`)
  if (values.json) {
    const what = {
      at: new Date().toISOString(),
      machine: describeMachine(),
      measured,
      before,
      runs,
      seconds: values.seconds,
      results,
    }
    writeFileSync(values.json, `${JSON.stringify(what, null, 2)}\n`)
  }
}

/** The named series and those of named groups; without names, all but the longest. */
function chosen(asked: string[]): string[] {
  const names = asked.flatMap((name) => GROUPS[name] ?? [name])
  const unknown = names.filter((name) => !(name in SERIES))
  if (unknown.length > 0) {
    const known = [...Object.keys(GROUPS), ...Object.keys(SERIES)]
    throw new Error(`no series ${unknown.join(', ')}; there are ${known.join(', ')}`)
  }
  return Object.keys(SERIES).filter((name) =>
    asked.length === 0 ? !ONLY_BY_NAME.includes(name) : names.includes(name),
  )
}

await main()

/** Describes the machine that the numbers belong to. The load is measured at the end and includes the bench itself. */
function describeMachine(): string {
  const cores = cpus()
  const gib = (totalmem() / 1_024 ** 3).toFixed(0)
  // All platforms have the same version.
  const [postgres] = Object.values(manifest.optionalDependencies)
  const load = loadavg().map((average) => average.toFixed(1))
  return [
    `${cores.length} × ${cores[0]?.model.trim()}, ${gib} GiB, ${system()} ${release()}, Node ${process.versions.node}, PostgreSQL ${postgres}.`,
    `The load of the last 1, 5 and 15 minutes: ${load.join(', ')}.`,
  ].join('\n')
}
