import { expect, it } from 'vitest'
import type { Database } from '../../../server/db/engine/Database.ts'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { findOrganisation, insertOrganisation } from '../../../server/db/merchants/organisations.ts'
import { organisation } from '../../../server/db/schema/organisations.ts'
import { makeOrganisation } from '../../support/database/builders.ts'
import { createDatabase } from '../../support/database/testDatabase.ts'
import { silentLog } from '../../support/server/silentLog.ts'

const namesIn = async ({ db }: Database) => (await db.select().from(organisation)).map(({ name }) => name)

it('migrates once, however simultaneously servers start', async () => {
  const { url, drop } = await createDatabase({ isMigrated: false })
  const [first, second] = await Promise.all([openPostgresql(url, silentLog), openPostgresql(url, silentLog)])
  const { name } = await makeOrganisation(first.db)
  expect(await namesIn(second)).toEqual([name])
  await Promise.all([first.close(), second.close()])
  await drop()
})

it('numbers merchants from 101 upward', async () => {
  const { url, drop } = await createDatabase({ isMigrated: false })
  const database = await openPostgresql(url, silentLog)
  const { db } = database
  const nextNumber = async () => {
    const id = await insertOrganisation(db, { name: 'Kopi & Grain Pte. Ltd.', type: 'HRP', status: 'Active' })
    return (await findOrganisation(db, id))?.merchantId
  }
  expect([await nextNumber(), await nextNumber()]).toEqual(['101', '102'])
  await database.close()
  await drop()
})
