import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Debian's PostgreSQL 15: the oldest version that is supported, with `psql`, `pgbench` and `pg_dump`. */
export const DEBIAN_POSTGRES = '/usr/lib/postgresql/15/bin'

export const hasDebianPostgres = (): boolean => existsSync(join(DEBIAN_POSTGRES, 'postgres'))
