import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../support/engines.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** One that takes turns on the connections of everybody has no database of its own. */
const isOwn = ({ db }: { db: unknown }) => db !== database.db

it('exports that come all at once leave room for reports, and each of them is read', async () => {
  const exports = await Promise.all(Array.from({ length: 9 }, () => database.openExport()))
  expect(exports.filter(isOwn)).toHaveLength(database.engine === 'postgresql' ? 4 : 0)
  const reports = await Promise.all(Array.from({ length: 4 }, () => database.openReading()))
  expect(reports).toHaveLength(4)
  await Promise.all([...exports, ...reports].map((one) => one.close()))
  const next = await database.openExport()
  expect(isOwn(next)).toBe(database.engine === 'postgresql')
  await next.close()
})
