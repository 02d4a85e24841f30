import { randomUUID } from 'node:crypto'
import { eq, isNull } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { branch as branchTable, organisation } from '../../../server/db/schema/organisations.ts'
import { till as tillTable } from '../../../server/db/schema/redemptions.ts'
import { voucherKey } from '../../../server/db/schema/vouchers.ts'
import { endVoucherKey, makeVoucherKey, signingKey } from '../../../server/services/vouchers/voucherKeys.ts'
import type { AllowanceRules } from '../../../src/contract/redemptions/allowance.ts'
import type { BranchAllowance } from '../../../src/contract/redemptions/allowanceEndpoints.ts'
import { makeMerchant, makePosUser, makeTill, makeVoucher, type PosUser } from '../../support/database/builders.ts'
import { acceptingTill, allow, codeBy } from '../../support/redemptions/acceptingTill.ts'
import { redeemHeld, syncRows, testTill, voidHeld } from '../../support/redemptions/testTill.ts'
import { ask, db, main, merchant, merchantIt as it, server } from '../../support/server/serverTest.ts'

const RULES: AllowanceRules = { voucher_cents: 1_000, till_cents: 5_000, day_cents: 12_000, hours: 4 }

let cashier: PosUser
it.beforeAll(async () => {
  await makeVoucherKey(server.deps)
})
beforeEach(async () => {
  server.clock.set('2026-11-21T02:00:00.000Z')
  cashier = await makePosUser(db(), merchant)
  await allow(db(), cashier.branch, RULES)
})

const ofBranch = async () => (await main.get<BranchAllowance>(`/branch/allowance/${cashier.branch.id}`)).data

const revoke = (guid: string) =>
  db().update(tillTable).set({ revokedAt: server.clock.now() }).where(eq(tillTable.guid, guid))

describe('what a till accepted without a check', () => {
  it('counts only under a grant of its device, and at most what that was granted', async () => {
    const till = await acceptingTill(server, cashier)
    expect(await till.renew()).toMatchObject({ total_cents: 5_000 })
    for (let at = 0; at < 7; at += 1) await till.take()
    const states = (await till.upload()).map((one) => (one.state === 'review' ? one.reason : one.state))
    expect(states.filter((one) => one === 'redeemed')).toHaveLength(5)
    expect(states.filter((one) => one === 'over the limit')).toHaveLength(2)
    const stranger = await till.accept(await makeVoucher(db(), { denominationCents: 1_000 }), { grant: randomUUID() })
    const guessed = await till.accept(await makeVoucher(db(), { denominationCents: 1_000 }), { secret: 'x'.repeat(43) })
    expect(await till.upload([stranger, guessed])).toEqual([{ state: 'unknown' }, { state: 'unknown' }])
    expect(await ofBranch()).toMatchObject({ accepted_today_cents: 5_000 })
  })

  it('of a revoked till is left to a person, and takes no more from the others than it was granted', async () => {
    const [first, second] = [await acceptingTill(server, cashier), await acceptingTill(server, cashier)]
    await first.renew()
    for (let at = 0; at < 9; at += 1) await first.take()
    await revoke(first.row.guid)
    for (const one of await first.upload()) expect(one).toMatchObject({ state: 'review' })
    expect((await first.request()).data).toEqual({ grant: null, why: 'revoked' })
    expect(await second.renew()).toMatchObject({ total_cents: 5_000 })
    expect(await ofBranch()).toMatchObject({ accepted_today_cents: 5_000 })
  })

  it('and took back is told as voided, whoever asks for it again', async () => {
    const till = await acceptingTill(server, cashier)
    await till.renew()
    const row = await till.take()
    const lost = await till.upload([row])
    expect(lost).toMatchObject([{ state: 'redeemed', replayed: false }])
    expect(await voidHeld(ask, row)).toMatchObject({ state: 'voided' })
    expect(await till.upload([row])).toMatchObject([{ state: 'voided', receipt: { id: row.id } }])
  })

  it('goes up a hundred rows at a time', async () => {
    await allow(db(), cashier.branch, { ...RULES, voucher_cents: 100, till_cents: 100_00, day_cents: 100_00 })
    const till = await acceptingTill(server, cashier)
    await till.renew()
    const key = await signingKey(server.deps)
    const vouchers = await Promise.all(Array.from({ length: 100 }, () => makeVoucher(db(), { denominationCents: 100 })))
    for (const voucher of vouchers) await till.accept(voucher, { code: codeBy(key, voucher) })
    const { status, data } = await syncRows(ask, till.state.waiting)
    expect(status).toBe(200)
    expect(data.outcomes.filter(({ state }) => state === 'redeemed')).toHaveLength(100)
  })

  it('waits while another till has the voucher in hand, and is redeemed once that has let it go', async () => {
    const voucher = await makeVoucher(db(), { denominationCents: 1_000 })
    const other = await testTill(ask, await makePosUser(db(), await makeMerchant(db())))
    const held = await other.hold(voucher.serial)
    const till = await acceptingTill(server, cashier)
    await till.renew()
    const row = await till.accept(voucher)
    expect(await till.upload([row])).toMatchObject([{ state: 'later', retry_after_seconds: 300 }])
    expect(await ofBranch(), 'it is out until then').toMatchObject({
      accepted_today_cents: 0,
      tills: [{ cents: 5_000 }],
    })
    server.clock.advance({ hours: 25 })
    expect(await till.upload([row])).toMatchObject([{ state: 'redeemed' }])
    expect(await redeemHeld(ask, held)).toMatchObject({ state: 'ended', by: 'taken over' })
  })

  it('is lost to whoever redeemed it first, and nobody is told where', async () => {
    const voucher = await makeVoucher(db(), { denominationCents: 1_000 })
    const other = await testTill(ask, await makePosUser(db(), await makeMerchant(db())))
    await redeemHeld(ask, await other.hold(voucher.serial))
    const till = await acceptingTill(server, cashier)
    await till.renew()
    const [lost] = await till.upload([await till.accept(voucher)])
    expect(lost).toEqual({ state: 'lost', reason: 'used elsewhere', at: server.clock.now().toISOString() })
  })

  it('is redeemed once, however often and from wherever it is sent', async () => {
    const till = await acceptingTill(server, cashier)
    await till.renew()
    const row = await till.take()
    const all = await Promise.all(Array.from({ length: 6 }, () => till.upload([row])))
    expect(all.flat().filter((one) => one.state === 'redeemed' && !one.replayed)).toHaveLength(1)
    expect(all.flat().every(({ state }) => state === 'redeemed')).toBe(true)
  })

  it('is left to a person where its key was ended since', async () => {
    const till = await acceptingTill(server, cashier)
    await till.renew()
    const row = await till.take()
    const [signs] = await db().select().from(voucherKey).where(isNull(voucherKey.endedAt))
    await endVoucherKey(server.deps, signs!.id)
    expect(await till.upload([row])).toEqual([{ state: 'review', reason: 'not genuine' }])
    await makeVoucherKey(server.deps)
  })
})

describe('a grant', () => {
  it('is never more than the day leaves, whatever is out, late or lost', async () => {
    const tills = [
      await acceptingTill(server, cashier),
      await acceptingTill(server, cashier),
      await acceptingTill(server, cashier),
    ] as const
    const shares = await Promise.all(tills.map(async (till) => (await till.request()).data.grant!.total_cents))
    expect(shares.toSorted((one, other) => one - other)).toEqual([2_000, 5_000, 5_000])
    // The answers were lost: asked again nobody gets more.
    const again = await Promise.all(tills.map(async (till) => (await till.renew())!.total_cents))
    expect(again.reduce((sum, cents) => sum + cents, 0)).toBeLessThanOrEqual(12_000)
    await tills[0].take()
    await tills[0].upload()
    const after = [await tills[0].renew(), await tills[1].renew(), await tills[2].renew()]
    expect(after.reduce((sum, grant) => sum + grant!.total_cents, 0)).toBeLessThanOrEqual(12_000)
  })

  it('is refused with the reason', async () => {
    const till = await acceptingTill(server, cashier)
    const why = async () => (await till.request()).data.why
    expect(await why()).toBeNull()
    await allow(db(), cashier.branch, null)
    expect(await why()).toBe('no rules')
    await allow(db(), cashier.branch, RULES)
    await db()
      .update(organisation)
      .set({ verificationMethod: 'Serial and branch PIN' })
      .where(eq(organisation.id, cashier.organisation.id))
    expect(await why()).toBe('branch PIN')
    await db()
      .update(organisation)
      .set({ verificationMethod: 'Serial' })
      .where(eq(organisation.id, cashier.organisation.id))
    await db().update(branchTable).set({ status: 'Inactive' }).where(eq(branchTable.id, cashier.branch.id))
    expect(await why()).toBe('not open')
    await db().update(branchTable).set({ status: 'Active' }).where(eq(branchTable.id, cashier.branch.id))
    await db().update(tillTable).set({ enrolledAt: null }).where(eq(tillTable.guid, till.row.guid))
    expect(await why()).toBe('not enrolled')
  })

  it('is refused to a till that has lost its count, and its branch sees which, until it is enrolled anew', async () => {
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
      { current: true, why: null },
      { current: false, why: null },
      { name: 'Named only' },
    ])
  })
})
