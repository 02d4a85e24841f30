import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../server/db/engine/Database.ts'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { organisation as organisationTable } from '../../../server/db/schema/organisations.ts'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { voucher } from '../../../server/db/schema/vouchers.ts'
import { receiptNumber } from '../../../server/services/redemptions/receipt.ts'
import type { Ask, signIn } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { createDatabase } from '../../support/database/testDatabase.ts'
import { ageKey } from '../../support/operations/ageKeys.ts'
import { CountingTill, journalOf } from '../../support/redemptions/CountingTill.ts'
import { freshVouchers } from '../../support/redemptions/seedTills.ts'
import { testTill, newHoldKey, redeemHeld } from '../../support/redemptions/testTill.ts'
import { runCommandLine, type Output } from '../../support/server/runCommandLine.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'

const TILLS = 4
/** Between two redemptions of a till. */
const PACE_MS = 20

let place: ServerEnvironment
let folder: string
beforeEach(async () => {
  place = await serverEnvironment()
  folder = mkdtempSync(join(tmpdir(), 'backup-'))
})
afterEach(async () => {
  await place.remove()
  rmSync(folder, { recursive: true, force: true })
})

const save = (to: string, more: Record<string, string> = {}) =>
  runCommandLine('backup', ['save', to], { ...place.env, ...more })
const restore = (from: string, more: Record<string, string>) =>
  runCommandLine('backup', ['restore', from], { ...place.env, ...more })

const numberOf = (receipt: string) => Number(receipt.slice('R-'.length))

const secondsOf = ({ out }: Output) => Number(/in (\d+\.\d) seconds/.exec(out)?.[1])

/** Receipts by the keys of their redemptions. */
async function receiptsIn({ db }: Database): Promise<Map<string, string>> {
  return new Map((await db.select().from(redemption)).map(({ id, receiptNo }) => [id, receiptNumber(receiptNo)]))
}

/** A portal on what was restored knows what was redeemed; answers the receipt of what is `fresh`. */
async function redeemRestored(
  env: Record<string, string>,
  cashier: Parameters<typeof signIn>[1],
  { used, fresh }: { used: string; fresh: string },
) {
  const server = await startServer(env)
  const ask: Ask = server.ask
  const till = await testTill(ask, cashier)
  const again = await till.verify(used, newHoldKey())
  const first = await redeemHeld(ask, await till.hold(fresh))
  await server.stop()
  expect(again).toMatchObject({ status: 409, error: 'VOUCHER_ALREADY_USED' })
  if (first.state !== 'redeemed') throw new Error(first.state)
  return first.receipt.receipt_number
}

describe('a backup of PostgreSQL', () => {
  let empty: Awaited<ReturnType<typeof createDatabase>>
  beforeEach(async () => (empty = await createDatabase({ isMigrated: false })))
  afterEach(() => empty.drop())

  it('FLT-16: taken while tills redeem has all that was acknowledged before it, and its ledger agrees when it is restored', async () => {
    const database = await place.open()
    const owner = await makeMerchant(database.db)
    const cashiers = await Promise.all(Array.from({ length: TILLS }, () => makePosUser(database.db, owner)))
    const server = await startServer(place.env)
    const ask: Ask = server.ask
    const tills = await Promise.all(cashiers.map(async (one) => new CountingTill(ask, await testTill(ask, one))))
    const told = () => journalOf(tills)
    const file = join(folder, 'portal.dump')
    let isOver = false
    const atWork = tills.map((till) => till.redeemUntilDeath(freshVouchers(database.db, PACE_MS, () => isOver)))
    await expect.poll(() => told().size).toBeGreaterThan(TILLS * 5)
    const before = told()
    const saved = await save(file)
    isOver = true
    await Promise.all(atWork)
    await server.stop()
    await database.close()
    expect(saved).toMatchObject({ code: 0, err: '' })

    const restored = await restore(file, { DATABASE_URL: empty.url })
    expect(restored).toMatchObject({ code: 0, err: '' })
    expect(restored.out).toContain('They agree, one to one.')
    const copy = await openPostgresql(empty.url, silentLog)
    const [found, after] = [await receiptsIn(copy), told()]
    const used = (await copy.db.select().from(voucher)).find(({ status }) => status === 'Used')!
    const fresh = await makeVoucher(copy.db)
    await copy.close()
    console.info(
      `dump ${secondsOf(saved)} s, restore ${secondsOf(restored)} s; redeemed before ${before.size}, in it ${found.size}, in the end ${after.size}`,
    )
    for (const [id, receipt] of before) expect(found.get(id)).toBe(receipt)
    for (const [id, receipt] of found) expect(after.get(id)).toBe(receipt)
    expect(after.size).toBeGreaterThan(before.size)
    const vouchers = { used: used.serial, fresh: fresh.serial }
    const next = await redeemRestored({ ...place.env, DATABASE_URL: empty.url }, cashiers[0]!, vouchers)
    // Tills have receipts that the backup knows nothing of: none of their numbers comes twice.
    expect(numberOf(next)).toBeGreaterThan(Math.max(...[...after.values()].map(numberOf)))
    expect(restored.out).toContain('no number of after the backup comes twice')
  }, 120_000)

  it('FLT-16: is for its owner alone; encrypted, it is restored with its own key, and with another one or a byte changed not at all', async () => {
    const database = await place.open()
    const { organisation } = await makeMerchant(database.db)
    await database.close()
    const [ours, theirs] = [ageKey(folder, 'ours.txt'), ageKey(folder, 'theirs.txt')]
    const plain = join(folder, 'plain.dump')
    const umask = process.umask(0o022)
    const savedPlain = await save(plain)
    const file = join(folder, 'portal.dump.age')
    const saved = await save(file, { BACKUP_RECIPIENT: ours.recipient })
    process.umask(umask)
    expect(savedPlain.out).toContain('NOT ENCRYPTED')
    expect(saved).toMatchObject({ code: 0, err: '' })
    expect(saved.out).not.toContain('NOT ENCRYPTED')
    for (const one of [plain, file]) expect(statSync(one).mode & 0o777).toBe(0o600)
    expect(readFileSync(plain).includes('PGDMP')).toBe(true)
    const bytes = readFileSync(file)
    expect(bytes.includes('PGDMP')).toBe(false)

    const into = { DATABASE_URL: empty.url }
    expect(await restore(file, into)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is encrypted: set BACKUP_IDENTITY'),
    })
    expect(await restore(file, { ...into, BACKUP_IDENTITY: theirs.identity })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^age failed: .*no identity matched/),
    })
    const changed = join(folder, 'changed.dump.age')
    bytes[bytes.length - 20]! ^= 1
    writeFileSync(changed, bytes)
    expect(await restore(changed, { ...into, BACKUP_IDENTITY: ours.identity })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^age failed: /),
    })
    const restored = await restore(file, { ...into, BACKUP_IDENTITY: ours.identity })
    expect(restored).toMatchObject({ code: 0, err: '' })
    const copy = await openPostgresql(empty.url, silentLog)
    const found = await copy.db.select({ id: organisationTable.id }).from(organisationTable)
    await copy.close()
    expect(found).toEqual([{ id: organisation.id }])
  }, 120_000)

  it('overwrites no file and fills no database that has tables', async () => {
    await (await place.open()).close()
    const file = join(folder, 'portal.dump')
    expect(await save(file)).toMatchObject({ code: 0 })
    expect(await save(file)).toMatchObject({ code: 1, err: `${file} is there already.\n` })
    expect(await restore(file, {})).toMatchObject({ code: 1, err: expect.stringMatching(/^There are tables in this/) })
    const nowhere = join(folder, 'missing', 'portal.dump')
    expect(await save(nowhere)).toMatchObject({ code: 1, err: expect.stringMatching(/^pg_dump failed: .*missing/) })
  }, 60_000)
})
