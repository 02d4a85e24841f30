import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { branch as branchTable, organisation as organisationTable } from '../../../server/db/schema/organisations.ts'
import { hashPassword } from '../../../server/services/accounts/passwords/passwordHash.ts'
import type { MyDay, Till } from '../../../src/contract/redemptions/counter.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import type { Voucher as VoucherRecord, VoucherRow } from '../../../src/contract/vouchers.ts'
import { countByStatus, loggedInClient } from '../../support/api/loggedInClient.ts'
import { get, post, reply, send } from '../../support/api/portalClient.ts'
import {
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeVoucher,
  type Merchant,
  type PosUser,
} from '../../support/database/builders.ts'
import { newHoldKey, redeemHeld, testTill, type TestTill, voidHeld } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import { parseSentCsv } from '../../support/tables/parseCsv.ts'

const START = '2026-11-21T02:00:00.000Z'

let merchant: Merchant
let cashier: PosUser
let till: TestTill
beforeEach(async () => {
  server.clock.set(START)
  merchant = await makeMerchant(db())
  cashier = await makePosUser(db(), merchant)
  till = await testTill(ask, cashier, { name: 'Till 2' })
})

describe('a till', () => {
  const name = async (id: string, body: object, token = till.token) =>
    reply<Till>(await send(ask, 'PUT', `/api/till/${id}`, { token, body }))

  it('is named by its cashier, anew as often as wanted, and holds carry the name of their time', async () => {
    const voucher = await makeVoucher(db())
    const key = await till.hold(voucher.serial)
    expect(await name(till.id, { name: ' Counter A ' })).toMatchObject({
      status: 200,
      data: { guid: till.id, name: 'Counter A', branch_guid: merchant.branch.id },
    })
    expect(await redeemHeld(ask, key)).toMatchObject({ receipt: { till: 'Till 2' } })
    const next = newHoldKey()
    expect(await till.verify((await makeVoucher(db())).serial, next)).toMatchObject({
      data: { hold: { till: 'Counter A' } },
    })
  })

  it('has a name of its own at every branch', async () => {
    const other = await testTill(ask, await makePosUser(db()), { id: till.id, name: 'Theirs' })
    const { data } = await till.verify((await makeVoucher(db())).serial, newHoldKey())
    expect(data.hold?.till).toBe('Till 2')
    const elsewhere = await other.verify((await makeVoucher(db())).serial, newHoldKey())
    expect(elsewhere.data.hold?.till).toBe('Theirs')
  })
})

describe('my day', () => {
  const dayOf = (token: string, day: string) => get<MyDay>(ask, `/api/voucher/my_day?day=${day}`, token)

  it('shows what I redeemed, and what was voided', async () => {
    const entries = []
    for (const denominationCents of [500, 1_000, 500, 2_000]) {
      const { serial } = await makeVoucher(db(), { denominationCents })
      const key = await till.hold(serial)
      const told = await redeemHeld(ask, key)
      if (told.state === 'redeemed') entries.push({ ...told.receipt, key })
      server.clock.advance({ seconds: 1 })
    }
    await voidHeld(ask, entries[3]!.key)
    await till.hold((await makeVoucher(db())).serial)

    const { status, data } = await dayOf(till.token, '2026-11-21')
    expect(status).toBe(200)
    expect(data.rows.map(({ id }) => id)).toEqual(entries.map(({ id }) => id).toReversed())
    expect(data.rows[0]).toEqual({
      id: entries[3]!.id,
      serial: entries[3]!.serial,
      denomination_cents: 2_000,
      receipt_number: entries[3]!.receipt_number,
      redeemed_at: entries[3]!.redeemed_at,
      recorded_at: entries[3]!.recorded_at,
      till: 'Till 2',
      voided_at: server.clock.now().toISOString(),
    })
  })

  it('is a Singapore day, by the time of the tap', async () => {
    for (const at of ['2026-11-20T15:59:59.999Z', '2026-11-20T16:00:00.000Z', '2026-11-21T15:59:59.999Z'])
      await makeRedemption(db(), cashier, at)
    await makeRedemption(db(), cashier, '2026-11-21T16:00:00.000Z')
    const { data } = await dayOf(till.token, '2026-11-21')
    expect(data.rows.map(({ redeemed_at }) => redeemed_at)).toEqual([
      '2026-11-21T15:59:59.999Z',
      '2026-11-20T16:00:00.000Z',
    ])
    expect((await dayOf(till.token, '2026-11-20')).data.rows).toHaveLength(1)
  })

  it('is mine alone, on every till', async () => {
    const neighbour = await testTill(ask, await makePosUser(db(), merchant))
    const { serial } = await makeVoucher(db())
    await redeemHeld(ask, await neighbour.hold(serial))
    const [one, two] = [await makeVoucher(db()), await makeVoucher(db())]
    await redeemHeld(ask, await till.hold(one.serial))
    const second = await testTill(ask, cashier, { name: 'Till 9' })
    await redeemHeld(ask, await second.hold(two.serial))
    const { rows } = (await dayOf(second.token, '2026-11-21')).data
    expect(rows.map((row) => row.serial).toSorted()).toEqual([one.serial, two.serial].toSorted())
  })
})

describe('the branch PIN', () => {
  const PIN = '583920'
  const wantPin = async (pin: string | null = PIN) => {
    const { organisation, branch } = merchant
    const method = { verificationMethod: 'Serial and branch PIN' } as const
    await db().update(organisationTable).set(method).where(eq(organisationTable.id, organisation.id))
    const set = { pinHash: pin && (await hashPassword(pin)), pinSetAt: pin === null ? null : server.clock.now() }
    await db().update(branchTable).set(set).where(eq(branchTable.id, branch.id))
  }
  const pinOf = async (token: string) =>
    (await get<{ counter?: { pin_required: boolean } }>(ask, '/api/account/my_info', token)).data.counter

  it('is asked for by verify when the verification method says so, before anything is told about the voucher', async () => {
    const [good, used] = [await makeVoucher(db()), await makeVoucher(db(), { status: 'Revoked' })]
    expect(await pinOf(till.token)).toMatchObject({ pin_required: false })
    await wantPin()
    expect(await pinOf(till.token)).toMatchObject({ pin_required: true })
    for (const { serial } of [good, used]) {
      expect(await till.verify(serial, newHoldKey())).toMatchObject({ status: 422, error: 'PIN_REQUIRED' })
      expect(await till.verify(serial, newHoldKey(), { pin: '583921' })).toMatchObject({
        status: 422,
        error: 'PIN_WRONG',
      })
    }
    const key = newHoldKey()
    expect(await till.verify(good.serial, key, { pin: PIN })).toMatchObject({ status: 200 })
    // The PIN was checked with the hold.
    expect(await redeemHeld(ask, key)).toMatchObject({ state: 'redeemed' })
  })

  it('has to be set by the merchant first', async () => {
    await wantPin(null)
    const { serial } = await makeVoucher(db())
    const refused = { status: 409, error: 'PIN_NOT_SET' }
    expect(await till.verify(serial, newHoldKey(), { pin: PIN })).toMatchObject(refused)
  })

  it('VCH-09: stops guessing at five wrong ones, for this POS user at this branch, and for 15 minutes at most', async () => {
    await wantPin()
    const { serial } = await makeVoucher(db())
    const guess = (pin: string, at = till) => at.verify(serial, newHoldKey(), { pin })
    const at583 = Array.from({ length: 40 }, (_, n) => `583${String(n).padStart(3, '0')}`)
    const replies = await Promise.all(at583.map((pin) => guess(pin)))
    expect(countByStatus(replies)).toEqual({ '422 PIN_WRONG': 5, '429 TOO_MANY_ATTEMPTS': 35 })
    const blocked = await guess(PIN)
    expect(blocked).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
    const neighbour = await testTill(ask, await makePosUser(db(), merchant))
    expect(await guess(PIN, neighbour)).toMatchObject({ status: 200 })
    for (let round = 0; round < 12; round += 1) {
      server.clock.advance({ minutes: 15, seconds: 1 })
      till = await testTill(ask, cashier)
      expect((await guess('583000')).error).toBe('PIN_WRONG')
      const wait = Number((await guess('583000')).headers.get('retry-after'))
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(15 * 60)
    }
    server.clock.advance({ minutes: 15, seconds: 1 })
    const fresh = await testTill(ask, cashier)
    expect(await fresh.verify((await makeVoucher(db())).serial, newHoldKey(), { pin: PIN })).toMatchObject({
      status: 200,
    })
  })
})

describe('the voucher table', () => {
  const rows = async (token: string, query: object = {}) =>
    (await post<TablePage<VoucherRow>>(ask, '/api/voucher/datatable', { start: 0, limit: 10, ...query }, token)).data
      .rows
  const filter = (...values: string[]) => ({ other_params: values.map((value) => ({ key: 'status', value })) })

  it('shows what was used, and what my tills hold under the status "On hold" or by its serial', async () => {
    const main = await loggedInClient(ask, merchant.main)
    const { voucher: used } = await makeRedemption(db(), cashier, '2026-11-20')
    const held = await makeVoucher(db(), { expiresOn: '2026-11-21' })
    await till.hold(held.serial)
    const row = {
      guid: held.id,
      serial: held.serial,
      denomination_cents: held.denominationCents,
      expires_on: held.expiresOn,
      status: 'Active',
      in_scope: true,
      date_used: null,
      branch_guid: merchant.branch.id,
      branch_name: merchant.branch.name,
      voided_at: null,
      voided_by: null,
      held: { till: 'Till 2', since: START, ends: '2026-11-22T02:00:00.000Z' },
    }
    expect((await rows(main.token)).map(({ serial }) => serial)).toEqual([used.serial])
    expect(await rows(main.token, filter('On hold'))).toEqual([row])
    expect(await rows(main.token, filter('Active'))).toEqual([row])
    expect(await rows(main.token, { search_str: held.serial })).toEqual([row])
    expect((await rows(main.token, filter('Used'))).map(({ serial }) => serial)).toEqual([used.serial])
    for (const key of ['used_from', 'used_to']) {
      const used_on = { other_params: [{ key, value: '2026-11-20' }] }
      expect((await rows(main.token, used_on)).map(({ serial }) => serial)).toEqual([used.serial])
    }
    expect((await main.get<VoucherRecord>(`/voucher/get/${held.id}`)).data).toEqual({ ...row, history: [] })
    const csv = parseSentCsv((await main.file('/voucher/export', { start: 0, limit: 10, ...filter('On hold') })).text)
    expect(csv[1]).toEqual(expect.arrayContaining(['On hold', merchant.branch.name]))
    const found = await main.file('/voucher/export', { start: 0, limit: 10, search_str: held.serial })
    expect(parseSentCsv(found.text)).toEqual(csv)

    server.clock.set('2026-11-21T17:00:00.000Z')
    const tomorrow = await loggedInClient(ask, merchant.main)
    expect(await rows(tomorrow.token, filter('Active'))).toEqual([])
    expect(await rows(tomorrow.token, filter('Expired'))).toEqual([{ ...row, status: 'Expired' }])
  })

  it('tells another merchant nothing of a hold', async () => {
    const stranger = await loggedInClient(ask, (await makeMerchant(db())).main)
    const held = await makeVoucher(db())
    await till.hold(held.serial)
    expect(await rows(stranger.token)).toEqual([])
    expect(await rows(stranger.token, { search_str: held.serial })).toMatchObject([
      { status: 'Active', in_scope: false, held: null, branch_guid: null, branch_name: null },
    ])
    expect((await stranger.get(`/voucher/get/${held.id}`)).status).toBe(404)
  })
})
