import { join, resolve } from 'node:path'
import { provideAge, provideChromium, provideNginx, providePostgres, provideSwift } from './providePrograms.ts'
import type { Report } from './readCounts.ts'

export interface Check {
  name: string
  /** Program of node_modules/.bin or PATH, then its arguments. */
  command: readonly [string, ...string[]]
  /** Finds or installs what the check needs; a text says what is missing and how to get it. */
  prepare?: () => Promise<string | undefined>
  env?: Record<string, string>
  /** Where the runner leaves its counts; a check without one counts as one. */
  report?: Report
}

const RESULTS = resolve(import.meta.dirname, '../../test-results')

/** The checks of `npm test`, fast ones first. */
export function checks(): Check[] {
  return [
    { name: 'format', command: ['prettier', '--check', '.'] },
    { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
    { name: 'dead exports', command: ['knip', '--no-progress', '--no-config-hints'] },
    { name: 'types', command: ['npm', 'run', '--silent', 'types'] },
    vitest('unit'),
    { ...vitest('server'), prepare: provideServices },
    { ...vitest('server-oldest'), prepare: async () => (await providePostgres()) ?? provideAge() },
    {
      name: 'browser',
      command: ['playwright', 'test'],
      prepare: provideChromium,
      report: { kind: 'playwright', file: join(RESULTS, 'browser.json') },
    },
  ]
}

/** Other people's servers: the proxy in front of the portal, and a store of files. */
async function provideServices(): Promise<string | undefined> {
  await provideNginx()
  return (await provideSwift()) ?? provideAge()
}

function vitest(project: string): Check {
  const file = join(RESULTS, `${project}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  return {
    name: project,
    command: ['vitest', 'run', '--project', project, ...reporters],
    report: { kind: 'vitest', file },
  }
}
