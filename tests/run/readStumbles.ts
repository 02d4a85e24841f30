import * as v from 'valibot'

const WORDS = 300
// Colours of a terminal, which a log keeps as noise.
// oxlint-disable-next-line no-control-regex
const COLOUR = /\u001b\[[\d;]*m/g

const Vitest = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      message: v.optional(v.string(), ''),
      status: v.string(),
      assertionResults: v.array(
        v.object({ fullName: v.string(), status: v.string(), failureMessages: v.optional(v.array(v.string()), []) }),
      ),
    }),
  ),
})

const Attempt = v.object({ error: v.optional(v.object({ message: v.optional(v.string(), '') })) })
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
const Playwright = v.object({ suites: v.array(Suite) })

/** Names of the tests that failed or needed a second try, each with the first words of its first failure. */
export function readStumbles(kind: 'vitest' | 'playwright', content: unknown): string[] {
  if (kind === 'vitest') {
    const report = v.safeParse(Vitest, content)
    return report.success ? report.output.testResults.flatMap(stumblesOfFile) : []
  }
  const report = v.safeParse(Playwright, content)
  return report.success ? report.output.suites.flatMap(stumblesOfSuite) : []
}

type File = v.InferOutput<typeof Vitest>['testResults'][number]

function stumblesOfFile({ name, message, status, assertionResults }: File): string[] {
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (status === 'failed' && failed.length === 0) return [`FAILED ${name}: ${firstWords(message)}`]
  return failed.map(({ fullName, failureMessages }) => `FAILED ${fullName}: ${firstWords(failureMessages[0])}`)
}

const stumblesOfSuite = ({ specs, suites }: Suite): string[] => [
  ...specs.flatMap(stumblesOfSpec),
  ...suites.flatMap(stumblesOfSuite),
]

const stumblesOfSpec = ({ title, file, line, tests }: Suite['specs'][number]): string[] =>
  tests
    .filter(({ status }) => status === 'unexpected' || status === 'flaky')
    .map(({ status, results }) => {
      const why = results.find(({ error }) => error)?.error?.message
      return `${status === 'flaky' ? 'UNSTEADY' : 'FAILED'} ${file}:${line} ${title}: ${firstWords(why)}`
    })

const firstWords = (message = '') => message.replaceAll(COLOUR, '').replaceAll(/\s+/g, ' ').trim().slice(0, WORDS)
