import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { readOpenAllowance, endGrantsOfTill } from '../../../server/db/allowance/grants.ts'
import { branch as branchTable, organisation as organisationTable } from '../../../server/db/schema/organisations.ts'
import { till as tillTable } from '../../../server/db/schema/redemptions.ts'
import { newToken } from '../../../server/services/opaqueToken.ts'
import { makeVoucherKey } from '../../../server/services/vouchers/voucherKeys.ts'
import { SUGGESTED_RULES } from '../../../src/contract/redemptions/allowance.ts'
import type { BranchAllowance } from '../../../src/contract/redemptions/allowanceEndpoints.ts'
import { singaporeDay, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { browserOf } from '../../support/api/browserOf.ts'
import { loggedInClient } from '../../support/api/loggedInClient.ts'
import { post } from '../../support/api/portalClient.ts'
import { makeBranch, makeMerchant, makePosUser, makeTill, type Merchant } from '../../support/database/builders.ts'
import { acceptingTill, allow } from '../../support/redemptions/acceptingTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const START = '2026-11-21T02:00:00.000Z'
const HOUR = 3_600_000

it.beforeAll(async ({ server: { deps } }) => void (await makeVoucherKey(deps)))

let shop: Merchant
beforeEach(async () => {
  server.clock.set(START)
  shop = await makeMerchant(db())
  await allow(db(), shop.branch)
})

const newTill = async (given = {}) => acceptingTill(server, await makePosUser(db(), shop), given)
/** Revokes a till as a manager does who was told how much it may still accept. */
async function revoke({ row: { guid } }: Awaited<ReturnType<typeof newTill>>) {
  await db().update(tillTable).set({ revokedAt: server.clock.now() }).where(eq(tillTable.guid, guid))
  await endGrantsOfTill(db(), guid, server.clock.now())
}

/** Returns the amount that two new tills may accept together. */
async function grantedToTwoMore(): Promise<number> {
  const tills = [await newTill(), await newTill()]
  for (const one of tills) await one.renew()
  return tills.reduce((sum, one) => sum + one.left(), 0)
}

async function outAt(branchId: string): Promise<number> {
  const out = await readOpenAllowance(db(), branchId, startOfDay(singaporeDay(server.clock.now())))
  return out.tills.reduce((sum, { cents }) => sum + cents, 0)
}

const NOTHING = { grant: null, why: expect.any(String) }

describe('a grant', () => {
  it('names what it is for, and ends by itself', async () => {
    const till = await newTill()
    expect((await till.request()).data).toMatchObject({
      why: null,
      grant: {
        branch: shop.branch.id,
        voucher_cents: 1_000,
        till_cents: 5_000,
        total_cents: 5_000,
        issued_at: START,
        ends_at: new Date(Date.parse(START) + 4 * HOUR).toISOString(),
      },
    })
  })

  it('never grows by asking again, however many answers were lost', async () => {
    const till = await newTill()
    for (let each = 0; each < 5; each += 1) await till.request()
    await till.renew()
    expect(till.left()).toBe(5_000)
    await till.take()
    await till.renew()
    expect(till.left()).toBe(4_000)
  })

  it('is full again once what was accepted has arrived', async () => {
    const till = await newTill()
    await till.renew()
    await till.take()
    await till.take()
    await till.upload()
    await till.renew()
    expect(till.left()).toBe(5_000)
  })

  it('leaves the others what the day has left', async () => {
    await allow(db(), shop.branch, { ...SUGGESTED_RULES, till_cents: 5_000, day_cents: 12_000 })
    const tills = [await newTill(), await newTill(), await newTill()]
    for (const one of tills) await one.renew()
    expect(tills.map((one) => one.left())).toEqual([5_000, 5_000, 2_000])
  })

  it('of several tills that ask at once is never more than the day', async () => {
    await allow(db(), shop.branch, { ...SUGGESTED_RULES, till_cents: 5_000, day_cents: 12_000 })
    const tills = await Promise.all(Array.from({ length: 6 }, () => newTill()))
    await Promise.all(tills.map((one) => one.renew()))
    expect(tills.reduce((sum, one) => sum + one.left(), 0)).toBe(12_000)
  })

  it('counts what has arrived today, and not what arrived yesterday', async () => {
    await allow(db(), shop.branch, { ...SUGGESTED_RULES, till_cents: 5_000, day_cents: 6_000 })
    const till = await newTill()
    await till.renew()
    for (let each = 0; each < 5; each += 1) await till.take()
    await till.upload()
    await till.renew()
    expect(till.left()).toBe(1_000)
    server.clock.set('2026-11-22T02:00:00.000Z')
    await till.renew()
    expect(till.left()).toBe(5_000)
  })

  it('of a till that was destroyed stays out, past its end, until the till is revoked', async () => {
    await allow(db(), shop.branch, { ...SUGGESTED_RULES, till_cents: 5_000, day_cents: 5_000 })
    const [lost, other] = [await newTill(), await newTill()]
    await lost.renew()
    server.clock.set('2026-11-23T02:00:00.000Z')
    await other.renew()
    expect(other.left()).toBe(0)
    await revoke(lost)
    await other.renew()
    expect(other.left()).toBe(5_000)
  })

  it('that was lowered frees the rest only when the till has the lower one on its disk', async () => {
    const [till, other] = [await newTill(), await newTill()]
    await till.renew()
    await allow(db(), shop.branch, { ...SUGGESTED_RULES, till_cents: 2_000, day_cents: 5_000 })
    await till.request()
    await other.renew()
    expect(other.left()).toBe(0)
    await till.renew()
    expect(till.left()).toBe(2_000)
    await other.renew()
    expect(other.left()).toBe(0)
    await till.request()
    await other.renew()
    expect(other.left()).toBe(2_000)
  })

  it('that was lowered frees nothing of what its till has accepted and not uploaded, however often it asks', async () => {
    const rules = { ...SUGGESTED_RULES, till_cents: 5_000, day_cents: 10_000 }
    await allow(db(), shop.branch, rules)
    const till = await newTill()
    await till.renew()
    for (let each = 0; each < 5; each += 1) await till.take()
    await allow(db(), shop.branch, { ...rules, till_cents: 1_000 })
    await till.renew()
    await till.renew()
    await allow(db(), shop.branch, rules)
    expect(await grantedToTwoMore()).toBe(5_000)
  })

  it('of a till that was moved stays out at the branch before, until what it accepted there has arrived', async () => {
    const rules = { ...SUGGESTED_RULES, till_cents: 5_000, day_cents: 10_000 }
    const to = await makeBranch(db(), shop.organisation)
    for (const at of [shop.branch, to]) await allow(db(), at, rules)
    const till = await newTill()
    await till.renew()
    for (let each = 0; each < 5; each += 1) await till.take()
    const main = await loggedInClient(ask, shop.main)
    expect(await main.post(`/device/${till.row.guid}/move`, { branch_guid: to.id })).toMatchObject({ status: 200 })
    await till.renew()
    await till.renew()
    expect(await grantedToTwoMore()).toBe(5_000)
    await till.upload()
    await till.renew()
    expect(await outAt(shop.branch.id)).toBe(5_000)
  })

  it('counts for its branch at most as it was granted, however much a till uploads under it', async () => {
    await allow(db(), shop.branch, { ...SUGGESTED_RULES, till_cents: 2_000, day_cents: 6_000 })
    const [till, other, third] = [await newTill(), await newTill(), await newTill()]
    await till.renew()
    for (let each = 0; each < 6; each += 1) await till.take()
    await till.upload()
    for (const one of [other, third]) {
      await one.renew()
      expect(one.left()).toBe(2_000)
    }
  })

  it('by an old request that comes late takes nothing back', async () => {
    const till = await newTill()
    await till.renew()
    const first = till.state.grant!.id
    await till.take()
    await till.upload()
    await till.renew()
    expect((await till.request({ grant: first, total_cents: 0 })).data.grant).toBeNull()
    await till.renew()
    expect(till.left()).toBe(5_000)
  })

  it('counts what a till has accepted and lost on its way as out', async () => {
    await allow(db(), shop.branch, { ...SUGGESTED_RULES, till_cents: 5_000, day_cents: 6_000 })
    const [till, other] = [await newTill(), await newTill()]
    await till.renew()
    await till.take()
    const second = await till.take()
    await till.upload([second])
    await till.renew()
    expect(till.left()).toBe(4_000)
    await other.renew()
    expect(other.left()).toBe(0)
  })
})

describe('nothing is granted', () => {
  it('to a device without the cookie of the till, or with another', async () => {
    await newTill()
    for (const by of [ask, browserOf(ask, { till: newToken() })])
      expect((await post(by, '/api/till/allowance', { total_cents: 0 })).data).toMatchObject(NOTHING)
  })

  it('to a till that is not enrolled, or is revoked', async () => {
    const why = async (given: object) => (await (await newTill(given)).request()).data
    expect(await why({ enrolledAt: null })).toEqual({ grant: null, why: 'not enrolled' })
    expect(await why({ revokedAt: new Date(START) })).toEqual({ grant: null, why: 'revoked' })
  })

  it('at a branch whose allowance is off, or which is closed, or which asks for the branch PIN', async () => {
    const till = await newTill()
    await allow(db(), shop.branch, null)
    expect((await till.request()).data).toEqual({ grant: null, why: 'no rules' })
    await allow(db(), shop.branch)
    await db().update(branchTable).set({ status: 'Inactive' }).where(eq(branchTable.id, shop.branch.id))
    expect((await till.request()).data).toEqual({ grant: null, why: 'not open' })
    await db().update(branchTable).set({ status: 'Active' }).where(eq(branchTable.id, shop.branch.id))
    const set = { verificationMethod: 'Serial and branch PIN' } as const
    await db().update(organisationTable).set(set).where(eq(organisationTable.id, shop.organisation.id))
    expect((await till.request()).data).toEqual({ grant: null, why: 'branch PIN' })
  })

  it('on a day when an adhoc branch is not open', async () => {
    const branch = await makeBranch(db(), shop.organisation, {
      kind: 'adhoc',
      fromDay: '2026-11-22',
      toDay: '2026-11-23',
    })
    await allow(db(), branch)
    const till = await acceptingTill(server, await makePosUser(db(), { ...shop, branch }))
    expect((await till.request()).data).toMatchObject(NOTHING)
    server.clock.set('2026-11-22T02:00:00.000Z')
    expect((await till.request()).data.grant).not.toBeNull()
  })

  it('to a till that has lost its count, which its branch sees, until it is enrolled anew', async () => {
    const cashier = await makePosUser(db(), shop)
    const main = await loggedInClient(ask, shop.main)
    const ofBranch = async () => (await main.get<BranchAllowance>(`/branch/allowance/${shop.branch.id}`)).data
    const till = await acceptingTill(server, cashier, { name: 'Front counter' })
    await till.renew()
    await till.take()
    await till.upload()
    Object.assign(till.state, { total: 0, grant: undefined })
    expect((await till.request()).data).toEqual({ grant: null, why: 'count behind' })
    await makeTill(db(), cashier, { name: 'Named only' })
    const { tills } = await ofBranch()
    expect(tills).toMatchObject([
      { name: 'Front counter', cents: 4_000, why: 'count behind' },
      { name: 'Named only', cents: 0, ends_at: null, why: 'not enrolled' },
    ])
    await till.enrol()
    expect(await till.renew()).toMatchObject({ total_cents: 5_000 })
    expect((await ofBranch()).tills).toMatchObject([
      { name: 'Front counter', why: null },
      { name: 'Front counter', why: null },
      { name: 'Named only' },
    ])
  })
})

describe('a device that takes the place of another as the same till', () => {
  it('begins anew, and what the other had stays out until the till is revoked', async () => {
    await allow(db(), shop.branch, { ...SUGGESTED_RULES, till_cents: 5_000, day_cents: 8_000 })
    const till = await newTill()
    await till.renew()
    await till.take()
    await till.replace()
    await till.renew()
    expect(till.left()).toBe(3_000)
    await revoke(till)
    await till.replace()
    await till.renew()
    expect(till.left()).toBe(5_000)
    await till.take()
    expect(await till.upload()).toMatchObject([{ state: 'redeemed' }])
  })
})
