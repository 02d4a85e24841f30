import { join, resolve } from 'node:path'
import { engineNames, type ProgramName } from './programs.ts'

export interface Check {
  name: string
  /** Program of node_modules/.bin or PATH, then its arguments. */
  command: readonly [string, ...string[]]
  /** Without one of these it fails, and says so. */
  needs?: readonly ProgramName[]
  env?: Record<string, string>
  /** Where the runner leaves its counts; a check without one counts as one. */
  report?: string
}

const RESULTS = resolve(import.meta.dirname, '../../test-results')

/**
 * `short` is what `npm test` runs. `all` shows the same over more of a kind: each width, each code, each fault of a file or a
 * network, each state of every screen without a connection.
 */
export type Form = 'short' | 'all'

/** Fast ones first. Those of one group leave a core to each other, and run at the same time. */
export function checks(form: Form): Check[][] {
  const inForm = { env: { TEST_FORM: form } }
  return [
    [
      { name: 'format', command: ['oxfmt', '--check'] },
      { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
      { name: 'dead exports', command: ['knip', '--no-progress', '--no-config-hints'] },
      { name: 'types', command: ['npm', 'run', '--silent', 'types'] },
    ],
    [{ ...vitest('unit'), ...inForm }],
    [{ ...vitest('server'), ...inForm, needs: ['shippedPostgres', 'oldestPostgres', 'swift'] }],
    [
      { ...vitest('server-oldest'), ...inForm, needs: ['oldestPostgres'] },
      // Two worlds that are always the same, then others for the rest of half a minute.
      { name: 'simulation', command: ['npm', 'run', '--silent', 'simulate:short'], needs: ['shippedPostgres'] },
    ],
    [
      {
        name: 'browser',
        command: ['playwright', 'test', ...(form === 'short' ? ['--grep', '@short'] : [])],
        ...inForm,
        needs: ['shippedPostgres', 'chromium', 'headlessShell'],
        report: join(RESULTS, 'browser.json'),
      },
    ],
    ...engineChecks(),
  ]
}

/** The short form of `npm run test:browsers`, in the engines that are installed beside Chromium. */
function engineChecks(): Check[][] {
  const projects = engineNames().map((name) => `--project=${name}`)
  if (projects.length === 0) return []
  const config = 'tests/browsers/browsers.config.ts'
  return [
    [
      {
        name: 'engines',
        command: ['playwright', 'test', '-c', config, '--grep', '@short', ...projects],
        needs: ['shippedPostgres'],
        env: { BUILDS: 'made' },
        report: join(RESULTS, 'engines.json'),
      },
    ],
  ]
}

function vitest(project: string): Check {
  const file = join(RESULTS, `${project}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  return {
    name: project,
    command: ['vitest', 'run', '--project', project, ...reporters],
    report: file,
  }
}
