import { existsSync, readFileSync, rmSync } from 'node:fs'
import { checks, PEER_CHECKS, type Check } from './run/checks.ts'
import { PEERS, PROGRAMS, providePrograms } from './run/programs.ts'
import { runCommand } from './run/runCommand.ts'

interface Result {
  name: string
  seconds: number
  passed: number
  failed: number
  skipped: number
  /** Names of the tests that failed, or that passed only when they were repeated. */
  unsteady: string[]
}

/** `npm test`, `npm run test:all` and `npm run test:peers`: run every check in order, even after a failure, and print one line of counts at the end. */
async function main(): Promise<void> {
  const isBesidePeers = process.argv.includes('--peers')
  const lacking = await providePrograms([...Object.values(PROGRAMS), ...(isBesidePeers ? PEERS : [])])
  const results: Result[] = []
  const groups = isBesidePeers ? PEER_CHECKS : checks(process.argv.includes('--all') ? 'all' : 'short')
  for (const group of groups) {
    const finished = await Promise.all(group.map((check) => run(check, lacking, group.length > 1)))
    results.push(...finished)
  }
  console.log(summary(results))
  process.exitCode = results.every(({ failed }) => failed === 0) ? 0 : 1
}

/** Runs a check. The output of checks that run at the same time is printed in one piece when each has ended. */
async function run(check: Check, lacking: ReadonlyMap<string, string>, isBeside: boolean): Promise<Result> {
  const title = `\n── ${check.name} ──`
  const missing = (check.needs ?? []).flatMap((name) => lacking.get(PROGRAMS[name].name) ?? [])
  const started = performance.now()
  if (!isBeside) console.log(title)
  const ended = missing.length > 0 ? { code: 1, said: missing.join('\n') } : await runCheck(check, isBeside)
  if (isBeside) console.log(title)
  if (ended.said) console.log(ended.said)
  const seconds = (performance.now() - started) / 1_000
  return { name: check.name, seconds, ...readCounts(ended.code, check) }
}

async function runCheck({ command, env }: Check, isBeside: boolean): Promise<{ code: number; said: string }> {
  const said: string[] = []
  const code = await runCommand(command, env, isBeside ? (text) => said.push(text) : undefined)
  return { code, said: said.join('') }
}

/**
 * Reads the counts of a finished check. A runner that fails without a failed test (a file that does not load, no report at all,
 * nothing to run) counts as one failure: a check without output never passes.
 */
function readCounts(exitCode: number, { report }: Check): Omit<Result, 'name' | 'seconds'> {
  if (!report) return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0, unsteady: [] }
  const json = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
  const counts = countsIn(json)
  // Removes the report, so that it is not taken for that of a later run that dies before writing.
  rmSync(report, { force: true })
  const [passed = 0, failed = 0, skipped = 0] = counts
  const isBroken = failed === 0 && (exitCode !== 0 || passed === 0)
  return { passed, failed: isBroken ? 1 : failed, skipped, unsteady: unsteadyIn(json) }
}

/** Reads a report of Playwright, which has `stats`, or of Vitest. */
const countsIn = ({ stats, ...vitest }: Record<string, number> & { stats?: Record<string, number> }) =>
  stats
    ? [(stats['expected'] ?? 0) + (stats['flaky'] ?? 0), stats['unexpected'], stats['skipped']]
    : [
        vitest['numPassedTests'],
        vitest['numFailedTests'],
        (vitest['numPendingTests'] ?? 0) + (vitest['numTodoTests'] ?? 0),
      ]

interface Suite {
  suites?: Suite[]
  specs?: { file: string; title: string; tests: { status: string }[] }[]
}
interface TestFile {
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
}

/** CI repeats a failed test once. The summary names it also if it passed then, because it may be a race of ours. */
function unsteadyIn(report: Suite & { testResults?: TestFile[] }): string[] {
  const inBrowser = (report.specs ?? []).flatMap(({ file, title, tests }) =>
    tests.flatMap(({ status }) =>
      status === 'unexpected' || status === 'flaky' ? `${status}: ${file}: ${title}` : [],
    ),
  )
  const atServer = (report.testResults ?? []).flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ status, fullName, failureMessages }) =>
      failureMessages.length === 0 ? [] : `${status === 'passed' ? 'flaky' : status}: ${fullName}`,
    ),
  )
  return [...inBrowser, ...atServer, ...(report.suites ?? []).flatMap(unsteadyIn)]
}

function summary(results: readonly Result[]): string {
  const sum = (key: 'passed' | 'failed' | 'skipped') => results.reduce((total, result) => total + result[key], 0)
  const rows = results.map(
    ({ name, seconds, passed, failed }) =>
      `${name.padEnd(14)}${String(passed).padStart(7)}${String(failed).padStart(7)}${seconds.toFixed(1).padStart(9)} s`,
  )
  return [
    '',
    `${''.padEnd(14)} passed failed     time`,
    ...rows,
    '',
    ...results.flatMap(({ unsteady }) => unsteady),
    `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`,
  ].join('\n')
}

await main()
