import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { DEBIAN_POSTGRES } from '../support/database/debianPostgres.ts'
import { ClusterError } from './ClusterError.ts'

/** The names of Debian's packages, by the programs they contain. */
const PACKAGES = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  nginx: 'nginx-light',
  psql: 'postgresql-client-15',
  openssl: 'openssl',
}

/** A user's shell often has no `sbin` in its PATH. */
const DEBIAN_FOLDERS = ['/usr/bin', '/usr/sbin']

/** Returns the path of a program on this machine. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...DEBIAN_FOLDERS]
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
}

/** @throws ClusterError PROGRAM_MISSING, whose message says what to install */
export function expectPrograms(packages: Record<string, string> = PACKAGES): void {
  const programs = Object.entries(packages).filter(([program]) => !findProgram(program))
  const missing = programs.map(([, name]) => name)
  if (!existsSync(join(DEBIAN_POSTGRES, 'postgres'))) missing.push('postgresql-15')
  if (missing.length === 0) return
  throw new ClusterError(
    'PROGRAM_MISSING',
    `The cluster needs programs that are not here: apt-get update && apt-get install ${missing.join(' ')}`,
  )
}
