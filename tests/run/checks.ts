import { join, resolve } from 'node:path'
import { engineNames, type ProgramName } from './programs.ts'

export interface Check {
  name: string
  /** A program in node_modules/.bin or PATH, then its arguments. */
  command: readonly [string, ...string[]]
  /** Programs that the check needs: it fails without one, and says so. */
  needs?: readonly ProgramName[]
  env?: Record<string, string>
  /** The file in which the runner leaves its counts; a check without one counts as one. */
  report?: string
}

const RESULTS = resolve(import.meta.dirname, '../../test-results')

/**
 * `short` is what `npm test` runs. `all` tests more cases of the same kinds: each width, each code, each fault of a file or a
 * network, each state of every screen without a connection.
 */
export type Form = 'short' | 'all'

/** What `npm run test:peers` runs: the portal beside real mail servers, proxies and poolers. */
export const PEER_CHECKS: Check[][] = [[{ ...vitest('peers'), needs: ['shippedPostgres', 'oldestPostgres'] }]]

/** Fast checks first. The checks of one group need less than a core each, and run at the same time. */
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
      // Two fixed worlds, then new ones for the rest of half a minute.
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

/** The short form of `npm run test:browsers`, in the installed engines other than Chromium. */
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
