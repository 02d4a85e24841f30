import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const DEBIAN = '/usr/lib/postgresql/15/bin'

/** The folder that holds `initdb`, `postgres` and `pgbench`, or `undefined` when this machine has no PostgreSQL. */
export function postgresBinaries(): string | undefined {
  const folders = [DEBIAN, ...(process.env['PATH'] ?? '').split(delimiter)]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}
