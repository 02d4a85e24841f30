import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries } from '../../server/db/embedded/programs.ts'
import { findProgram } from '../cluster/clusterPrograms.ts'
import { findChromium, findHeadlessShell } from '../support/browser/chromium.ts'
import { DEBIAN_POSTGRES } from '../support/database/debianPostgres.ts'
import { ENGINES, installedEngines } from '../support/engines/engines.ts'
import { nginxBinary } from '../support/operations/nginx.ts'
import { PYTHON } from '../support/uploads/swift.ts'
import { runCommand } from './runCommand.ts'
import { versionOf } from './versionOf.ts'

interface Program {
  name: string
  /** Returns the installed version; `undefined` when the program is not installed. */
  version: () => string | undefined | Promise<string | undefined>
  /** The oldest version that is known to pass the tests. */
  oldest: string
  /** Debian's packages; without them only a person can install the program. */
  packages?: readonly string[]
  /** Says what is skipped without the program, where its absence is not a failure. */
  without?: string
}

const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  engines: { node: string }
}

const SKIPPED = 'its tests are skipped'
/** A browser chosen by `CHROMIUM` is never replaced. */
const BROWSER = process.env['CHROMIUM']
  ? { oldest: '150' }
  : { oldest: '150', packages: ['chromium', 'chromium-headless-shell'] }

/** All programs that the checks need besides those that npm installs. */
export const PROGRAMS = {
  node: { name: 'Node', version: () => process.versions.node, oldest: engines.node.replace('>=', '') },
  shippedPostgres: { name: 'PostgreSQL of npm ci', version: shippedPostgres, oldest: '18' },
  oldestPostgres: {
    name: 'PostgreSQL, the oldest that is supported',
    version: () => versionOf(join(DEBIAN_POSTGRES, 'postgres')),
    oldest: '15',
    packages: ['postgresql-15'],
  },
  nginx: {
    name: 'nginx',
    version: () => versionOf(nginxBinary(), ['-v']),
    oldest: '1.22',
    packages: ['nginx-light', 'openssl'],
    without: SKIPPED,
  },
  promtool: {
    name: 'promtool of Prometheus',
    version: () => versionOf('promtool'),
    oldest: '2.42',
    packages: ['prometheus'],
    without: SKIPPED,
  },
  haproxy: {
    name: 'haproxy',
    version: () => versionOf(findProgram('haproxy'), ['-v']),
    oldest: '2.6',
    packages: ['haproxy'],
    without: SKIPPED,
  },
  swift: {
    name: 'OpenStack Swift',
    version: () => versionOf(PYTHON, ['-c', 'from importlib.metadata import version; print(version("swift"))']),
    oldest: '2.30',
    packages: ['python3-swift'],
  },
  chromium: { name: 'Chromium', version: () => versionOf(findChromium()), ...BROWSER },
  headlessShell: {
    name: 'Chromium without windows',
    version: () => versionOf(findHeadlessShell()),
    ...BROWSER,
    without: 'the whole browser takes its place',
  },
} satisfies Record<string, Program>

export type ProgramName = keyof typeof PROGRAMS

const debian = (name: string, oldest: string, args: string[] = ['-v'], packages = [name]): Program => ({
  name,
  version: () => versionOf(findProgram(name), args),
  oldest,
  packages,
})

/** The programs beside which `npm run test:peers` runs the portal. */
export const PEERS: readonly Program[] = [
  debian('nginx', '1.22', ['-v'], ['nginx-light', 'openssl']),
  debian('haproxy', '2.6'),
  debian('caddy', '2.6', ['version']),
  debian('lighttpd', '1.4'),
  debian('apache2', '2.4'),
  debian('postconf', '3.7', ['-h', 'mail_version'], ['postfix']),
  debian('pgbouncer', '1.18', ['--version']),
  debian('pgpool', '4.3', ['--version'], ['pgpool2']),
]

async function shippedPostgres(): Promise<string | undefined> {
  const found = await findBinaries(join(tmpdir(), 'portal-postgres-lib')).catch(() => undefined)
  return found && versionOf(found.postgres, ['--version'], found.env)
}

const isOther = ({ name }: (typeof ENGINES)[number]) => name !== 'chromium'

/** The engines in Debian's archive, other than the Chromium of the browser tests. */
export const ENGINE_PROGRAMS: readonly Program[] = ENGINES.filter((engine) => isOther(engine) && engine.packages).map(
  ({ name, version, packages = [] }) => ({ name, version, oldest: '0', packages, without: 'nothing is tested in it' }),
)

/** The names of the installed ones. */
export const engineNames = (): string[] =>
  installedEngines()
    .filter(isOther)
    .map(({ name }) => name)

/**
 * Prints the version of each program. A missing or outdated one is installed first, if this is root on Debian. Returns
 * the problem of each program that cannot be used, by its name.
 */
export async function providePrograms(programs: readonly Program[]): Promise<Map<string, string>> {
  const wanting: Program[] = []
  for (const program of programs) if (program.packages && (await whatIsWrong(program))) wanting.push(program)
  if (wanting.length > 0) await install([...new Set(wanting.flatMap(({ packages = [] }) => packages))])
  const missing = new Map<string, string>()
  for (const program of programs) {
    const { name, version, without } = program
    const wrong = await whatIsWrong(program)
    if (wrong && without && (await version()) === undefined) console.log(`${wrong} Without it ${without}.`)
    else if (wrong) missing.set(name, wrong)
    else console.log(`${name} ${await version()}`)
  }
  return missing
}

const { compare } = new Intl.Collator('en', { numeric: true })

async function whatIsWrong({ name, version, oldest, packages }: Program): Promise<string | undefined> {
  const found = await version()
  if (found !== undefined && compare(found, oldest) >= 0) return undefined
  const how = packages ? `apt-get install ${packages.join(' ')}` : 'install it by hand'
  return `${name} ${found ?? 'is not here'}: the tests need ${oldest} or later (${how}).`
}

const POLICY = '/usr/sbin/policy-rc.d'

/** Installs all at once. A package that the archive does not have does not stop the others. */
async function install(packages: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0 || versionOf('apt-get') === undefined) return
  // Waits for the lock: a machine that has just started may be upgrading itself.
  const apt = (...args: string[]) =>
    runCommand(['apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], { DEBIAN_FRONTEND: 'noninteractive' })
  const get = (...names: string[]) => apt('install', '-y', '--no-install-recommends', ...names)
  await apt('update')
  // Debian's packages would start their own servers, on ports 80 and 5432; invoke-rc.d(8) asks this file first.
  const isOurs = !existsSync(POLICY)
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    if ((await get(...packages)) !== 0) for (const name of packages) await get(name)
  } finally {
    if (isOurs) rmSync(POLICY)
  }
}
