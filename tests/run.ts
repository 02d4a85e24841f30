import { checks } from './run/checks.ts'
import { enginePrograms } from './run/enginePrograms.ts'
import { PROGRAMS } from './run/programs.ts'
import { providePrograms } from './run/providePrograms.ts'
import { readCounts } from './run/readCounts.ts'
import { runCommand } from './run/runCommand.ts'
import { summary, type CheckResult } from './run/summary.ts'

/** `npm test` and `npm run test:all`: every check in order, none hidden by an earlier failure, and one line of counts at the end. */
async function main(): Promise<void> {
  const lacking = await providePrograms([...Object.values(PROGRAMS), ...enginePrograms('are told')])
  const results: CheckResult[] = []
  for (const check of checks(process.argv.includes('--all') ? 'all' : 'short')) {
    console.log(`\n── ${check.name} ──`)
    const started = performance.now()
    const missing = (check.needs ?? []).flatMap((name) => lacking.get(PROGRAMS[name].name) ?? [])
    for (const words of missing) console.error(words)
    const exitCode = missing.length > 0 ? 1 : await runCommand(check.command, check.env)
    const counts =
      missing.length > 0 ? { passed: 0, failed: 1, skipped: 0, tests: [] } : readCounts(exitCode, check.report)
    results.push({ name: check.name, seconds: (performance.now() - started) / 1_000, exitCode, ...counts })
  }
  console.log(summary(results))
  process.exitCode = results.every(({ exitCode, failed }) => exitCode === 0 && failed === 0) ? 0 : 1
}

await main()
