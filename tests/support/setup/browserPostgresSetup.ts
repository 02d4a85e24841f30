import { startTestPostgres } from '../database/testDatabase.ts'

/** One PostgreSQL for all workers of Playwright, which take over the environment. */
export default async function browserPostgresSetup(): Promise<() => Promise<void>> {
  const { url, stop } = await startTestPostgres('shipped')
  process.env['TEST_DATABASE_URL'] = url
  return stop
}
