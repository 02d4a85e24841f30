import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries } from '../../server/db/embedded/binaries.ts'
import { findProgram } from '../cluster/clusterPrograms.ts'
import { findChromium, findHeadlessShell } from '../support/browser/chromium.ts'
import { DEBIAN_POSTGRES } from '../support/database/debianPostgres.ts'
import { nginxBinary } from '../support/operations/nginx.ts'
import { PYTHON } from '../support/uploads/swift.ts'

export interface Program {
  name: string
  /** What is installed; `undefined` when nothing is. */
  version: () => string | undefined | Promise<string | undefined>
  /** The oldest that the tests can use. */
  oldest: string
  why: string
  /** What Debian calls it; without, only a person can install it, or another command. */
  packages?: readonly string[]
  installedBy?: string
  /** What is installed first, and what is done before the rest is. */
  first?: { packages: readonly string[]; prepare: () => void }
  /** Debian would start it. */
  isService?: boolean
  /** Set where somebody chose the program: it is used as it is. */
  chosenBy?: string
  /** What is done without it, where that is not a failure. */
  without?: string
}

/** What a program of this machine says of its version; `undefined` when there is none that runs. */
export function versionOf(program?: string, args = ['--version'], env = process.env): string | undefined {
  if (!program) return undefined
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' })
  // nginx says it where errors go.
  return status === 0 ? (/\d+(?:\.\d+)*/.exec(stdout + stderr)?.[0] ?? '0') : undefined
}

const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  engines: { node: string }
}

const BROWSER = {
  oldest: '150',
  why: 'the browser tests were never seen to pass in an older one; the portal itself runs in older ones, docs/BROWSERS.md',
  packages: ['chromium', 'chromium-headless-shell'],
  ...(process.env['CHROMIUM'] ? { chosenBy: 'CHROMIUM' } : {}),
}

/** All that the checks need beside what npm installs. */
export const PROGRAMS = {
  node: {
    name: 'Node',
    version: () => process.versions.node,
    oldest: engines.node.replace('>=', ''),
    why: 'package.json',
  },
  npm: { name: 'npm', version: () => versionOf('npm'), oldest: '10', why: 'it came with Node 20, and has `npm sbom`' },
  shippedPostgres: {
    name: 'PostgreSQL, embedded',
    version: shippedPostgres,
    oldest: '18',
    why: 'package.json has it: npm ci',
  },
  oldestPostgres: {
    name: 'PostgreSQL, oldest',
    version: () => versionOf(join(DEBIAN_POSTGRES, 'postgres')),
    oldest: '15',
    why: 'the oldest that the portal supports',
    packages: ['postgresql-15'],
    first: { packages: ['postgresql-common'], prepare: makeNoCluster },
  },
  nginx: {
    name: 'nginx',
    version: () => versionOf(nginxBinary(), ['-v']),
    oldest: '1.22',
    why: 'deploy/nginx.conf was never run with an older one',
    packages: ['nginx-light', 'openssl'],
    isService: true,
    without: 'its tests are skipped',
  },
  promtool: {
    name: 'promtool of Prometheus',
    version: () => versionOf('promtool'),
    oldest: '2.42',
    why: 'deploy/monitoring was never checked by an older one',
    packages: ['prometheus'],
    isService: true,
    without: 'its tests are skipped',
  },
  haproxy: {
    name: 'haproxy',
    version: () => versionOf(findProgram('haproxy'), ['-v']),
    oldest: '2.6',
    why: 'deploy/cluster/haproxy.cfg was never run with an older one',
    packages: ['haproxy'],
    isService: true,
    without: 'its test is skipped, and there is no reference cluster',
  },
  faketime: {
    name: 'libfaketime',
    version: () => versionOf('faketime'),
    oldest: '0.9',
    why: 'the tests of clocks were never run with an older one',
    packages: ['faketime'],
    without: 'the tests of clocks are skipped',
  },
  swift: {
    name: 'OpenStack Swift',
    version: () => versionOf(PYTHON, ['-c', 'from importlib.metadata import version; print(version("swift"))']),
    oldest: '2.30',
    why: 'the store was never run with an older one',
    packages: ['python3-swift'],
  },
  age: {
    name: 'age',
    version: () => versionOf('age'),
    oldest: '1.0',
    why: '`age-keygen -y` is not in older ones',
    packages: ['age'],
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

async function shippedPostgres(): Promise<string | undefined> {
  const found = await findBinaries(join(tmpdir(), 'portal-postgres-lib')).catch(() => undefined)
  return found && versionOf(found.postgres, ['--version'], found.env)
}

const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.conf'

/** Debian's package would start a server of its own on port 5432; the tests bring their own and must not leave one behind. */
function makeNoCluster(): void {
  if (!existsSync(CLUSTER_SETTINGS)) return
  const settings = readFileSync(CLUSTER_SETTINGS, 'utf8')
  writeFileSync(CLUSTER_SETTINGS, settings.replace(/^#?\s*create_main_cluster\s*=.*$/m, 'create_main_cluster = false'))
}
