import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { findChromium, findHeadlessShell } from '../support/browser/chromium.ts'
import { hasDebianPostgres } from '../support/database/debianPostgres.ts'
import { ageIsInstalled } from '../support/operations/ageKeys.ts'
import { nginxBinary } from '../support/operations/nginx.ts'
import { swiftIsInstalled } from '../support/uploads/swift.ts'
import { runCommand } from './runCommand.ts'

const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.conf'

/** Finds PostgreSQL or installs it; answers what is missing otherwise. */
export async function providePostgres(): Promise<string | undefined> {
  if (hasDebianPostgres()) return undefined
  const failure = (await installDebianPackages('postgresql-common')) ?? (await installServerWithoutCluster())
  return failure && `PostgreSQL: ${failure}`
}

/** Debian's package would start a server of its own on port 5432; the tests bring their own and must not leave one behind. */
async function installServerWithoutCluster(): Promise<string | undefined> {
  if (existsSync(CLUSTER_SETTINGS)) {
    const settings = readFileSync(CLUSTER_SETTINGS, 'utf8')
    writeFileSync(
      CLUSTER_SETTINGS,
      settings.replace(/^#?\s*create_main_cluster\s*=.*$/m, 'create_main_cluster = false'),
    )
  }
  return installDebianPackages('postgresql-15')
}

/** Finds Chromium and its headless shell, or installs them; answers what is missing otherwise. */
export async function provideChromium(): Promise<string | undefined> {
  const isWhole = findChromium() && findHeadlessShell()
  const failure = isWhole ? undefined : await installDebianPackages('chromium', 'chromium-headless-shell')
  if (findChromium()) return undefined
  return `Chromium: ${failure} Or set CHROMIUM to the path of a browser.`
}

const POLICY = '/usr/sbin/policy-rc.d'

/** Finds nginx or installs it; where it cannot, says so: its tests are skipped, and nothing else needs it. */
export async function provideNginx(): Promise<void> {
  if (nginxBinary()) return
  const failure = await withoutStarting(() => installDebianPackages('nginx-light', 'openssl'))
  if (failure) console.error(`nginx, whose tests are skipped: ${failure}`)
}

/** Debian's package would start a server of its own on port 80; invoke-rc.d(8) asks this file first. */
async function withoutStarting<T>(install: () => Promise<T>): Promise<T> {
  const isOurs = process.getuid?.() === 0 && !existsSync(POLICY)
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    return await install()
  } finally {
    if (isOurs) rmSync(POLICY)
  }
}

/** Finds OpenStack Swift or installs its library, which starts nothing by itself; answers what is missing otherwise. */
export async function provideSwift(): Promise<string | undefined> {
  if (swiftIsInstalled()) return undefined
  const failure = await installDebianPackages('python3-swift')
  return failure && `OpenStack Swift: ${failure}`
}

/** Finds age or installs it, which encrypts backups; answers what is missing otherwise. */
export async function provideAge(): Promise<string | undefined> {
  if (ageIsInstalled()) return undefined
  const failure = await installDebianPackages('age')
  return failure && `age: ${failure}`
}

const QUIET = { DEBIAN_FRONTEND: 'noninteractive' }

/**
 * Installs packages where this process may: as root on Debian or a child of it. Answers what to do instead when it may not
 * or apt fails.
 */
async function installDebianPackages(...packages: string[]): Promise<string | undefined> {
  const byHand = `apt-get install ${packages.join(' ')}`
  if (!existsSync('/etc/debian_version'))
    return `Missing here, and this is not Debian: install what Debian calls ${packages.join(', ')}.`
  if (process.getuid?.() !== 0) return `Missing here, and only root can install it: sudo ${byHand}`
  if ((await runCommand(['apt-get', 'update', '-qq'], QUIET)) !== 0) return 'Missing here, and apt-get update failed.'
  const install = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages] as const
  return (await runCommand(install, QUIET)) === 0 ? undefined : `Missing here, and this failed: ${byHand}`
}
