import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openEmbedded, type EmbeddedUse } from '../../../server/db/embedded/openEmbedded.ts'
import type { Database } from '../../../server/db/engine/Database.ts'
import { organisation } from '../../../server/db/schema/organisations.ts'
import type { Ask } from '../../support/api/portalClient.ts'
import { makeOrganisation, makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { CountingTill } from '../../support/redemptions/CountingTill.ts'
import { freshVouchers } from '../../support/redemptions/seedTills.ts'
import { testTill } from '../../support/redemptions/testTill.ts'
import { spawnServer, startServer, type ServerProcess } from '../../support/server/serverProcess.ts'
import { recordedLog, silentLog } from '../../support/server/silentLog.ts'

/** The first test begins with an empty folder. The others go on with its database, because making one takes long. */
const folder = mkdtempSync(join(tmpdir(), 'embedded-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ENV = { DATA_DIR: folder, DEMO: 'off', MFA: 'optional' }
const open = (use: Partial<EmbeddedUse> = {}) => openEmbedded(folder, silentLog, { by: 'server', ...use })
const namesIn = async ({ db }: Database) => (await db.select().from(organisation)).map(({ name }) => name)
const pidOf = () => Number(readFileSync(join(folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
const readyOf = async ({ url }: ServerProcess) => {
  const response = await fetch(`${url}/api/ready`)
  return { status: response.status, body: (await response.json()) as { data: Record<string, unknown> } }
}

describe('a server without DATABASE_URL', () => {
  it('FLT-08: is refused by name while another one has the folder, also when both start at once', async () => {
    const starts = await Promise.all([spawnServer(ENV), spawnServer(ENV)])
    const outcomes = await Promise.allSettled(starts.map((server) => server.untilReady()))
    const running = starts.filter((server) => server.isRunning())
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(running).toHaveLength(1)
    await expect(open()).rejects.toMatchObject({
      code: 'IN_USE',
      message: expect.stringContaining(`is in use by portal process ${running[0]!.pid}: stop that one first`) as string,
    })
    // Root without user namespaces gives the folder to another user. It must not do that while the folder is in use.
    await expect(open({ hasNamespaces: false })).rejects.toMatchObject({ code: 'IN_USE' })
    expect((await readyOf(running[0]!)).status).toBe(200)
    expect(await running[0]!.stop()).toBe(0)
  })

  it('runs a PostgreSQL of its own that survives a loss of power, walled, behind a socket and a password', async () => {
    const database = await open()
    const settings = [
      'fsync',
      'full_page_writes',
      'synchronous_commit',
      'data_checksums',
      'listen_addresses',
      'is_superuser',
    ]
    const text = `SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name`
    const rows = await database.run<[string[]], { name: string; value: string }>({ name: 'set', text }, [settings])
    expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      listen_addresses: '',
      is_superuser: 'off',
    })
    expect(database).toMatchObject({ engine: 'embedded', hasRowSecurity: true, durability: { survives: 'power loss' } })
    const rules = readFileSync(join(folder, 'postgres/data/pg_hba.conf'), 'utf8').match(/^[a-z].*$/gm)
    for (const rule of rules ?? []) expect(rule).toMatch(/scram-sha-256$/)
    for (const name of ['postgres', 'postgres/data/password', 'postgres/data']) {
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
    }
    await database.close()
    expect(existsSync(join(folder, 'postgres/data/postmaster.pid'))).toBe(false)
  })

  it('ends the PostgreSQL that a killed server left behind, and has all its data', async () => {
    const server = await startServer(ENV)
    const database = await openEmbedded(folder, silentLog, { by: 'command' })
    const { name } = await makeOrganisation(database.db)
    await database.close()
    const leftBehind = pidOf()
    await server.kill()
    expect(() => process.kill(leftBehind, 0)).not.toThrow()
    const log = recordedLog()
    const next = await openEmbedded(folder, log, { by: 'server' })
    expect(await namesIn(next)).toContain(name)
    expect(log.events).toContainEqual({ level: 'warn', event: 'postgres_left_behind', facts: { pid: leftBehind } })
    await next.close()
  })

  it('is not ready while its PostgreSQL has crashed, starts it again, says so, and has every acknowledged redemption', async () => {
    const furnished = await open()
    const cashier = await makePosUser(furnished.db)
    await furnished.close()
    const server = await startServer(ENV)
    const database = await openEmbedded(folder, silentLog, { by: 'command' })
    const ask: Ask = server.ask
    const till = new CountingTill(ask, await testTill(ask, cashier))
    let isOver = false
    const atWork = till.redeemUntilDeath(freshVouchers(database.db, 5, () => isOver))
    await expect.poll(() => till.journal.size, { timeout: 20_000 }).toBeGreaterThan(5)
    isOver = true
    await atWork
    process.kill(pidOf(), 'SIGKILL')
    await expect.poll(() => readyOf(server).then(({ status }) => status)).toBe(503)
    await expect.poll(() => readyOf(server).then(({ status }) => status), { timeout: 20_000 }).toBe(200)
    expect((await readyOf(server)).body.data).toMatchObject({ database: 'embedded' })
    await till.askAgain()
    const { serial } = await makeVoucher(database.db)
    await till.redeemUntilDeath([serial])
    expect(await server.stop()).toBe(0)
    await database.close()
    const found = await open()
    const counted = await found.run<[], { redemptions: number }>(
      { name: 'count', text: 'SELECT count(*)::int AS redemptions FROM redemption WHERE voided_at IS NULL' },
      [],
    )
    expect(counted).toEqual([{ redemptions: till.journal.size }])
    await found.close()
  }, 60_000)

  it('leaves the data of another major version as it is, and says what to do', async () => {
    await (await open()).close()
    const version = join(folder, 'postgres/data/PG_VERSION')
    writeFileSync(version, '17\n')
    await expect(open()).rejects.toMatchObject({
      code: 'OTHER_VERSION',
      message: expect.stringMatching(
        /made by PostgreSQL 17, and this release runs 18\. .*npm run backup.*pg_upgrade/,
      ) as string,
    })
    expect(readFileSync(version, 'utf8')).toBe('17\n')
  })
})
