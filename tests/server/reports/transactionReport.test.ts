import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { beforeEach, describe, expect } from 'vitest'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { voucher } from '../../../server/db/schema/vouchers.ts'
import { logIn, send } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeSerial,
  type Merchant,
  type PosUser,
} from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import { parseSentCsv } from '../../support/tables/parseCsv.ts'

let merchant: Merchant
let till: PosUser
let token: string
beforeEach(async () => {
  server.clock.set('2026-11-21T02:00:00Z')
  merchant = await makeMerchant(db())
  till = await makePosUser(db(), merchant)
  ;({ token } = await logIn(ask, merchant.main))
})

const PATH = '/reporting/report/merchant/transaction_report'
const request = async (body: object, headers: Record<string, string> = { 'login-type': 'MERCHANT' }) =>
  send(ask, 'POST', PATH, { body, token, headers })

interface Csv {
  response: Response
  text: string
  facts: Record<string, string>
  /** Rows by column name. */
  rows: Record<string, string>[]
}

async function report(from: string, to: string, filter: object = {}): Promise<Csv> {
  const response = await request({ from, to, ...filter })
  expect(response.status).toBe(200)
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
  const lines = parseSentCsv(text.slice(1))
  const gap = lines.findIndex((line) => line.length === 1 && line[0] === '')
  const [columns = [], ...rows] = lines.slice(gap + 1)
  return {
    response,
    text,
    facts: Object.fromEntries(lines.slice(0, gap).map(([name, value]) => [name, value])) as Record<string, string>,
    rows: rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])) as Record<string, string>),
  }
}

describe('the transaction report', () => {
  it('is a CSV that says what it is, and lists each redemption, oldest first', async () => {
    const later = await makeRedemption(db(), till, '2026-11-20T04:05:06Z', { denominationCents: 120_450 })
    const earlier = await makeRedemption(db(), till, '2026-11-19T16:00:00Z', { denominationCents: 5 })
    const { response, text, facts, rows } = await report('2026-11-01', '2026-11-21')

    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="Transaction Report, 2026-11-01 to 2026-11-21.csv"; filename*=UTF-8''Transaction%20Report%2C%202026-11-01%20to%202026-11-21.csv`,
    )
    expect(text.startsWith('\uFEFFReport,Transaction Report\r\n')).toBe(true)
    expect(facts).toEqual({
      Report: 'Transaction Report',
      Organisation: merchant.organisation.name,
      Period: '1–21 Nov 2026',
      'Time zone': 'Singapore time, UTC+8',
      Branch: 'All branches',
      'POS user': 'All POS users',
      Denomination: 'All denominations',
      'Requested by': merchant.main.loginName,
      'Requested at': '2026-11-21 10:00:00',
      Rows: '2',
      Total: '1204.55',
    })
    const line = (date: string, { voucher, entry }: typeof later, denomination: string) => ({
      'Date used': date,
      'Receipt number': `R-${String(entry.receiptNo).padStart(6, '0')}`,
      'Serial number': voucher.serial,
      Denomination: denomination,
      Branch: merchant.branch.name,
      'POS user': till.loginName,
      'Recorded at': date,
      Late: '',
    })
    expect(rows).toEqual([line('2026-11-20 00:00:00', earlier, '0.05'), line('2026-11-20 12:05:06', later, '1204.50')])
  })

  it('counts days as Singapore does, both ends included', async () => {
    const instants = [
      '2026-11-09T15:59:59.999Z',
      '2026-11-09T16:00:00.000Z',
      '2026-11-10T15:59:59.999Z',
      '2026-11-10T16:00:00.000Z',
    ]
    const made: string[] = []
    for (const instant of instants) made.push((await makeRedemption(db(), till, instant)).voucher.serial)
    const on = async (day: string) => (await report(day, day)).rows.map((row) => made.indexOf(row['Serial number']!))
    expect(await on('2026-11-09')).toEqual([0])
    expect(await on('2026-11-10')).toEqual([1, 2])
    expect(await on('2026-11-11')).toEqual([3])
  })

  it('filters by branch, POS user and denomination, and names them in its head and in the name of its file', async () => {
    const other = await makeBranch(db(), merchant.organisation)
    const neighbour = await makePosUser(db(), { ...merchant, branch: other })
    const colleague = await makePosUser(db(), merchant)
    const wanted = await makeRedemption(db(), till, '2026-11-20', { denominationCents: 500 })
    await makeRedemption(db(), till, '2026-11-20', { denominationCents: 1_000 })
    await makeRedemption(db(), colleague, '2026-11-20', { denominationCents: 500 })
    await makeRedemption(db(), neighbour, '2026-11-20', { denominationCents: 500 })
    const filter = { branch_guid: merchant.branch.id, pos_guid: till.id, denomination_cents: 500 }
    const { response, rows, facts } = await report('2026-11-01', '2026-11-21', filter)
    expect(decodeURIComponent(response.headers.get('content-disposition') ?? '')).toContain(
      `UTF-8''Transaction Report, 2026-11-01 to 2026-11-21, ${merchant.branch.name}, ${till.loginName}, $5.00.csv`,
    )
    expect(rows.map((row) => row['Serial number'])).toEqual([wanted.voucher.serial])
    expect(facts).toMatchObject({
      Branch: merchant.branch.name,
      'POS user': till.loginName,
      Denomination: '5.00',
      Total: '5.00',
    })
    expect((await report('2026-11-01', '2026-11-21', { branch_guid: merchant.branch.id })).rows).toHaveLength(3)
    expect((await report('2026-11-01', '2026-11-21', { pos_guid: till.id })).rows).toHaveLength(2)
    expect((await report('2026-11-01', '2026-11-21', { denomination_cents: 0 })).rows).toHaveLength(0)
  })

  it('leaves out what was voided, and other organisations', async () => {
    const { entry } = await makeRedemption(db(), till, '2026-11-20')
    await db().update(redemption).set({ voidedAt: new Date(), voidedBy: till.id }).where(eq(redemption.id, entry.id))
    await makeRedemption(db(), await makePosUser(db()), '2026-11-20')
    expect((await report('2026-11-01', '2026-11-21')).facts).toMatchObject({ Rows: '0', Total: '0.00' })
  })

  it('keeps quotes, commas and line breaks in one cell', async () => {
    const name = 'A "B", C\nD'
    const branch = await makeBranch(db(), merchant.organisation, { name })
    await makeRedemption(db(), await makePosUser(db(), { ...merchant, branch }), '2026-11-20')
    expect((await report('2026-11-01', '2026-11-21')).rows).toMatchObject([{ Branch: name }])
  })
})

/** Adds many redemptions at few instants. */
async function fillLedger(amounts: number[]): Promise<void> {
  const at = (i: number) => new Date(Date.parse('2026-11-15T00:00:00Z') + Math.floor(i / 1_500) * 1_000)
  const place = { organisationId: merchant.organisation.id, branchId: merchant.branch.id }
  const vouchers = amounts.map((denominationCents, i) => ({
    id: uuidv7(),
    serial: makeSerial(),
    denominationCents,
    expiresOn: '2027-01-01',
    status: 'Used' as const,
    usedAt: at(i),
    ...place,
  }))
  const rows = vouchers.map((used) => ({
    id: uuidv7(),
    voucherId: used.id,
    organisationId: merchant.organisation.id,
    branchId: merchant.branch.id,
    posUserId: till.id,
    amountCents: used.denominationCents,
    redeemedAt: used.usedAt,
    recordedAt: used.usedAt,
  }))
  for (let from = 0; from < amounts.length; from += 1_500) {
    await db()
      .insert(voucher)
      .values(vouchers.slice(from, from + 1_500))
    await db()
      .insert(redemption)
      .values(rows.slice(from, from + 1_500))
  }
}

describe('what a report refuses', () => {
  const WINDOWS = [
    ['2026-09-21', '2026-11-21', '2026-11-22'],
    ['2027-12-31', '2028-02-29', '2028-03-01'],
  ] as const
  it.each(WINDOWS)('from %s it goes to %s, not to %s', async (from, last, tooLate) => {
    const whole = await request({ from, to: last })
    expect(whole.status).toBe(200)
    await whole.text()
    const refused = await request({ from, to: tooLate })
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({
      error: 'DATE_RANGE_EXCEEDED',
      data: { fields: [{ path: 'to', message: 'date range must not exceed 2 months' }] },
    })
  })

  const BAD = [
    { from: '2026-11-02', to: '2026-11-01' },
    { from: '2026-02-30', to: '2026-03-01' },
    { from: '2026-13-01', to: '2026-13-02' },
    { from: '0001-01-01', to: '0001-01-02' },
    { from: '9999-01-01', to: '9999-01-02' },
    { from: '2026-11-01T00:00:00+08:00', to: '2026-11-02' },
    { from: '2026-11-01' },
    { from: '2026-11-01', to: '2026-11-02', organisation_guid: uuidv7() },
    { from: '2026-11-01', to: '2026-11-02', branch_guid: 'all' },
  ]
  it.each(BAD)('%j', async (body) => {
    const response = await request(body)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ error: 'VALIDATION_FAILED' })
  })

  it('a call without login-type, or with another', async () => {
    for (const headers of [{}, { 'login-type': 'ADMIN' }]) {
      const response = await request({ from: '2026-11-01', to: '2026-11-02' }, headers as Record<string, string>)
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ data: { fields: [{ path: 'login-type' }] } })
    }
  })

  it('a third report at once, until one of the two has been read or dropped', async () => {
    await makeRedemption(db(), till, '2026-11-20')
    const day = { from: '2026-11-20', to: '2026-11-20' }
    const [first, second] = [await request(day), await request(day)]
    const third = await request(day)
    expect(third.status).toBe(429)
    expect(third.headers.get('retry-after')).toBe('5')
    expect(await third.json()).toMatchObject({ error: 'TOO_MANY_REPORTS' })

    await first.text()
    const fourth = await request(day)
    expect(fourth.status).toBe(200)
    await second.body!.cancel()
    await fourth.text()
    expect(server.deps.queues.reports.state().running).toBe(0)
  })

  it('twenty at once: two run', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => request({ from: '2026-11-20', to: '2026-11-20' })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2)
    await Promise.all(replies.map((response) => response.text()))
  })

  it('is what its head promised or ends broken, never clean, when the ledger moves under it', async () => {
    await fillLedger(Array.from({ length: 2_500 }, () => 100))
    const response = await request({ from: '2026-11-01', to: '2026-11-21' })
    const reader = response.body!.getReader()
    const decoder = new TextDecoder()
    let text = decoder.decode((await reader.read()).value)
    await makeRedemption(db(), till, '2026-11-16')
    const whole = (async () => {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read())
        text += decoder.decode(piece.value)
      return text
    })()
    const outcome = await whole.then(
      (file) => file.trimEnd().split('\r\n').length,
      (error: Error) => error.message,
    )
    expect(outcome).toEqual(2_500 + 14)
    expect(server.deps.queues.reports.state().running).toBe(0)
  })
})
