import { existsSync } from 'node:fs'
import { runCommand } from './runCommand.ts'

const QUIET = { DEBIAN_FRONTEND: 'noninteractive' }

/**
 * Installs packages where this process may: as root on Debian or a child of it. Answers what to do instead when it may not
 * or apt fails.
 */
export async function installDebianPackages(...packages: string[]): Promise<string | undefined> {
  const byHand = `apt-get install ${packages.join(' ')}`
  if (!existsSync('/etc/debian_version'))
    return `Missing here, and this is not Debian: install what Debian calls ${packages.join(', ')}.`
  if (process.getuid?.() !== 0) return `Missing here, and only root can install it: sudo ${byHand}`
  if ((await runCommand(['apt-get', 'update', '-qq'], QUIET)) !== 0) return 'Missing here, and apt-get update failed.'
  const install = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages] as const
  return (await runCommand(install, QUIET)) === 0 ? undefined : `Missing here, and this failed: ${byHand}`
}
