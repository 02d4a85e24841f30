import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEmbedded } from '../../../server/db/embedded/openEmbedded.ts'
import { organisation } from '../../../server/db/schema/organisations.ts'
import type { Ask } from '../../support/api/portalClient.ts'
import { makeOrganisation, makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { ageKey } from '../../support/operations/ageKeys.ts'
import { CountingTill } from '../../support/redemptions/CountingTill.ts'
import { freshVouchers } from '../../support/redemptions/seedTills.ts'
import { testTill } from '../../support/redemptions/testTill.ts'
import { freePort } from '../../support/server/freePort.ts'
import { runCommandLine, type Output } from '../../support/server/runCommandLine.ts'
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

  it('taken while a till redeems has all that was acknowledged before it, and its ledger agrees when it is restored', async () => {
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
    expect(await save(copy)).toMatchObject({ code: 1, err: `${copy} is there already.\n` })
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
      err: expect.stringContaining('is there already') as string,
    })
    const found = await open(restored)
    // Numbers go on where they were.
    const { serial } = await makeVoucher(found.db)
    await found.close()
    const again = await startServer(envOf(restored), port)
    await till.redeemUntilDeath([serial])
    await again.stop()
  }, 120_000)

  it('is for its owner alone; encrypted, it is one file, which is restored with its own key and with no other', async () => {
    const database = await open()
    const { name } = await makeOrganisation(database.db)
    await database.close()
    mkdirSync(join(folder, 'files/stored'), { recursive: true })
    writeFileSync(join(folder, 'files/stored/logo'), 'an upload')
    const [ours, theirs] = [ageKey(copies, 'ours.txt'), ageKey(copies, 'theirs.txt')]
    const plain = join(copies, 'plain')
    expect((await save(plain)).out).toContain('NOT ENCRYPTED')
    expect(statSync(plain).mode & 0o777).toBe(0o700)
    expect(statSync(join(plain, 'tables/organisation.copy')).mode & 0o777).toBe(0o600)
    const file = join(copies, 'portal.age')
    const encrypted = { ...envOf(), BACKUP_RECIPIENT: ours.recipient }
    expect(await runCommandLine('backup', ['save', file], encrypted)).toMatchObject({ code: 0, err: '' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file).includes(name)).toBe(false)
    expect(
      readdirSync(folder).filter((one) => one.startsWith('backup')),
      'nothing in the clear is left',
    ).toEqual([])

    const restoreWith = (dataDir: string, more: Record<string, string>) =>
      runCommandLine('backup', ['restore', file], { ...envOf(dataDir), ...more })
    const wrong = join(copies, 'wrong')
    expect(await restoreWith(wrong, {})).toMatchObject({
      code: 1,
      err: expect.stringContaining('is encrypted: set BACKUP_IDENTITY') as string,
    })
    expect(await restoreWith(wrong, { BACKUP_IDENTITY: theirs.identity })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^age failed: .*no identity matched/) as string,
    })
    expect(readdirSync(copies).filter((one) => one.startsWith('wrong'))).toEqual([])
    const right = join(copies, 'right')
    const restored = await restoreWith(right, { BACKUP_IDENTITY: ours.identity })
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('They agree, one to one.') as string })
    expect(readFileSync(join(right, 'files/stored/logo'), 'utf8')).toBe('an upload')
    const found = await open(right)
    expect((await found.db.select().from(organisation)).map((one) => one.name)).toEqual([name])
    await found.close()
    expect(readdirSync(copies).filter((one) => one.startsWith('right'))).toEqual(['right'])
  }, 120_000)

  it('of a later release is refused', async () => {
    const database = await open()
    await database.close()
    const copy = join(copies, 'copy')
    expect(await save(copy)).toMatchObject({ code: 0 })
    const inside = join(folder, 'copy')
    expect(await save(inside)).toMatchObject({
      code: 1,
      err: `${inside} is in DATA_DIR itself: name a place outside of it.\n`,
    })
    const file = join(copy, 'manifest.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { migrations: number }
    writeFileSync(file, JSON.stringify({ ...manifest, migrations: 999 }))
    expect(await restore(copy, join(copies, 'later'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('made by a later release') as string,
    })
    expect(existsSync(join(copies, 'later'))).toBe(false)
  }, 60_000)
})
