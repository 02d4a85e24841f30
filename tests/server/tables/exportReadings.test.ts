import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../../support/database/testDatabase.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

it('exports that come all at once leave room for reports, and are refused rather than read at several moments', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 9 }, () => database.openReading('export')))
  const exports = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  expect(exports).toHaveLength(6)
  const refusals = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []))
  expect(refusals.map(({ name }) => name)).toEqual(Array.from({ length: 3 }, () => 'DatabaseUnavailable'))
  const reports = await Promise.all(Array.from({ length: 4 }, () => database.openReading('report')))
  expect(reports).toHaveLength(4)
  await Promise.all([...exports, ...reports].map((one) => one.close()))
  await (await database.openReading('export')).close()
})
