import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { activity } from '../../../server/db/schema/activity.ts'
import { endOldHolds } from '../../../server/services/redemptions/holds.ts'
import { revokeVoucher } from '../../../server/services/vouchers/issueVouchers.ts'
import { loggedInClient, withoutRequestId } from '../../support/api/loggedInClient.ts'
import { post, logIn } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeHold,
  makeMerchant,
  makePosUser,
  makeUser,
  makeVoucher,
  type Merchant,
  type PosUser,
} from '../../support/database/builders.ts'
import { openHold, rowsOf, stored } from '../../support/redemptions/ledgerRows.ts'
import {
  askHeld,
  cancelHeld,
  newHoldKey,
  redeemHeld,
  syncRows,
  testTill,
  voidHeld,
  type TestTill,
} from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import { type TestServer } from '../../support/server/testServer.ts'

const START = '2026-11-21T02:00:00.000Z'

let merchant: Merchant
let cashier: PosUser
let till: TestTill
beforeEach(async () => {
  server.clock.set(START)
  merchant = await makeMerchant(db())
  cashier = await makePosUser(db(), merchant)
  till = await testTill(ask, cashier)
})

const later = (by: Parameters<TestServer['clock']['advance']>[0]) => server.clock.advance(by)
const ended = (by: string, when = server.clock.now().toISOString()) => ({ state: 'ended', by, when })

/** Makes a hold of `till` on a new voucher. */
async function held() {
  const voucher = await makeVoucher(db())
  return { voucher, key: await till.hold(voucher.serial) }
}

/** Expects that a hold is over: the voucher is free, and the till that held it is refused from now on. */
async function expectOver({ voucher, key }: Awaited<ReturnType<typeof held>>, by: string, when?: string) {
  const over = ended(by, when)
  for (const tell of [redeemHeld, askHeld, cancelHeld, voidHeld]) expect(await tell(ask, key)).toEqual(over)
  const next = await testTill(ask, await makePosUser(db()))
  // The same id does not make a new hold, at any till: the first till may have been told that it is over.
  const again = { status: 409, error: 'HOLD_ENDED', data: { by: over.by, when: over.when } }
  expect(await next.verify(voucher.serial, key)).toMatchObject(again)
  expect(await rowsOf(voucher.id)).toEqual([])
  expect(await next.verify(voucher.serial, newHoldKey())).toMatchObject({ status: 200 })
}

describe('cancelling', () => {
  it('frees the voucher by the secret alone, and is the same answer again', async () => {
    const mine = await held()
    expect(await cancelHeld(ask, mine.key)).toEqual(ended('cancelled', START))
    later({ minutes: 1 })
    await expectOver(mine, 'cancelled', START)
  })

  it('comes before the verify that it overtook: nothing is held for a till that has gone on', async () => {
    const voucher = await makeVoucher(db())
    const key = newHoldKey()
    expect(await cancelHeld(ask, key)).toEqual(ended('cancelled'))
    expect(await till.verify(voucher.serial, key)).toMatchObject({ status: 409, error: 'HOLD_ENDED' })
    expect(await openHold(voucher.id)).toBeUndefined()
  })

  it('of holds that were never made is counted, for each leaves a row and asks for no session', async () => {
    const app = createApp({ ...server.deps, settings: { ...server.deps.settings, trustProxy: true } })
    const cancel = async (address: string) => {
      const from = { 'x-forwarded-for': address }
      const { data } = await syncRows(app.request, [{ became: 'cancelled', ...newHoldKey() }], from)
      return data.outcomes[0]!.state
    }
    const states: string[] = []
    for (let round = 0; round < 65; round += 1) states.push(await cancel('192.0.2.1'))
    expect(states.filter((state) => state === 'ended')).toHaveLength(60)
    expect(states.filter((state) => state === 'later')).toHaveLength(5)
    expect(await cancel('192.0.2.2')).toBe('ended')
    later({ seconds: 61 })
    expect(await cancel('192.0.2.1')).toBe('ended')
  })

  it('does not undo a redemption, and says that it is one', async () => {
    const { voucher, key } = await held()
    const redeemed = await redeemHeld(ask, key)
    expect(await cancelHeld(ask, key)).toEqual({ ...redeemed, replayed: true })
    expect(await stored(voucher.id)).toMatchObject({ status: 'Used' })
  })
})

describe('a release', () => {
  const release = (token: string, guid: string, since: string = START) =>
    post(ask, '/api/voucher/release', { guid, since }, token)

  it('by the merchant frees the voucher and is written down; again it is done already', async () => {
    const main = await loggedInClient(ask, merchant.main)
    const mine = await held()
    later({ minutes: 3 })
    expect(await release(main.token, mine.voucher.id)).toMatchObject({ status: 200, data: { released: true } })
    const log = await db().select().from(activity).where(eq(activity.subjectId, mine.voucher.id))
    expect(log).toMatchObject([
      { actor: merchant.main.loginName, action: 'hold.released', details: { till: 'Till 2', since: START } },
    ])
    expect(await release(main.token, mine.voucher.id)).toMatchObject({ status: 200 })
    expect(await db().select().from(activity).where(eq(activity.subjectId, mine.voucher.id))).toHaveLength(1)
    await expectOver(mine, 'released by merchant')
  })

  it('leaves a newer hold alone', async () => {
    const main = await loggedInClient(ask, merchant.main)
    const { voucher, key } = await held()
    await cancelHeld(ask, key)
    later({ minutes: 1 })
    await till.hold(voucher.serial)
    expect(await release(main.token, voucher.id)).toMatchObject({ status: 409, error: 'INVALID_STATE' })
    expect(await openHold(voucher.id)).toMatchObject({ tillName: 'Till 2' })
  })

  it('ACL-05: is for the scope that holds: not for another branch, another tenant, or the till', async () => {
    const elsewhere = await makeBranch(db(), merchant.organisation)
    const sibling = await makeUser(db(), 'Branch Merchant', { organisation: merchant.organisation, branch: elsewhere })
    const own = await makeUser(db(), 'Branch Merchant', merchant)
    const { voucher } = await held()
    for (const user of [sibling, (await makeMerchant(db())).main]) {
      const { token } = await logIn(ask, user)
      const [ours, absent] = [await release(token, voucher.id), await release(token, randomUUID())]
      expect(ours).toMatchObject({ status: 404, error: 'NOT_FOUND' })
      expect(withoutRequestId(ours)).toEqual(withoutRequestId(absent))
    }
    expect(await release(till.token, voucher.id)).toMatchObject({ status: 403, error: 'FORBIDDEN' })
    expect(await release((await logIn(ask, own)).token, voucher.id)).toMatchObject({ status: 200 })
  })
})

describe('deactivating', () => {
  it('a POS user ends its holds with its session, and nobody else’s', async () => {
    const main = await loggedInClient(ask, merchant.main)
    const mine = await held()
    const other = await makeHold(db(), await makePosUser(db(), merchant), server.clock.now())
    expect((await main.get(`/pos/get/${cashier.id}`)).data).toMatchObject({ on_hold: 1 })
    expect(await main.put(`/pos/${merchant.branch.id}/deactivation/${cashier.id}`)).toMatchObject({
      status: 200,
      data: { on_hold: 0 },
    })
    expect(await openHold(other.voucher.id)).toMatchObject({ id: other.id })
    await expectOver(mine, 'deactivated')
    await main.put(`/pos/${merchant.branch.id}/reactivation/${cashier.id}`)
    expect(await redeemHeld(ask, mine.key)).toMatchObject({ state: 'ended', by: 'deactivated' })
  })

  it('a branch ends the holds of all its tills', async () => {
    const main = await loggedInClient(ask, merchant.main)
    const mine = await held()
    const neighbours = await makeHold(db(), await makePosUser(db(), merchant), server.clock.now())
    const elsewhere = await makeBranch(db(), merchant.organisation)
    const other = await makeHold(db(), await makePosUser(db(), { ...merchant, branch: elsewhere }), server.clock.now())
    expect((await main.get(`/branch/get/${merchant.branch.id}`)).data).toMatchObject({ on_hold: 2 })
    expect(await main.put(`/branch/deactivation/${merchant.branch.id}`)).toMatchObject({
      status: 200,
      data: { on_hold: 0 },
    })
    expect(await openHold(neighbours.voucher.id)).toBeUndefined()
    expect(await openHold(other.voucher.id)).toMatchObject({ id: other.id })
    await expectOver(mine, 'deactivated')
  })
})

describe('the provider', () => {
  it('the programme ends a hold after 90 days, by its time and not before, and writes it down', async () => {
    const [last, other] = [await held(), await held()]
    later({ days: 90 })
    await endOldHolds(server.deps)
    expect(await openHold(last.voucher.id)).toMatchObject({ id: last.key.id })
    expect(await redeemHeld(ask, other.key)).toMatchObject({ state: 'redeemed' })
    later({ seconds: 1 })
    expect(await endOldHolds(server.deps)).toBeGreaterThan(0)
    expect(await endOldHolds(server.deps)).toBe(0)
    await expectOver(last, 'released by provider')
    const log = await db().select().from(activity).where(eq(activity.subjectId, last.voucher.id))
    expect(log).toMatchObject([{ actor: 'Provider', action: 'hold.released', details: { till: 'Till 2' } }])
  })

  it('after 14 months a secret opens its receipt again, tells how its hold ended, and takes nothing', async () => {
    const [taken, kept] = [await held(), await held()]
    const redeemed = await redeemHeld(ask, taken.key)
    later({ days: 425 })
    await endOldHolds(server.deps)
    expect(await redeemHeld(ask, taken.key)).toEqual({ ...redeemed, replayed: true })
    expect(await redeemHeld(ask, kept.key)).toEqual(ended('released by provider'))
    expect(await rowsOf(kept.voucher.id)).toEqual([])
  })

  it('cannot revoke what a till has on hold, for it may be redeemed already', async () => {
    const { voucher, key } = await held()
    await expect(revokeVoucher(server.deps, voucher.serial)).rejects.toMatchObject({ code: 'VOUCHER_HELD' })
    await cancelHeld(ask, key)
    expect(await revokeVoucher(server.deps, voucher.serial)).toBe(true)
    expect(await redeemHeld(ask, key)).toEqual(ended('cancelled'))
  })
})

describe('voiding', () => {
  const redeemed = async () => {
    const { voucher, key } = await held()
    const outcome = await redeemHeld(ask, key)
    if (outcome.state !== 'redeemed') throw new Error(outcome.state)
    return { voucher, key, receipt: outcome.receipt }
  }

  it('takes a redemption back within five minutes: the row stays, the voucher is good again', async () => {
    const { voucher, key, receipt } = await redeemed()
    later({ minutes: 5 })
    const voided_at = server.clock.now().toISOString()
    expect(await voidHeld(ask, key)).toEqual({ state: 'voided', receipt, voided_at })
    expect(await rowsOf(voucher.id)).toMatchObject([{ id: key.id, voidedBy: cashier.id }])
    expect(await stored(voucher.id)).toMatchObject({ status: 'Active', usedAt: null, branchId: null })
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
    const again = await till.hold(voucher.serial)
    expect(await redeemHeld(ask, again)).toMatchObject({ state: 'redeemed' })
    expect(await rowsOf(voucher.id)).toHaveLength(2)
  })

  it('is the same answer again, also to a till that says once more that it redeemed', async () => {
    const { key } = await redeemed()
    const first = await voidHeld(ask, key)
    later({ minutes: 7 })
    for (const tell of [voidHeld, redeemHeld, cancelHeld, askHeld]) expect(await tell(ask, key)).toEqual(first)
  })

  it('is too late a moment after the five minutes, which run from when the server recorded it', async () => {
    const { voucher, key } = await held()
    later({ minutes: 9 })
    await redeemHeld(ask, key, { tapped_at: START })
    later({ minutes: 5, seconds: 0.001 })
    expect(await voidHeld(ask, key)).toMatchObject({ state: 'redeemed' })
    expect(await stored(voucher.id)).toMatchObject({ status: 'Used' })
  })

  it('is for the till that redeemed: no other secret, and what is held is not voided', async () => {
    const { voucher, key } = await redeemed()
    const other = await held()
    expect(await voidHeld(ask, { id: key.id, secret: other.key.secret })).toEqual({ state: 'unknown' })
    expect(await voidHeld(ask, other.key)).toMatchObject({ state: 'held' })
    expect(await stored(voucher.id)).toMatchObject({ status: 'Used' })
  })
})
