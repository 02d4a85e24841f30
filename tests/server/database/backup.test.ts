import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEmbedded } from '../../../server/db/embedded/openEmbedded.ts'
import type { Ask } from '../../support/api/portalClient.ts'
import { makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { CountingTill } from '../../support/redemptions/CountingTill.ts'
import { freshVouchers } from '../../support/redemptions/seedTills.ts'
import { testTill } from '../../support/redemptions/testTill.ts'
import { freePort } from '../../support/server/freePort.ts'
import { runCommandLine, type Output } from '../../support/server/runCommandLine.ts'
import { serverEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'

let copies: string
let folder: string
beforeEach(() => {
  copies = mkdtempSync(join(tmpdir(), 'backup-'))
  folder = join(copies, 'data')
})
afterEach(() => rmSync(copies, { recursive: true, force: true }))

const envOf = (dataDir = folder) => ({ DATA_DIR: dataDir, DEMO: 'off', MFA: 'optional' })
const open = (dataDir = folder) => openEmbedded(dataDir, silentLog, { by: 'server' })

describe('a backup of the embedded database', () => {
  const save = (to: string): Promise<Output> => runCommandLine('backup', ['save', to], envOf())
  const restore = (from: string, dataDir: string) => runCommandLine('backup', ['restore', from], envOf(dataDir))

  it('FLT-16: taken while a till redeems has all that was acknowledged before it, and its ledger agrees when it is restored', async () => {
    const furnished = await open()
    const cashier = await makePosUser(furnished.db)
    await furnished.close()
    const port = await freePort()
    const server = await startServer(envOf(), port)
    mkdirSync(join(folder, 'files/stored'), { recursive: true })
    writeFileSync(join(folder, 'files/stored/logo'), 'an upload')
    const database = await openEmbedded(folder, silentLog, { by: 'command' })
    const ask: Ask = server.ask
    const till = new CountingTill(ask, await testTill(ask, cashier))
    let isOver = false
    const atWork = till.redeemUntilDeath(freshVouchers(database.db, 20, () => isOver))
    await expect.poll(() => till.journal.size, { timeout: 20_000 }).toBeGreaterThan(5)
    const before = till.journal.size
    const copy = join(copies, 'copy')
    expect(await save(copy)).toMatchObject({ code: 0, err: '' })
    isOver = true
    await atWork
    expect(await save(copy)).toMatchObject({ code: 1, err: `${copy} is not empty.\n` })
    await database.close()
    await server.stop()
    const restored = join(copies, 'restored')
    const said = await restore(copy, restored)
    expect(said).toMatchObject({ code: 0, err: '' })
    expect(said.out).toContain('They agree, one to one.')
    const count = Number(/in (\d+) redemptions/.exec(said.out)?.[1])
    expect(count).toBeGreaterThanOrEqual(before)
    expect(count).toBeLessThanOrEqual(till.journal.size)
    expect(readFileSync(join(restored, 'files/stored/logo'), 'utf8')).toBe('an upload')
    expect(await restore(copy, restored)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not empty') as string,
    })
    const found = await open(restored)
    // Serial numbers continue after the restore.
    const { serial } = await makeVoucher(found.db)
    await found.close()
    const again = await startServer(envOf(restored), port)
    await till.redeemUntilDeath([serial])
    await again.stop()
  }, 120_000)

  it('of another PostgreSQL is left to pg_dump, and nothing is written', async () => {
    const other = await serverEnvironment()
    const said = await runCommandLine('backup', ['save', join(copies, 'copy')], other.env)
    await other.remove()
    expect(said).toMatchObject({ code: 1, err: expect.stringContaining('with pg_dump') as string })
    expect(existsSync(join(copies, 'copy'))).toBe(false)
  })
})
