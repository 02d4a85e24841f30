import { existsSync, readFileSync, rmSync } from 'node:fs'
import * as v from 'valibot'
import { readStumbles } from './readStumbles.ts'

export interface Report {
  kind: 'vitest' | 'playwright'
  file: string
}

export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Passed, but only on the second try: to be looked into, and said aloud. */
  unsteady?: number
  /** What failed or was unsteady, by name, with the first words of why: a long log is often kept by its end only. */
  stumbles?: string[]
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
  if (!report) return exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }
  const counts = existsSync(report.file) ? parse(report) : { passed: 0, failed: 0, skipped: 0 }
  // A report of an earlier run must not be read for a later one that dies before writing.
  rmSync(report.file, { force: true })
  const silent = counts.failed === 0 && (exitCode !== 0 || counts.passed === 0)
  return silent ? { ...counts, failed: 1 } : counts
}

function parse({ kind, file }: Report): Counts {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const found = readStumbles(kind, content)
  const stumbles = found.length > 0 ? { stumbles: found } : {}
  if (kind === 'playwright') {
    const { expected, unexpected, flaky, skipped } = v.parse(Playwright, content).stats
    const unsteady = flaky > 0 ? { unsteady: flaky } : {}
    return { passed: expected + flaky, failed: unexpected, skipped, ...unsteady, ...stumbles }
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = v.parse(Vitest, content)
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests, ...stumbles }
}
