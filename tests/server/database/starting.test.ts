import { Client } from 'pg'
import { expect, it, vi } from 'vitest'
import type { Database } from '../../../server/db/engine/Database.ts'
import { MIGRATION_LOCK, withMigrationLock } from '../../../server/db/engine/migrationLock.ts'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { findOrganisation, insertOrganisation } from '../../../server/db/merchants/organisations.ts'
import { organisation } from '../../../server/db/schema/organisations.ts'
import { makeOrganisation } from '../../support/database/builders.ts'
import { createDatabase } from '../../support/database/testDatabase.ts'
import { recordedLog, silentLog } from '../../support/server/silentLog.ts'

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

/** Makes a database whose migration lock another session holds until `die`. */
async function lockedDatabase() {
  const { url, drop } = await createDatabase({ isMigrated: false })
  const open = async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    return client
  }
  const [holder, other] = [await open(), await open()]
  await holder.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
  const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const remove = async () => {
    await other.end()
    await drop()
  }
  return { url, pid: rows[0]!.pid, other, die: () => holder.end(), remove }
}

it('a start waits for the migration of another server, says so once, and goes on when that server has died', async () => {
  const { url, die, remove } = await lockedDatabase()
  const log = recordedLog()
  const opened = openPostgresql(url, log)
  await vi.waitFor(() => expect(log.events.map(({ event }) => event)).toEqual(['waiting_for_migration']), 10_000)
  await die()
  const database = await opened
  expect(await namesIn(database)).toEqual([])
  expect(log.events).toHaveLength(1)
  await database.close()
  await remove()
})

it('a start that waits for ten minutes ends, and names the process that holds the lock', async () => {
  const { pid, other, die, remove } = await lockedDatabase()
  let [now, isRun] = [0, false]
  const clock = { now: () => now, pause: async () => void (now += 1_000) }
  const log = recordedLog()
  const work = async () => void (isRun = true)
  await expect(withMigrationLock(other, log, work, clock)).rejects.toThrow(
    `Another server has held the migration lock for ten minutes, in process ${pid} of PostgreSQL. If no server is starting, run: SELECT pg_terminate_backend(${pid})`,
  )
  expect([now, isRun, log.events.length]).toEqual([601_000, false, 1])
  await die()
  await remove()
})

it('a migration that fails leaves no lock behind, even if its session goes on, as behind a pooler', async () => {
  const { url, other, die, remove } = await lockedDatabase()
  await die()
  const failing = () => Promise.reject(new Error('no table'))
  await expect(withMigrationLock(other, silentLog, failing)).rejects.toThrow('no table')
  const database = await openPostgresql(url, silentLog)
  await database.close()
  await remove()
})
