import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Database } from '../../server/db/Database.ts'
import { openDatabase } from '../../server/db/openDatabase.ts'
import { organisation } from '../../server/db/schema.ts'
import { makeOrganisation } from '../support/builders.ts'
import { createDatabase } from '../support/engines.ts'
import { silentLog } from '../support/silentLog.ts'

const namesIn = async ({ db }: Database) => (await db.select().from(organisation)).map(({ name }) => name)

/** The embedded engine twice after another, PostgreSQL twice at the same time: what each of them allows. */
const STARTS = {
  async embedded() {
    const dataDir = mkdtempSync(join(tmpdir(), 'starting-'))
    const first = await openDatabase({ dataDir }, silentLog)
    const { name } = await makeOrganisation(first.db)
    await first.close()
    const second = await openDatabase({ dataDir }, silentLog)
    const found = await namesIn(second)
    await second.close()
    rmSync(dataDir, { recursive: true })
    return { name, found }
  },
  async postgresql(server: string) {
    const { url, drop } = await createDatabase(server)
    const [first, second] = await Promise.all([openDatabase({ url }, silentLog), openDatabase({ url }, silentLog)])
    const { name } = await makeOrganisation(first.db)
    const found = await namesIn(second)
    await Promise.all([first.close(), second.close()])
    await drop()
    return { name, found }
  },
}

it('migrates once, however often and however simultaneously servers start', async () => {
  const server = process.env['TEST_DATABASE_URL']
  const { name, found } = server ? await STARTS.postgresql(server) : await STARTS.embedded()
  expect(found).toEqual([name])
})
