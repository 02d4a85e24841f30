import { eq } from 'drizzle-orm'
import { describe, expect } from 'vitest'
import { spentFilter, voucher as voucherTable, voucherKey } from '../../../server/db/schema/vouchers.ts'
import { revokeVoucher } from '../../../server/services/vouchers/issueVouchers.ts'
import { makeSpentFilter } from '../../../server/services/vouchers/spentVouchers.ts'
import { makeVoucherKey } from '../../../server/services/vouchers/voucherKeys.ts'
import type { SpentVouchers } from '../../../src/contract/redemptions/signedVouchers.ts'
import { readSpentFilter, shortHash } from '../../../src/domain/spentFilter.ts'
import { get } from '../../support/api/portalClient.ts'
import {
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeVoucher,
  type PosUser,
  makeVoided,
} from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let till: PosUser
it.beforeAll(async () => {
  till = await makePosUser(db(), await makeMerchant(db()))
})
let tests = 0
it.beforeEach(async () => {
  // Two filters of one moment would be the same one.
  server.clock.set(`2026-11-27T04:00:0${(tests += 1)}Z`)
  await db().delete(spentFilter)
  await db().delete(voucherTable).where(eq(voucherTable.status, 'Revoked'))
  if ((await db().select().from(voucherKey)).length === 0) await makeVoucherKey(server.deps)
})

/** As a till asks that has heard nothing for a while. */
async function spent() {
  server.clock.advance({ minutes: 2 })
  const { data } = await get<SpentVouchers>(ask, '/api/voucher/spent')
  const filter = readSpentFilter(Buffer.from(data.filter, 'base64'))
  const bytes = Buffer.from(data.since, 'base64')
  const since = Array.from({ length: bytes.length / 3 }, (_, at) => bytes.readUIntBE(3 * at, 3))
  return { ...data, inFilter: ({ serial }: { serial: string }) => filter?.has(serial), since }
}

const redeemed = async (given: object = {}) => {
  const { voucher, entry } = await makeRedemption(db(), till, server.clock.now(), given)
  return { ...voucher, entry }
}

async function revoked(given: object = {}) {
  const voucher = await makeVoucher(db(), given)
  await revokeVoucher(server.deps, voucher.serial)
  return voucher
}

const voided = ({ entry }: Awaited<ReturnType<typeof redeemed>>) => makeVoided(db(), entry, server.clock.now())

describe('what is spent', () => {
  it('is a filter of used and revoked vouchers that are not expired, and of no others', async () => {
    const used = await redeemed({ expiresOn: '2027-01-01' })
    const last = await redeemed({ expiresOn: '2026-11-27' })
    const gone = await revoked({ expiresOn: '2027-01-01' })
    const expired = await redeemed({ expiresOn: '2026-11-26' })
    const good = await makeVoucher(db(), { expiresOn: '2027-01-01' })
    const madeAt = server.clock.now().toISOString()
    const count = await makeSpentFilter(server.deps)
    const { inFilter, ...said } = await spent()
    expect(said).toMatchObject({ made_at: madeAt, vouchers: count })
    expect([used, last, gone].map(inFilter)).toEqual([true, true, true])
    // Of these two one in 256 would be taken for another; the serials are drawn, so both at once count.
    expect([expired, good].map(inFilter)).not.toEqual([true, true])
  })

  it('is with what was redeemed or revoked since, and not what was voided since', async () => {
    await makeSpentFilter(server.deps)
    server.clock.advance({ hours: 3 })
    const [used, back, gone] = [await redeemed(), await redeemed(), await revoked()]
    await voided(back)
    const { since } = await spent()
    expect(since).toContain(shortHash(used.serial))
    expect(since).toContain(shortHash(gone.serial))
    expect(since).not.toContain(shortHash(back.serial))
    expect(since).toEqual(since.toSorted((one, other) => one - other))
  })

  it('has a voucher that arrived late, whenever it was tapped', async () => {
    await makeSpentFilter(server.deps)
    server.clock.advance({ hours: 1 })
    const late = await makeRedemption(db(), till, '2026-11-20T04:00:00Z', {}, { recordedAt: server.clock.now() })
    const { since } = await spent()
    expect(since).toContain(shortHash(late.voucher.serial))
  })

  it('is made once a day, and has a voided voucher out of it with the next one', async () => {
    const back = await redeemed({ expiresOn: '2027-01-01' })
    expect(await makeSpentFilter(server.deps)).toBeGreaterThan(0)
    await voided(back)
    server.clock.set('2026-11-27T15:59:59Z')
    expect(await makeSpentFilter(server.deps)).toBeUndefined()
    expect((await spent()).inFilter(back)).toBe(true)
    server.clock.set('2026-11-27T16:00:00Z')
    const before = (await spent()).vouchers
    const count = await makeSpentFilter(server.deps)
    expect(await spent()).toMatchObject({
      vouchers: count,
      made_at: expect.stringContaining('2026-11-27T16:') as string,
    })
    expect(count).toBeLessThanOrEqual(before)
    server.clock.set('2026-11-30T04:00:00Z')
    await makeSpentFilter(server.deps)
    expect(await db().select().from(spentFilter)).toHaveLength(1)
  })

  it('is made by one of two servers that begin at once', async () => {
    await Promise.all([makeSpentFilter(server.deps), makeSpentFilter(server.deps)])
    expect(await db().select().from(spentFilter)).toHaveLength(1)
  })

  it('is unknown, and not nothing, before a filter was made; and none is made where nobody signs vouchers', async () => {
    const nothing = { made_at: null, vouchers: 0, filter: '', since: [] }
    expect(await spent()).toMatchObject(nothing)
    await db().delete(voucherKey)
    expect(await makeSpentFilter(server.deps)).toBeUndefined()
    expect(await spent()).toMatchObject(nothing)
  })
})

describe('the answer', () => {
  const asked = (tag?: string | null) =>
    server.app.request('/api/voucher/spent', tag ? { headers: { 'if-none-match': tag } } : {})

  it('is sent once: who has it is told that it is still so, until something is spent', async () => {
    await makeSpentFilter(server.deps)
    server.clock.advance({ minutes: 2 })
    const first = await asked()
    const tag = first.headers.get('etag')
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    server.clock.advance({ minutes: 30 })
    const again = await asked(tag)
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag])
    await redeemed()
    server.clock.advance({ minutes: 2 })
    const changed = await asked(tag)
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(tag)
  })

  it('is a minute old at most, so that a thousand tills are one question to the database', async () => {
    await makeSpentFilter(server.deps)
    const before = await spent()
    await redeemed()
    const tag = async () => (await asked()).headers.get('etag')
    const old = await tag()
    server.clock.advance({ seconds: 59 })
    expect(await tag()).toBe(old)
    server.clock.advance({ seconds: 1 })
    expect(await tag()).not.toBe(old)
    expect((await spent()).since.length).toBe(before.since.length + 1)
  })
})
