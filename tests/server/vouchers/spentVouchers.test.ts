import { eq } from 'drizzle-orm'
import { describe, expect } from 'vitest'
import { voucher as voucherTable } from '../../../server/db/schema/vouchers.ts'
import { revokeVoucher } from '../../../server/services/vouchers/issueVouchers.ts'
import type { SpentVouchers } from '../../../src/contract/redemptions/signedVouchers.ts'
import { mayBeSpent } from '../../../src/domain/spentFilter.ts'
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
  // Two filters of the same moment would be identical.
  server.clock.set(`2026-11-27T04:00:0${(tests += 1)}Z`)
  await db().delete(voucherTable).where(eq(voucherTable.status, 'Revoked'))
})

/** Asks for the filter as a till does that has not asked for a while. Returns a check for a voucher. */
async function spent() {
  server.clock.advance({ minutes: 20 })
  const { data } = await get<SpentVouchers>(ask, '/api/voucher/spent')
  const filter = Buffer.from(data.filter, 'base64')
  return ({ serial }: { serial: string }) => mayBeSpent(filter, serial)
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
    const isSpent = await spent()
    expect([used, last, gone].map(isSpent)).toEqual([true, true, true])
    // The serials are random, and the filter rarely takes a good one for a spent one.
    expect([expired, good].map(isSpent)).not.toEqual([true, true])
  })

  it('is with what was redeemed or revoked since, also late, and without what was voided', async () => {
    await spent()
    server.clock.advance({ hours: 3 })
    const late = await makeRedemption(db(), till, '2026-11-20T04:00:00Z', { entry: { recordedAt: server.clock.now() } })
    const [used, back, gone] = [await redeemed(), await redeemed(), await revoked()]
    expect([late.voucher, used, back, gone].map(await spent())).toEqual([true, true, true, true])
    await voided(back)
    const isSpent = await spent()
    expect([used, back, gone].map(isSpent)).toEqual([true, false, true])
  })
})

describe('the answer', () => {
  const asked = (tag?: string | null) =>
    server.app.request('/api/voucher/spent', tag ? { headers: { 'if-none-match': tag } } : {})

  it('is sent once: who has it is told that it is still so, until something is spent', async () => {
    server.clock.advance({ minutes: 2 })
    const first = await asked()
    const tag = first.headers.get('etag')
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    server.clock.advance({ minutes: 30 })
    const again = await asked(tag)
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag])
    await redeemed()
    server.clock.advance({ minutes: 20 })
    const changed = await asked(tag)
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(tag)
  })

  it('is a quarter of an hour old at most, so that a thousand tills are one question to the database', async () => {
    await spent()
    const used = await redeemed()
    const tag = async () => (await asked()).headers.get('etag')
    const old = await tag()
    server.clock.advance({ minutes: 14, seconds: 59 })
    expect(await tag()).toBe(old)
    server.clock.advance({ seconds: 1 })
    expect(await tag()).not.toBe(old)
    expect((await spent())(used)).toBe(true)
  })
})
