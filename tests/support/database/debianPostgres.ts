/** Debian's PostgreSQL 15: the oldest version that is supported, with `psql`, `pgbench` and `pg_dump`. */
export const DEBIAN_POSTGRES = '/usr/lib/postgresql/15/bin'
