import { existsSync, readFileSync, rmSync } from 'node:fs'
import * as v from 'valibot'

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
  stats: v.object({ expected: v.number(), unexpected: v.number(), skipped: v.number() }),
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
    const { expected, unexpected, skipped } = v.parse(Playwright, content).stats
    return { passed: expected, failed: unexpected, skipped, tests }
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = v.parse(Vitest, content)
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests, tests }
}

interface RunTest {
  name: string
  seconds: number
  /** The first words of why it failed; nothing when it passed. */
  failure?: string
}

/** Enough for what a property was refuted by. */
const WORDS = 1_000

// Colours of a terminal, which a log keeps as noise.
// oxlint-disable-next-line no-control-regex
const COLOUR = /\u001b\[[\d;]*m/g

const VitestTests = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      message: v.optional(v.string(), ''),
      status: v.string(),
      assertionResults: v.array(
        v.object({
          fullName: v.string(),
          status: v.string(),
          duration: v.nullish(v.number(), 0),
          failureMessages: v.optional(v.array(v.string()), []),
        }),
      ),
    }),
  ),
})

const Attempt = v.object({
  duration: v.optional(v.number(), 0),
  error: v.optional(v.object({ message: v.optional(v.string(), '') })),
})

const Spec = v.object({
  title: v.string(),
  file: v.string(),
  line: v.number(),
  tests: v.array(v.object({ status: v.string(), results: v.array(Attempt) })),
})

interface Suite {
  specs: v.InferOutput<typeof Spec>[]
  suites: Suite[]
}

const Suite: v.GenericSchema<unknown, Suite> = v.object({
  specs: v.optional(v.array(Spec), []),
  suites: v.optional(v.array(v.lazy(() => Suite)), []),
})

const PlaywrightSuites = v.object({ suites: v.array(Suite) })

/** Every test of a runner's report, with its time and why it failed. */
function readTests(kind: 'vitest' | 'playwright', content: unknown): RunTest[] {
  if (kind === 'vitest') {
    const report = v.safeParse(VitestTests, content)
    return report.success ? report.output.testResults.flatMap(testsOfFile) : []
  }
  const report = v.safeParse(PlaywrightSuites, content)
  return report.success ? report.output.suites.flatMap(testsOfSuite) : []
}

type File = v.InferOutput<typeof VitestTests>['testResults'][number]

function testsOfFile({ name, message, status, assertionResults }: File): RunTest[] {
  const tests = assertionResults.map(({ fullName, status: outcome, duration, failureMessages }) => ({
    name: fullName,
    seconds: duration / 1_000,
    ...(outcome === 'failed' ? { failure: firstWords(failureMessages[0]) } : {}),
  }))
  // A file that could not be loaded, or whose preparation failed.
  const isUnsaid = status === 'failed' && !assertionResults.some((test) => test.status === 'failed')
  return isUnsaid ? [...tests, { name, seconds: 0, failure: firstWords(message) }] : tests
}

const testsOfSuite = ({ specs, suites }: Suite): RunTest[] => [
  ...specs.flatMap(testsOfSpec),
  ...suites.flatMap(testsOfSuite),
]

const testsOfSpec = ({ title, file, line, tests }: Suite['specs'][number]): RunTest[] =>
  tests.map(({ status, results }) => ({
    name: `${file}:${line} ${title}`,
    seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1_000,
    ...(status === 'unexpected' ? { failure: firstWords(results.find(({ error }) => error)?.error?.message) } : {}),
  }))

const firstWords = (message = '') => message.replaceAll(COLOUR, '').replaceAll(/\s+/g, ' ').trim().slice(0, WORDS)
