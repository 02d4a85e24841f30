import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { activity } from '../../../server/db/schema/activity.ts'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { voucher as voucherTable } from '../../../server/db/schema/vouchers.ts'
import { endOldHolds } from '../../../server/services/redemptions/holds.ts'
import { revokeVoucher } from '../../../server/services/vouchers/issueVouchers.ts'
import type { Receipt } from '../../../src/contract/redemptions/redeem.ts'
import { post, signIn } from '../../support/api/portalClient.ts'
import { countByStatus, signedInClient, withoutRequestId } from '../../support/api/signedInClient.ts'
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
import {
  askHeld,
  bearerOf,
  cancelHeld,
  newHoldKey,
  redeemHeld,
  testTill,
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
const stored = async (id: string) => (await db().select().from(voucherTable).where(eq(voucherTable.id, id)))[0]!
const rowsOf = (voucherId: string) => db().select().from(redemption).where(eq(redemption.voucherId, voucherId))
const ended = (by: string, when = server.clock.now().toISOString()) => ({ error: 'HOLD_ENDED', data: { by, when } })

/** A hold of `till` on a new voucher. */
async function held() {
  const voucher = await makeVoucher(db())
  return { voucher, key: await till.hold(voucher.serial) }
}

/** What every way to end a hold comes to: the voucher is free, and the till that held it is refused from now on. */
async function expectOver({ voucher, key }: Awaited<ReturnType<typeof held>>, by: string, when?: string) {
  expect(await redeemHeld(ask, key)).toMatchObject({ status: 409, ...ended(by, when) })
  expect(await askHeld(ask, key)).toMatchObject({ status: 200, data: { state: 'ended', by } })
  expect(await cancelHeld(ask, key)).toMatchObject({ status: 200, data: { id: key.id, by } })
  const next = await testTill(ask, await makePosUser(db()))
  // The same id again is not a new hold, whoever asks: its till may have been told that it is over.
  expect(await next.verify(voucher.serial, key)).toMatchObject({ status: 409, ...ended(by, when) })
  expect(await rowsOf(voucher.id)).toEqual([])
  expect(await next.verify(voucher.serial, newHoldKey())).toMatchObject({ status: 200 })
}

describe('cancelling', () => {
  it('frees the voucher by the secret alone, and is the same answer again', async () => {
    const mine = await held()
    const { data } = await cancelHeld(ask, mine.key)
    expect(data).toEqual({ id: mine.key.id, by: 'cancelled', when: START })
    later({ minutes: 1 })
    expect((await cancelHeld(ask, mine.key)).data).toEqual(data)
    await expectOver(mine, 'cancelled', START)
  })

  it('takes a session only with the secret beside it', async () => {
    const { key } = await held()
    const cancel = (more: object) => post(ask, '/api/voucher/cancel', { id: key.id, ...more }, till.token)
    expect(await cancel({})).toMatchObject({ status: 404, error: 'HOLD_UNKNOWN' })
    expect(await cancel({ secret: newHoldKey().secret })).toMatchObject({ status: 404, error: 'HOLD_UNKNOWN' })
    expect(await cancel({ secret: key.secret })).toMatchObject({ status: 200, data: { by: 'cancelled' } })
  })

  it('comes before the verify that it overtook: nothing is held for a till that has gone on', async () => {
    const voucher = await makeVoucher(db())
    const key = newHoldKey()
    expect(await cancelHeld(ask, key)).toMatchObject({ status: 200, data: { by: 'cancelled' } })
    expect(await till.verify(voucher.serial, key)).toMatchObject({ status: 409, ...ended('cancelled') })
    expect(await stored(voucher.id)).toMatchObject({ holdId: null })
  })

  it('of holds that were never made is counted, for each leaves a row and asks for no session', async () => {
    const app = createApp({ ...server.deps, settings: { ...server.deps.settings, trustProxy: true } })
    const cancel = (address: string) => {
      const key = newHoldKey()
      const from = { 'x-forwarded-for': address }
      return post(app.request, '/api/voucher/cancel', { id: key.id }, bearerOf(key), from)
    }
    const replies: Awaited<ReturnType<typeof cancel>>[] = []
    for (let round = 0; round < 65; round += 1) replies.push(await cancel('192.0.2.1'))
    expect(countByStatus(replies)).toEqual({ 200: 60, '429 TOO_MANY_ATTEMPTS': 5 })
    expect((await cancel('192.0.2.2')).status).toBe(200)
    later({ seconds: 61 })
    expect((await cancel('192.0.2.1')).status).toBe(200)
  })

  it('does not undo a redemption, and says that it is one', async () => {
    const { voucher, key } = await held()
    const { data } = await redeemHeld(ask, key)
    expect(await cancelHeld(ask, key)).toMatchObject({ status: 409, ...ended('redeemed', data.recorded_at) })
    expect(await stored(voucher.id)).toMatchObject({ status: 'Used' })
  })
})

describe('a release', () => {
  const release = (token: string, guid: string, since: string = START) =>
    post(ask, '/api/voucher/release', { guid, since }, token)

  it('by the merchant frees the voucher and is written down; again it is done already', async () => {
    const main = await signedInClient(ask, merchant.main)
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
    const main = await signedInClient(ask, merchant.main)
    const { voucher, key } = await held()
    await cancelHeld(ask, key)
    later({ minutes: 1 })
    await till.hold(voucher.serial)
    expect(await release(main.token, voucher.id)).toMatchObject({ status: 409, error: 'INVALID_STATE' })
    expect(await stored(voucher.id)).toMatchObject({ holdTillName: 'Till 2' })
  })

  it('ACL-05: is for the scope that holds: not for another branch, another tenant, or the till', async () => {
    const elsewhere = await makeBranch(db(), merchant.organisation)
    const sibling = await makeUser(db(), 'Branch Merchant', { organisation: merchant.organisation, branch: elsewhere })
    const own = await makeUser(db(), 'Branch Merchant', merchant)
    const { voucher } = await held()
    for (const user of [sibling, (await makeMerchant(db())).main]) {
      const { token } = await signIn(ask, user)
      const [ours, absent] = [await release(token, voucher.id), await release(token, randomUUID())]
      expect(ours).toMatchObject({ status: 404, error: 'NOT_FOUND' })
      expect(withoutRequestId(ours)).toEqual(withoutRequestId(absent))
    }
    expect(await release(till.token, voucher.id)).toMatchObject({ status: 403, error: 'FORBIDDEN' })
    expect(await release((await signIn(ask, own)).token, voucher.id)).toMatchObject({ status: 200 })
  })
})

describe('deactivating', () => {
  it('a POS user ends its holds with its session, and nobody else’s', async () => {
    const main = await signedInClient(ask, merchant.main)
    const mine = await held()
    const other = await makeHold(db(), await makePosUser(db(), merchant), server.clock.now())
    expect((await main.get(`/pos/get/${cashier.id}`)).data).toMatchObject({ on_hold: 1 })
    expect(await main.put(`/pos/${merchant.branch.id}/deactivation/${cashier.id}`)).toMatchObject({
      status: 200,
      data: { on_hold: 0 },
    })
    expect(await stored(other.voucher.id)).toMatchObject({ holdId: other.id })
    await expectOver(mine, 'deactivated')
    await main.put(`/pos/${merchant.branch.id}/reactivation/${cashier.id}`)
    expect(await redeemHeld(ask, mine.key)).toMatchObject(ended('deactivated'))
  })

  it('a branch ends the holds of all its tills', async () => {
    const main = await signedInClient(ask, merchant.main)
    const mine = await held()
    const neighbours = await makeHold(db(), await makePosUser(db(), merchant), server.clock.now())
    const elsewhere = await makeBranch(db(), merchant.organisation)
    const other = await makeHold(db(), await makePosUser(db(), { ...merchant, branch: elsewhere }), server.clock.now())
    expect((await main.get(`/branch/get/${merchant.branch.id}`)).data).toMatchObject({ on_hold: 2 })
    expect(await main.put(`/branch/deactivation/${merchant.branch.id}`)).toMatchObject({
      status: 200,
      data: { on_hold: 0 },
    })
    expect(await stored(neighbours.voucher.id)).toMatchObject({ holdId: null })
    expect(await stored(other.voucher.id)).toMatchObject({ holdId: other.id })
    await expectOver(mine, 'deactivated')
  })
})

describe('the provider', () => {
  it('the programme ends a hold after 90 days, by its time and not before, and writes it down', async () => {
    const [last, other] = [await held(), await held()]
    later({ days: 90 })
    await endOldHolds(server.deps)
    expect(await stored(last.voucher.id)).toMatchObject({ holdId: last.key.id })
    expect(await redeemHeld(ask, other.key)).toMatchObject({ status: 200 })
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
    const again = await redeemHeld(ask, taken.key)
    expect(again).toMatchObject({ status: 200, data: { receipt_number: redeemed.data.receipt_number } })
    const ending = ended('released by provider')
    expect(await redeemHeld(ask, kept.key)).toMatchObject({ status: 409, ...ending })
    expect((await askHeld(ask, kept.key)).data).toMatchObject({ state: 'ended', by: 'released by provider' })
    const more = await makeVoucher(db())
    expect((await redeemHeld(ask, taken.key)).status).not.toBe(200)
    expect(await stored(more.id)).toMatchObject({ status: 'Active' })
    expect(await rowsOf(kept.voucher.id)).toEqual([])
  })

  it('cannot revoke what a till has on hold, for it may be redeemed already', async () => {
    const { voucher, key } = await held()
    await expect(revokeVoucher(server.deps, voucher.serial)).rejects.toMatchObject({ code: 'VOUCHER_HELD' })
    await cancelHeld(ask, key)
    expect(await revokeVoucher(server.deps, voucher.serial)).toBe(true)
    expect(await redeemHeld(ask, key)).toMatchObject(ended('cancelled'))
  })
})

describe('voiding', () => {
  const undo = (id: string, token = till.token) =>
    post<{ receipt: Receipt; voided_at: string }>(ask, '/api/voucher/void', { id }, token)
  const redeemed = async () => {
    const { voucher, key } = await held()
    const { data: receipt } = await redeemHeld(ask, key)
    return { voucher, key, receipt }
  }

  it('takes a redemption back within five minutes: the row stays, the voucher is good again', async () => {
    const { voucher, key, receipt } = await redeemed()
    later({ minutes: 5 })
    const voided_at = server.clock.now().toISOString()
    expect(await undo(key.id)).toMatchObject({ status: 200, data: { receipt, voided_at } })
    expect(await rowsOf(voucher.id)).toMatchObject([{ id: key.id, voidedBy: cashier.id }])
    expect(await stored(voucher.id)).toMatchObject({ status: 'Active', usedAt: null, redeemedBranchId: null })
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
    const again = await till.hold(voucher.serial)
    expect(await redeemHeld(ask, again)).toMatchObject({ status: 200 })
    expect(await rowsOf(voucher.id)).toHaveLength(2)
  })

  it('is the same answer again, and the till that sends the redemption once more is told', async () => {
    const { voucher, key } = await redeemed()
    const first = await undo(key.id)
    later({ minutes: 7 })
    expect(await undo(key.id)).toMatchObject({ status: 200, body: first.body })
    expect(await redeemHeld(ask, key)).toMatchObject({ status: 409, ...ended('voided', START) })
    expect(await cancelHeld(ask, key)).toMatchObject({ status: 200, data: { by: 'voided' } })
  })

  it('is too late a moment after the five minutes, which run from when the server recorded it', async () => {
    const { voucher, key } = await held()
    later({ minutes: 9 })
    await redeemHeld(ask, key, { redeemed_at: START })
    later({ minutes: 5, seconds: 0.001 })
    till = await testTill(ask, cashier)
    expect(await undo(key.id)).toMatchObject({
      status: 409,
      error: 'VOID_TOO_LATE',
      data: { until: '2026-11-21T02:14:00.000Z' },
    })
    expect(await stored(voucher.id)).toMatchObject({ status: 'Used' })
  })

  it('is no longer possible, as a till is told that asks, once a late one cannot be on its way any more', async () => {
    const { key } = await redeemed()
    const told = async () => (await askHeld(ask, key)).data
    later({ minutes: 9, seconds: 59 })
    expect(await told()).toMatchObject({ state: 'redeemed', can_be_voided: true })
    later({ seconds: 1 })
    expect(await told()).toMatchObject({ state: 'redeemed', can_be_voided: false })
  })

  it('is for the POS user who has the credit, in a live session', async () => {
    const { key } = await redeemed()
    const neighbour = await testTill(ask, await makePosUser(db(), merchant))
    const [theirs, absent] = [await undo(key.id, neighbour.token), await undo(randomUUID(), neighbour.token)]
    expect(theirs).toMatchObject({ status: 404, error: 'REDEMPTION_UNKNOWN' })
    expect(withoutRequestId(theirs)).toEqual(withoutRequestId(absent))
    await signIn(ask, cashier)
    expect(await undo(key.id)).toMatchObject({ status: 401, error: 'SESSION_TERMINATED' })
  })

  it('leaves out of every report and receipt what was voided', async () => {
    const { key } = await redeemed()
    await undo(key.id)
    const main = await signedInClient(ask, merchant.main)
    const report = await ask('/reporting/report/merchant/transaction_report', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${main.token}`, 'login-type': 'MERCHANT' },
      body: JSON.stringify({ from: '2026-11-21', to: '2026-11-21' }),
    })
    expect(report.headers.get('x-row-count')).toBe('0')
    await report.text()
    const old = await ask(`/api/voucher/redemption/${key.id}`, { headers: { authorization: `Bearer ${till.token}` } })
    expect(old.status).toBe(404)
  })
})
