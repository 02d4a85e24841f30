import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { readOpenAllowance } from '../../../server/db/allowance/grants.ts'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { acceptedVoucher } from '../../../server/db/schema/allowance.ts'
import { redemption, till as tillTable } from '../../../server/db/schema/redemptions.ts'
import { voucher as voucherTable } from '../../../server/db/schema/vouchers.ts'
import { checkSeals, sealLedger } from '../../../server/services/redemptions/ledgerSeals.ts'
import { revokeVoucher } from '../../../server/services/vouchers/issueVouchers.ts'
import { endVoucherKey, makeVoucherKey, signingKey } from '../../../server/services/vouchers/voucherKeys.ts'
import { singaporeDay, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { loggedInClient } from '../../support/api/loggedInClient.ts'
import { logIn } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeVoucher,
  type Merchant,
  makeHold,
} from '../../support/database/builders.ts'
import { acceptingTill, allow, signedCode } from '../../support/redemptions/acceptingTill.ts'
import { rowsOf } from '../../support/redemptions/ledgerRows.ts'
import { askHeld, newHoldKey, redeemHeld, testTill, verifyAt, voidHeld } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const START = '2026-11-21T02:00:00.000Z'

it.beforeAll(async ({ server: { deps } }) => void (await makeVoucherKey(deps)))

let shop: Merchant
beforeEach(async () => {
  server.clock.set(START)
  shop = await makeMerchant(db())
  await allow(db(), shop.branch)
})

const newTill = async (at: Merchant = shop) => {
  const user = await makePosUser(db(), at)
  const till = await acceptingTill(server, user)
  await till.renew()
  return { ...till, user }
}
const otherMerchant = async () => {
  const other = await makeMerchant(db())
  await allow(db(), other.branch)
  return other
}
const out = async () => {
  const { tills } = await readOpenAllowance(db(), shop.branch.id, startOfDay(singaporeDay(server.clock.now())))
  return tills.reduce((sum, { cents }) => sum + cents, 0)
}
const later = (minutes: number) =>
  server.clock.set(new Date(server.clock.now().getTime() + minutes * 60_000).toISOString())

describe('an accepted voucher', () => {
  it('is redeemed by the first that arrives, for its branch, till and cashier', async () => {
    const till = await newTill()
    const voucher = await makeVoucher(db())
    const row = await till.accept(voucher)
    later(30)
    const [outcome] = await till.upload()
    expect(outcome).toMatchObject({
      state: 'redeemed',
      receipt: {
        serial: voucher.serial,
        denomination_cents: 1_000,
        redeemed_at: START,
        recorded_at: '2026-11-21T02:30:00.000Z',
        pos_username: till.user.loginName,
        branch_name: shop.branch.name,
        till: 'Till 1',
      },
    })
    expect(await rowsOf(voucher.id)).toMatchObject([{ id: row.id, amountCents: 1_000, tillId: till.row.id }])
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
    await sealLedger(server.deps)
    expect(await checkSeals(server.database)).toMatchObject({ broken: undefined })
  })

  it.for([
    ['of the same shop', 'same'],
    ['of another merchant', 'other'],
  ] as const)('is lost to the till %s that was first', async ([, whose]) => {
    const first = await newTill(whose === 'same' ? shop : await otherMerchant())
    const second = await newTill()
    const voucher = await makeVoucher(db())
    await second.accept(voucher)
    later(5)
    await first.accept(voucher)
    const [won] = await first.upload()
    const [lost] = await second.upload()
    expect(won!.state).toBe('redeemed')
    expect(lost).toEqual({ state: 'lost', reason: 'used elsewhere', at: '2026-11-21T02:05:00.000Z' })
    expect(await rowsOf(voucher.id)).toHaveLength(1)
  })

  it('of two tills at once is redeemed once', async () => {
    const [one, other] = [await newTill(), await newTill()]
    for (let round = 0; round < 10; round += 1) {
      const voucher = await makeVoucher(db(), { denominationCents: 100 })
      await one.accept(voucher)
      await other.accept(voucher)
      const outcomes = (await Promise.all([one.upload(), other.upload()])).flat().map(({ state }) => state)
      expect(outcomes.toSorted()).toEqual(['lost', 'redeemed'])
      expect(await rowsOf(voucher.id)).toHaveLength(1)
    }
  })

  it('that arrives twice, one after the other or at once, has the same outcome and counts once', async () => {
    const till = await newTill()
    const row = await till.take()
    const answers = await Promise.all([till.upload([row]), till.upload([row])])
    const again = await till.upload([row])
    for (const told of [...answers, again]) expect(told).toMatchObject([{ state: 'redeemed' }])
    expect(answers.flat().filter((one) => one.state === 'redeemed' && !one.replayed)).toHaveLength(1)
    await till.renew()
    expect(till.left()).toBe(5_000)
  })

  it('is lost where it was redeemed at a counter, and keeps its outcome', async () => {
    const till = await newTill()
    const { voucher } = await makeRedemption(db(), till.user, new Date(START))
    const row = await till.accept(voucher)
    const lost = await till.upload([row])
    expect(lost).toMatchObject([{ state: 'lost', reason: 'used elsewhere', at: START }])
    expect(await till.upload([row])).toEqual(lost)
  })

  it('is lost where the provider has revoked it', async () => {
    const till = await newTill()
    const voucher = await makeVoucher(db())
    await till.accept(voucher)
    later(3)
    await revokeVoucher(server.deps, voucher.serial)
    expect(await till.upload()).toMatchObject([{ state: 'lost', reason: 'revoked', at: '2026-11-21T02:03:00.000Z' }])
  })

  it('is redeemed after its last day, if it was accepted on it', async () => {
    const till = await newTill()
    const voucher = await makeVoucher(db(), { expiresOn: '2026-11-21' })
    await till.accept(voucher)
    server.clock.set('2026-11-25T02:00:00.000Z')
    expect(await till.upload()).toMatchObject([{ state: 'redeemed', receipt: { redeemed_at: START } }])
    await till.renew()
    await till.accept(await makeVoucher(db(), { expiresOn: '2026-11-24' }))
    expect(await till.upload()).toMatchObject([{ state: 'review', reason: 'after the end' }])
  })

  it('ends a hold of the same till, whose answer was lost', async () => {
    const till = await newTill()
    const { token } = await logIn(till.ask, till.user)
    const voucher = await makeVoucher(db())
    const key = newHoldKey()
    expect(await verifyAt({ ask: till.ask, token, till: till.row.id }, voucher.serial, key)).toMatchObject({
      status: 200,
    })
    await till.accept(voucher)
    expect(await till.upload()).toMatchObject([{ state: 'redeemed' }])
    expect(await askHeld(ask, key)).toMatchObject({ state: 'ended', by: 'cancelled' })
  })

  it('waits for another till that has it on hold, and is lost or redeemed by what that till does', async () => {
    const till = await newTill()
    const counter = await testTill(ask, await makePosUser(db(), shop))
    const [taken, kept] = [await makeVoucher(db()), await makeVoucher(db())]
    const keyOfTaken = await counter.hold(taken.serial)
    await counter.hold(kept.serial)
    await till.accept(taken)
    await till.accept(kept)
    expect(await till.upload()).toMatchObject([
      { state: 'later', retry_after_seconds: 300 },
      { state: 'later', retry_after_seconds: 300 },
    ])
    await redeemHeld(ask, keyOfTaken)
    later(24 * 60)
    expect(await till.upload()).toMatchObject([{ state: 'lost' }, { state: 'redeemed' }])
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
  })
})

it('a voucher that was voided is told as voided to a till that says again that it accepted it', async () => {
  const till = await newTill()
  const voucher = await makeVoucher(db())
  const row = await till.accept(voucher)
  await till.upload([row])
  const voided = await voidHeld(ask, row)
  expect(voided).toMatchObject({ state: 'voided', voided_at: START, receipt: { id: row.id } })
  expect(await till.upload([row])).toEqual([voided])
  const counter = await testTill(ask, await makePosUser(db(), shop))
  await counter.hold(voucher.serial)
})

it('a hundred accepted vouchers go in one call', async () => {
  const till = await newTill()
  await till.take()
  const rows = Array.from({ length: 100 }, () => ({ ...till.state.waiting[0]!, code: 'x'.repeat(200) }))
  expect(await till.upload(rows)).toHaveLength(100)
})

describe('for a person to review, and never in the ledger, is', () => {
  const reviewed = async (till: Awaited<ReturnType<typeof newTill>>, reason: string) => {
    const row = till.state.waiting.at(-1)!
    expect(await till.upload([row])).toEqual([{ state: 'review', reason }])
    expect(await db().select().from(redemption).where(eq(redemption.id, row.id))).toEqual([])
  }

  it('what is over the ceiling of its grant, or dearer than one voucher may be', async () => {
    const till = await newTill()
    for (let each = 0; each < 6; each += 1) await till.take()
    await till.upload(till.state.waiting.slice(0, 5))
    await reviewed(till, 'over the limit')
    const other = await newTill()
    await other.take(2_000)
    await reviewed(other, 'over the limit')
  })

  it('what was accepted at or after the end of its grant, or long before it', async () => {
    const till = await newTill()
    await till.accept(await makeVoucher(db()), { tapped_at: '2026-11-21T06:00:00.000Z' })
    await reviewed(till, 'after the end')
    await till.accept(await makeVoucher(db()), { tapped_at: '2026-11-21T01:50:00.000Z' })
    await reviewed(till, 'after the end')
    await till.accept(await makeVoucher(db()), { tapped_at: '2026-11-21T05:59:59.000Z' })
    expect(await till.upload()).toMatchObject([{ state: 'redeemed', receipt: { redeemed_at: START } }])
  })

  it('what comes from a till that was revoked', async () => {
    const till = await newTill()
    await till.take()
    await db().update(tillTable).set({ revokedAt: server.clock.now() }).where(eq(tillTable.guid, till.row.guid))
    await reviewed(till, 'revoked till')
  })

  it('what was accepted at the branch before, once a till that was moved is revoked; what is out there is freed with it', async () => {
    const to = await makeBranch(db(), shop.organisation)
    const till = await newTill()
    const main = await loggedInClient(ask, shop.main)
    await main.post(`/device/${till.row.guid}/move`, { branch_guid: to.id })
    const early = await till.take()
    expect(await till.upload([early])).toMatchObject([{ state: 'redeemed' }])
    const [moved] = await db().select().from(tillTable).where(eq(tillTable.branchId, to.id))
    expect(await out()).toBe(4_000)
    expect(await main.post(`/device/${moved!.guid}/revoke`, { remove: false })).toMatchObject({ status: 200 })
    expect(await out()).toBe(0)
    const late = await till.take()
    expect(await till.upload([late])).toMatchObject([{ state: 'review', reason: 'revoked till' }])
  })

  it('what names a cashier who is not its own', async () => {
    const till = await newTill()
    await till.accept(await makeVoucher(db()), { pos_user: randomUUID() })
    await reviewed(till, 'not genuine')
  })

  it('a voucher that the programme has not signed, or with a key that is ended', async () => {
    const till = await newTill()
    const voucher = await makeVoucher(db())
    const code = await signedCode(server.deps, voucher)
    await till.accept(voucher, { code: `${code.slice(0, -4)}0000` })
    await reviewed(till, 'not genuine')
    const { id } = await signingKey(server.deps)
    await endVoucherKey(server.deps, id)
    await till.accept(voucher, { code })
    await reviewed(till, 'not genuine')
    await makeVoucherKey(server.deps)
  })
})

describe('nothing is stored of', () => {
  it('a row without the secret of its grant, or of a grant that is not there', async () => {
    const [till, other] = [await newTill(), await newTill()]
    const row = await till.take()
    const refused = [{ state: 'unknown' }]
    expect(await till.upload([{ ...row, secret: other.state.grant!.secret }])).toEqual(refused)
    expect(await till.upload([{ ...row, grant: randomUUID() }])).toEqual(refused)
    expect(await db().select().from(acceptedVoucher).where(eq(acceptedVoucher.id, row.id))).toEqual([])
    expect(await till.upload([row])).toMatchObject([{ state: 'redeemed' }])
  })

  it('a row whose id stands for something else', async () => {
    const till = await newTill()
    const { id } = await makeHold(db(), till.user, new Date(START))
    await till.accept(await makeVoucher(db()), { id })
    const refused = { state: 'unknown' }
    expect(await till.upload()).toMatchObject([refused])
    const row = await till.take()
    await till.upload([row])
    await till.accept(await makeVoucher(db()), { id: row.id })
    expect(await till.upload(till.state.waiting.slice(-1))).toMatchObject([refused])
  })
})

it('a row that cannot be settled says nothing about the others of its upload', async () => {
  const till = await newTill()
  const [good, bad, last] = [await till.take(), await till.take(), await till.take()]
  const outcomes = await till.upload([good, { ...bad, secret: good.secret.toUpperCase() }, last])
  expect(outcomes.map(({ state }) => state)).toEqual(['redeemed', 'unknown', 'redeemed'])
  const [voucher] = await db()
    .select()
    .from(voucherTable)
    .where(eq(voucherTable.usedAt, new Date(START)))
    .limit(1)
  expect(voucher?.status).toBe('Used')
})
