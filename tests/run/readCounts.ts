import { existsSync, readFileSync, rmSync } from 'node:fs'
import * as v from 'valibot'
import { readTests, type RunTest } from './readTests.ts'

export interface Report {
  kind: 'vitest' | 'playwright'
  file: string
}

export interface Counts {
  passed: number
  failed: number
  skipped: number
  tests: RunTest[]
}

const Vitest = v.object({
  numPassedTests: v.number(),
  numFailedTests: v.number(),
  numPendingTests: v.number(),
  numTodoTests: v.number(),
})
const Playwright = v.object({
  stats: v.object({ expected: v.number(), unexpected: v.number(), flaky: v.number(), skipped: v.number() }),
})

/**
 * What a finished check counts as. A runner that fails without a failed test (a file that does not load, no report at all,
 * nothing to run) counts as one failure: a check never passes by saying nothing.
 */
export function readCounts(exitCode: number, report?: Report): Counts {
  if (!report) return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0, tests: [] }
  const counts = existsSync(report.file) ? parse(report) : { passed: 0, failed: 0, skipped: 0, tests: [] }
  // A report of an earlier run must not be read for a later one that dies before writing.
  rmSync(report.file, { force: true })
  const silent = counts.failed === 0 && (exitCode !== 0 || counts.passed === 0)
  return silent ? { ...counts, failed: 1 } : counts
}

function parse({ kind, file }: Report): Counts {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const tests = readTests(kind, content)
  if (kind === 'playwright') {
    const { expected, unexpected, flaky, skipped } = v.parse(Playwright, content).stats
    return { passed: expected + flaky, failed: unexpected, skipped, tests }
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = v.parse(Vitest, content)
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests, tests }
}
