import { startPostgres } from './postgres.ts'

/** Starts one PostgreSQL for a whole `server-pg` run; test files find it by TEST_DATABASE_URL. */
export default async function postgresGlobalSetup(): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  process.env['TEST_DATABASE_URL'] = await postgres.createDatabase('test')
  return () => postgres.stop()
}
