import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { redemption as redemptionTable } from '../../../server/db/schema/redemptions.ts'
import { voucher as voucherTable } from '../../../server/db/schema/vouchers.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import type { Voucher as VoucherRecord, VoucherRow } from '../../../src/contract/vouchers.ts'
import { loggedInClient } from '../../support/api/loggedInClient.ts'
import { get, post, logIn } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeSerial,
  makeUser,
  makeVoucher,
  type Merchant,
  type PosUser,
  type Voucher,
  makeVoided,
} from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import { parseSentCsv } from '../../support/tables/parseCsv.ts'

let merchant: Merchant
let till: PosUser
let token: string
beforeEach(async () => {
  merchant = await makeMerchant(db())
  till = await makePosUser(db(), merchant)
  ;({ token } = await logIn(ask, merchant.main))
})

const table = (query: object) =>
  post<TablePage<VoucherRow>>(ask, '/api/voucher/datatable', { start: 0, limit: 10, ...query }, token)
const serials = async (query: object) => (await table(query)).data.rows.map(({ serial }) => serial)
const redeemed = (given: Partial<Voucher> = {}, at = '2026-11-20T04:00:00Z', by = till) =>
  makeRedemption(db(), by, at, given).then(({ voucher }) => voucher)

describe('the voucher table', () => {
  it('lists what my scope redeemed, newest guid first, with what it needs to show', async () => {
    const older = await redeemed({ denominationCents: 500 })
    const newer = await redeemed()
    const { status, data } = await table({})
    expect(status).toBe(200)
    expect(data).toMatchObject({ total: 2, total_capped: false })
    expect(data.rows.map(({ guid }) => guid)).toEqual([newer.id, older.id])
    expect(data.rows[1]).toEqual({
      guid: older.id,
      serial: older.serial,
      denomination_cents: 500,
      expires_on: older.expiresOn,
      status: 'Used',
      in_scope: true,
      date_used: '2026-11-20T04:00:00.000Z',
      branch_guid: merchant.branch.id,
      branch_name: merchant.branch.name,
      held: null,
      voided_at: null,
      voided_by: null,
    })
  })

  it('filters by denomination', async () => {
    const wanted = await redeemed({ denominationCents: 500 })
    await redeemed()
    const other_params = [{ key: 'denomination', value: '500' }]
    expect((await table({ other_params })).data).toMatchObject({ total: 1, rows: [{ serial: wanted.serial }] })
    const nonsense = await table({ other_params: [{ key: 'denomination', value: 'five' }] })
    expect(nonsense).toMatchObject({
      status: 422,
      error: 'VALIDATION_FAILED',
      body: { data: { fields: [{ path: 'other_params.0.value', rule: 'check' }] } },
    })
  })

  it('finds by the beginning of a serial, spaces or not', async () => {
    const { serial } = await redeemed()
    await redeemed({ serial: '2999999999990' })
    const prefix = serial.slice(0, 8)
    expect(await serials({ search_str: prefix })).toEqual([serial])
    expect(await serials({ search_str: `${prefix.slice(0, 1)} ${prefix.slice(1)}` })).toEqual([serial])
    expect(await serials({ search_str: serial.slice(1) })).toEqual([])
  })

  it('counts to ten thousand and then says so', async () => {
    const rows = Array.from({ length: 10_001 }, () => ({
      id: crypto.randomUUID(),
      serial: makeSerial(),
      denominationCents: 100,
      expiresOn: '2027-01-01',
      status: 'Used' as const,
      usedAt: server.clock.now(),
      organisationId: merchant.organisation.id,
      branchId: merchant.branch.id,
    }))
    const insert = (from: number, to: number) => db().insert(voucherTable).values(rows.slice(from, to))
    for (let at = 0; at < 10_000; at += 2_000) await insert(at, at + 2_000)
    expect((await table({ start: 9_999 })).data).toMatchObject({ total: 10_000, total_capped: false, rows: [{}] })
    await insert(10_000, 10_001)
    expect((await table({ start: 10_000 })).data).toMatchObject({ total: 10_000, total_capped: true, rows: [{}] })
  })
})

describe('the filters', () => {
  const found = (...params: [string, string][]) =>
    serials({ other_params: params.map(([key, value]) => ({ key, value })) })

  it('are days used, branch, status and denomination: values of one are alternatives, one narrows the other', async () => {
    const otherTill = await makePosUser(db(), { ...merchant, branch: await makeBranch(db(), merchant.organisation) })
    const early = await redeemed({ denominationCents: 500 }, '2026-11-09T16:00:00Z')
    const late = await redeemed({ denominationCents: 1_000 }, '2026-11-10T15:59:59Z', otherTill)
    const after = await redeemed({ denominationCents: 2_000 }, '2026-11-10T16:00:00Z')
    expect(await found(['used_from', '2026-11-10'], ['used_to', '2026-11-10'])).toEqual([late.serial, early.serial])
    expect(await found(['used_from', '2026-11-11'])).toEqual([after.serial])
    expect(await found(['branch', otherTill.branch.id])).toEqual([late.serial])
    expect(await found(['branch', (await makePosUser(db())).branch.id])).toEqual([])
    expect(await found(['denomination', '500'], ['denomination', '2000'])).toEqual([after.serial, early.serial])
    expect(await found(['denomination', '500'], ['branch', otherTill.branch.id])).toEqual([])
    expect(await found(['status', 'Used'])).toHaveLength(3)
    expect(await found(['status', 'Expired'], ['status', 'Active'])).toEqual([])
    expect((await table({ other_params: [{ key: 'used_from', value: '2026-02-30' }] })).status).toBe(422)
  })

  it('hold for a full serial too; where another merchant used it cannot be asked', async () => {
    const mine = await redeemed({ denominationCents: 500 })
    const theirs = await redeemed({ denominationCents: 500 }, '2026-11-20T04:00:00Z', await makePosUser(db()))
    const search = async (search_str: string, key: string, value: string) =>
      serials({ search_str, other_params: [{ key, value }] })
    expect(await search(mine.serial, 'denomination', '500')).toEqual([mine.serial])
    expect(await search(mine.serial, 'denomination', '1000')).toEqual([])
    expect(await search(theirs.serial, 'denomination', '500')).toEqual([theirs.serial])
    expect(await search(theirs.serial, 'status', 'Active')).toEqual([])
    expect(await search(theirs.serial, 'used_from', '2026-11-20')).toEqual([])
    expect(await search(theirs.serial, 'branch', theirs.branchId!)).toEqual([])
  })
})

describe('the filter "Voided"', () => {
  const VOIDED = { key: 'status', value: 'Voided' }
  const voided = (query: object = {}, others: object[] = []) => table({ ...query, other_params: [VOIDED, ...others] })
  const undo = async (at: string, by = till, given: Partial<Voucher> = {}) => {
    const { voucher, entry } = await makeRedemption(db(), by, at, given)
    await makeVoided(db(), entry, new Date(new Date(at).getTime() + 60_000))
    return voucher
  }

  it('lists the redemptions of my scope that were voided, each with its own branch and date', async () => {
    const other = await makePosUser(db(), { ...merchant, branch: await makeBranch(db(), merchant.organisation) })
    const older = await undo('2026-11-19T04:00:00Z', till, { denominationCents: 500 })
    const newer = await undo('2026-11-20T04:00:00Z', other)
    await redeemed()
    await undo('2026-11-20T05:00:00Z', await makePosUser(db()))
    const newest = { order_by: [{ column: 'date_used', sort_type: 'desc' }] }
    const { data } = await voided(newest)
    expect(data).toMatchObject({ total: 2 })
    expect(data.rows.map(({ serial }) => serial)).toEqual([newer.serial, older.serial])
    expect(data.rows[0]).toEqual({
      guid: newer.id,
      serial: newer.serial,
      denomination_cents: newer.denominationCents,
      expires_on: newer.expiresOn,
      status: 'Active',
      in_scope: true,
      date_used: '2026-11-20T04:00:00.000Z',
      branch_guid: other.branch.id,
      branch_name: other.branch.name,
      held: null,
      voided_at: '2026-11-20T04:01:00.000Z',
      voided_by: other.loginName,
    })
    const narrowed = async (key: string, value: string) =>
      (await voided(newest, [{ key, value }])).data.rows.map(({ serial }) => serial)
    expect(await narrowed('branch', till.branch.id)).toEqual([older.serial])
    expect(await narrowed('denomination', '500')).toEqual([older.serial])
    expect(await narrowed('used_from', '2026-11-20')).toEqual([newer.serial])
    expect(await narrowed('used_to', '2026-11-19')).toEqual([older.serial])
    // Redeemed on the 20th, voided after midnight in Singapore.
    const late = await undo('2026-11-20T15:59:30Z')
    expect(await narrowed('voided_from', '2026-11-21')).toEqual([late.serial])
    expect(await narrowed('voided_to', '2026-11-20')).toEqual([newer.serial, older.serial])
    expect((await table({ other_params: [{ key: 'voided_from', value: '2026-11-01' }] })).data.total).toBe(0)
    expect((await voided({ search_str: older.serial })).data.rows).toMatchObject([{ guid: older.id }])
  })

  it('shows a branch its own alone, and nobody where a voucher was used after the void', async () => {
    const other = await makePosUser(db(), { ...merchant, branch: await makeBranch(db(), merchant.organisation) })
    await undo('2026-11-20T04:00:00Z', other)
    const mine = await undo('2026-11-20T04:00:00Z')
    const elsewhere = await makePosUser(db())
    const usedAt = new Date('2026-11-21T00:00:00Z')
    const used = {
      status: 'Used',
      usedAt,
      organisationId: elsewhere.organisation.id,
      branchId: elsewhere.branch.id,
    } as const
    await db().update(voucherTable).set(used).where(eq(voucherTable.id, mine.id))
    const branch = await makeUser(db(), 'Branch Merchant', merchant)
    ;({ token } = await logIn(ask, branch))
    const { data } = await voided()
    expect(data.rows).toMatchObject([
      { guid: mine.id, status: 'Used', branch_name: till.branch.name, date_used: '2026-11-20T04:00:00.000Z' },
    ])
    expect((await voided({}, [{ key: 'used_from', value: '2026-11-21' }])).data.total).toBe(0)
  })

  it('has a file with the same rows, and stands alone', async () => {
    const { serial } = await undo('2026-11-20T04:00:00Z')
    expect(await voided({}, [{ key: 'status', value: 'Used' }])).toMatchObject({
      status: 422,
      error: 'VALIDATION_FAILED',
    })
    const main = await loggedInClient(ask, merchant.main)
    const query = { start: 0, limit: 10, other_params: [VOIDED] }
    const { text } = await main.file('/voucher/export', query)
    expect(parseSentCsv(text.slice(1))).toEqual([
      ['Serial number', 'Denomination', 'Status', 'Date used', 'Date voided', 'Voided by', 'Branch', 'Expires'],
      [
        serial,
        '10.00',
        'Voided',
        '2026-11-20 12:00:00',
        '2026-11-20 12:01:00',
        till.loginName,
        till.branch.name,
        '2027-12-31',
      ],
    ])
  })
})

describe('one voucher', () => {
  const read = (id: string) => get<VoucherRecord>(ask, `/api/voucher/get/${id}`, token)

  it('is shown with what happened to it in my scope, a voided redemption included', async () => {
    const { voucher, entry } = await makeRedemption(db(), till, '2026-11-20T04:00:00Z')
    await db()
      .update(redemptionTable)
      .set({ voidedAt: server.clock.now(), voidedBy: till.id })
      .where(eq(redemptionTable.id, entry.id))
    const { status, data } = await read(voucher.id)
    expect(status).toBe(200)
    const where = { branch_guid: till.branch.id, branch_name: till.branch.name, pos_username: till.loginName }
    expect(data.history).toMatchObject([
      { event: 'Redeemed', at: '2026-11-20T04:00:00.000Z', ...where },
      { event: 'Voided', at: server.clock.now().toISOString(), ...where },
    ])
  })
})

describe('the export', () => {
  it('of a full serial holds the one voucher, told like in the table', async () => {
    const { serial } = await redeemed({}, '2026-11-20T04:00:00Z', await makePosUser(db()))
    const main = await loggedInClient(ask, merchant.main)
    const { text } = await main.file('/voucher/export', { start: 0, limit: 10, search_str: serial })
    expect(parseSentCsv(text.slice(1)).slice(1)).toEqual([[serial, '10.00', 'Used', '', '', '2027-12-31']])
  })
})

it('the list gives my serials, newest first', async () => {
  const [older, newer] = [await redeemed(), await redeemed()]
  const { data } = await get(ask, '/api/voucher/list', token)
  expect(data).toEqual([newer, older].map(({ id, serial }) => ({ guid: id, name: serial })))
})

describe('a full serial', () => {
  it('finds a voucher nobody has used yet', async () => {
    const { serial, id } = await makeVoucher(db())
    const printed = `${serial.slice(0, 1)} ${serial.slice(1, 7)} ${serial.slice(7)}`
    for (const search_str of [serial, printed]) {
      const { data } = await table({ search_str })
      expect(data).toMatchObject({ total: 1, rows: [{ guid: id, status: 'Active', in_scope: false, date_used: null }] })
    }
    expect((await table({ search_str: serial, start: 10 })).data).toMatchObject({ total: 1, rows: [] })
  })

  it('tells that another merchant’s is used, never where or when', async () => {
    const { serial } = await redeemed({}, '2026-11-20T04:00:00Z', await makePosUser(db()))
    const { data } = await table({ search_str: serial })
    expect(data.rows).toMatchObject([
      { status: 'Used', in_scope: false, date_used: null, branch_guid: null, branch_name: null },
    ])
    expect(await serials({ search_str: serial.slice(0, 12) })).toEqual([])
  })

  it('shows my own with date and branch, and an expired or revoked one as such', async () => {
    const mine = await redeemed()
    const revoked = await makeVoucher(db(), { status: 'Revoked' })
    const expired = await makeVoucher(db(), { expiresOn: '2026-11-20' })
    const statusOf = async ({ serial }: Voucher) => (await table({ search_str: serial })).data.rows[0]
    expect(await statusOf(mine)).toMatchObject({ in_scope: true, branch_name: merchant.branch.name })
    expect(await statusOf(revoked)).toMatchObject({ status: 'Revoked' })
    expect(await statusOf(expired)).toMatchObject({ status: 'Expired' })
  })

  it('that does not exist is an empty page, sixty times a minute', async () => {
    for (let tries = 0; tries < 60; tries += 1) {
      expect(await table({ search_str: makeSerial() })).toMatchObject({ status: 200, data: { rows: [], total: 0 } })
    }
    expect(await table({ search_str: makeSerial() })).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    // The list and the search still work.
    expect((await table({ search_str: '2' })).status).toBe(200)
    server.clock.advance({ seconds: 61 })
    expect((await table({ search_str: makeSerial() })).status).toBe(200)
  })
})

describe('a query that is not allowed', () => {
  it('never hears its own values back', async () => {
    const secret = 'Pa55word-in-the-wrong-field'
    const refused = await table({
      search_str: 5,
      start: secret,
      order_by: [{ column: secret, sort_type: secret }],
      [secret]: 1,
    })
    expect(refused.status).toBe(422)
    const { fields } = (refused.body as { data: { fields: { path: string; message: string }[] } }).data
    expect(JSON.stringify(fields.map(({ message }) => message))).not.toContain(secret)
  })
})

describe('the filters of the reports', () => {
  it('give every denomination once, smallest first', async () => {
    for (const denominationCents of [7_700, 300, 7_700]) await makeVoucher(db(), { denominationCents })
    const { data } = await get<{ denomination_cents: number }[]>(
      ask,
      '/api/filter/transaction/voucher_denomination',
      token,
    )
    const cents = data.map(({ denomination_cents }) => denomination_cents)
    expect(cents).toEqual([...new Set(cents)].toSorted((a, b) => a - b))
    expect(cents).toEqual(expect.arrayContaining([300, 7_700]))
  })
})
