import { startTestPostgres } from '../database/testDatabase.ts'

/** Starts one PostgreSQL for all workers of Playwright, which inherit the environment. */
export default async function browserPostgresSetup(): Promise<() => Promise<void>> {
  const { url, stop } = await startTestPostgres('shipped')
  process.env['TEST_DATABASE_URL'] = url
  return stop
}
