import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { organisation } from '../../../server/db/schema/organisations.ts'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { logIn } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeRedemption,
  type Merchant,
  type PosUser,
} from '../../support/database/builders.ts'
import { partOf, reportClient } from '../../support/reports/reportClient.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let merchant: Merchant
let till: PosUser
let reports: ReturnType<typeof reportClient>
beforeEach(async () => {
  server.clock.set('2026-11-21T02:30:00Z')
  merchant = await makeMerchant(db())
  till = await makePosUser(db(), merchant)
  reports = reportClient(ask, (await logIn(ask, merchant.main)).token)
})

const take = (at: string, denominationCents = 1_000, by: PosUser = till) =>
  makeRedemption(db(), by, at, { denominationCents })
const elsewhere = async (name: string) => {
  const branch = await makeBranch(db(), merchant.organisation, { name })
  return makePosUser(db(), { ...merchant, branch })
}

describe('the monthly report', () => {
  it('says what the server recorded after its month was closed, as the transaction report does row by row', async () => {
    const value = { denominationCents: 500 }
    const recordedAt = ['2026-11-01T21:59:59.999Z', '2026-11-01T22:00:00Z', '2026-11-20T01:00:00Z'].map(
      (at) => new Date(at),
    )
    for (const at of recordedAt) {
      await makeRedemption(db(), till, '2026-10-31T15:59:59Z', { ...value, entry: { recordedAt: at } })
    }
    await makeRedemption(db(), till, '2026-11-20T01:00:00Z', value)
    const months = await reports.csv('monthly', { from_month: '2026-10', to_month: '2026-11' })
    expect(months.rows.map((row) => [row[0], row[3], row[5]])).toEqual([
      ['2026-10', '3', '2'],
      ['2026-11', '1', '0'],
    ])
    const { rows, columns } = await reports.csv('transaction', { from: '2026-10-31', to: '2026-11-21' })
    expect(columns.slice(-2)).toEqual(['Recorded at', 'Late'])
    expect(rows.map((row) => row.slice(-2))).toEqual([
      ['2026-11-02 05:59:59', ''],
      ['2026-11-02 06:00:00', 'Late'],
      ['2026-11-20 09:00:00', 'Late'],
      ['2026-11-20 09:00:00', ''],
    ])
  })

  it('adds up by Singapore month, branch and denomination', async () => {
    const name = merchant.branch.name
    const other = await elsewhere('Zoo')
    await take('2026-09-30T15:59:59.999Z', 500)
    await take('2026-09-30T16:00:00Z', 500)
    await take('2026-10-31T15:59:59.999Z', 500)
    await take('2026-10-15', 1_000)
    await take('2026-10-15', 120_050, other)
    const { entry } = await take('2026-10-16', 77_700)
    await db().update(redemption).set({ voidedAt: new Date(), voidedBy: till.id }).where(eq(redemption.id, entry.id))

    const { response, facts, columns, rows } = await reports.csv('monthly', {
      from_month: '2026-01',
      to_month: '2026-11',
    })
    expect(response.headers.get('content-disposition')).toContain('filename="Monthly Report, 2026-01 to 2026-11.csv"')
    expect(facts).toMatchObject({
      Report: 'Monthly Report',
      Period: 'Jan–Nov 2026',
      'Time zone': 'Singapore time, UTC+8',
      'Requested at': '2026-11-21 10:30:00',
      Rows: '4',
      Vouchers: '5',
      Total: '1225.50',
    })
    expect(columns).toEqual(['Month', 'Branch', 'Denomination', 'Count', 'Amount', 'Recorded late'])
    expect(rows).toEqual([
      ['2026-09', name, '5.00', '1', '5.00', '0'],
      ['2026-10', name, '5.00', '2', '10.00', '0'],
      ['2026-10', name, '10.00', '1', '10.00', '0'],
      ['2026-10', 'Zoo', '1200.50', '1', '1200.50', '0'],
    ])
  })

  it('RPT-05: counts a leap day in February, once', async () => {
    server.clock.set('2028-04-01T00:00:00Z')
    reports = reportClient(ask, (await logIn(ask, merchant.main)).token)
    await take('2028-02-28T16:00:00Z')
    await take('2028-02-29T15:59:59.999Z')
    await take('2028-02-29T16:00:00Z')
    const of = async (month: string) =>
      (await reports.csv('monthly', { from_month: month, to_month: month })).facts['Vouchers']
    expect([await of('2028-02'), await of('2028-03')]).toEqual(['2', '1'])
    expect((await reports.csv('daily', { day: '2028-02-29' })).facts['Vouchers']).toBe('2')
  })

  it('RPT-01: spans twelve months, not thirteen', async () => {
    const whole = await reports.request('monthly', { from_month: '2025-12', to_month: '2026-11' })
    expect(whole.status).toBe(200)
    await whole.text()
    for (const asked of [
      reports.request('monthly', { from_month: '2025-11', to_month: '2026-11' }),
      reports.preview('monthly', { from_month: '2025-11', to_month: '2026-11' }),
    ]) {
      const refused = await asked
      expect(refused.status).toBe(422)
      expect(await refused.json()).toMatchObject({
        error: 'DATE_RANGE_EXCEEDED',
        data: { fields: [{ message: 'date range must not exceed one year' }] },
      })
    }
  })
})

it('RPT-02: refuses months and days that are none, in file and preview', async () => {
  const bad = [
    ['monthly', { from_month: '2026-13', to_month: '2026-13' }],
    ['monthly', { from_month: '2026-11', to_month: '2026-10' }],
    ['monthly', { from_month: '0001-01', to_month: '0001-02' }],
    ['monthly', { from_month: '2026-11-01', to_month: '2026-11-01' }],
    ['daily', { day: '2026-02-30' }],
    ['daily', { day: '9999-01-01' }],
    ['daily', { day: '2026-11-21T00:00:00+08:00' }],
    ['daily', { day: '2026-11-21', format: 'pdf' }],
    ['transaction', { from: '2026-11-02', to: '2026-11-01' }],
  ] as const
  for (const [name, params] of bad) {
    for (const response of [await reports.request(name, params), await reports.preview(name, params)]) {
      expect([name, params, response.status]).toEqual([name, params, 422])
      expect(await response.json()).toMatchObject({ error: 'VALIDATION_FAILED' })
    }
  }
})

it('the daily report adds up by branch, POS user and denomination', async () => {
  const other = await elsewhere('Zoo')
  await take('2026-11-19T16:00:00Z', 500)
  await take('2026-11-20T15:59:59.999Z', 500)
  await take('2026-11-20T16:00:00Z', 500)
  await take('2026-11-20', 1_000, other)
  const { facts, columns, rows, response } = await reports.csv('daily', { day: '2026-11-20' })
  expect(response.headers.get('content-disposition')).toContain('filename="Daily Report, 2026-11-20.csv"')
  expect(columns).toEqual(['Branch', 'POS user', 'Denomination', 'Count', 'Amount'])
  expect(rows).toEqual([
    [merchant.branch.name, till.loginName, '5.00', '2', '10.00'],
    ['Zoo', other.loginName, '10.00', '1', '10.00'],
  ])
  expect(facts).toMatchObject({ Rows: '2', Vouchers: '3', Total: '20.00' })
})

describe('a workbook', () => {
  it('has money as numbers, instants as Singapore wall time and months as dates', async () => {
    const { voucher } = await take('2026-11-20T04:05:06.789Z', 120_450)
    const transactions = await reports.xlsx('transaction', { from: '2026-11-01', to: '2026-11-21' })
    expect(transactions.response.headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    )
    expect(transactions.response.headers.get('content-disposition')).toContain('2026-11-21.xlsx"')
    expect(transactions.rows).toHaveLength(1)
    const [at, receipt, serial, ...rest] = transactions.rows[0]!
    // A workbook has no time zones: readers return its wall time as UTC.
    expect(at).toEqual(new Date('2026-11-20T12:05:06Z'))
    expect([receipt, serial]).toEqual([expect.stringMatching(/^R-\d{6}$/), voucher.serial])
    const [recordedAt, late] = rest.splice(3)
    expect(recordedAt).toEqual(at)
    expect(late ?? '').toBe('')
    expect(rest).toEqual([1204.5, merchant.branch.name, till.loginName])
    expect(transactions.facts).toMatchObject({ Report: 'Transaction Report', Rows: 1, Total: 1204.5 })

    const months = await reports.xlsx('monthly', { from_month: '2026-11', to_month: '2026-11' })
    expect(months.rows).toEqual([[new Date('2026-11-01T00:00:00Z'), merchant.branch.name, 1204.5, 1, 1204.5, 0]])
  })

  it.each(['=HYPERLINK("http://x","y")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '<b>&"\' _x0041_', 'a\u0001b'])(
    'TBL-11: keeps a branch named %j as text, unchanged',
    async (name) => {
      const other = await elsewhere(name)
      await take('2026-11-20', 1_000, other)
      const { rows, facts, bytes } = await reports.xlsx('daily', { day: '2026-11-20', branch_guid: other.branch.id })
      const sheet = partOf(bytes, 'xl/worksheets/sheet1.xml')
      expect(sheet).not.toMatch(/<f[ >]|t="str"/)
      expect(sheet).toMatch(/<c r="A\d+" s="1" t="inlineStr">/)
      // The text style is the one with the apostrophe of the spreadsheet.
      const xfs = /<cellXfs.*<\/cellXfs>/.exec(partOf(bytes, 'xl/styles.xml'))![0].match(/<xf [^>]*>/g)!
      expect(xfs[1]).toContain('quotePrefix="1"')
      expect([rows.map(([cell]) => cell), facts['Branch']]).toEqual([[name], name])
    },
  )

  it('keeps its header in view, filters by it, prints it on every page, has widths, and names its style', async () => {
    await take('2026-11-20')
    const { bytes } = await reports.xlsx('transaction', { from: '2026-11-01', to: '2026-11-21' })
    const [sheet, book] = [partOf(bytes, 'xl/worksheets/sheet1.xml'), partOf(bytes, 'xl/workbook.xml')]
    const header = Number(/<row r="(\d+)"><c r="A\d+" s="6"/.exec(sheet)![1])
    const range = `A${header}:H${header + 1}`
    expect(sheet).toContain(`<pane ySplit="${header}" topLeftCell="A${header + 1}"`)
    expect(sheet).toContain(`<autoFilter ref="${range}"/><pageSetup paperSize="9" orientation="landscape"`)
    expect(book).toContain(`>'Report'!$A$${header}:$H$${header + 1}<`)
    expect(book).toContain(`<definedName name="_xlnm.Print_Titles" localSheetId="0">'Report'!$${header}:$${header}<`)
    expect(sheet.match(/<col min="\d" max="\d" width="\d+" customWidth="1"\/>/g)).toHaveLength(8)
    const styles = partOf(bytes, 'xl/styles.xml')
    expect(styles).toContain('<cellStyle name="Normal" xfId="0" builtinId="0"/>')
    // A time aligned right would touch the receipt number, which is aligned left.
    const xfs = /<cellXfs.*<\/cellXfs>/.exec(styles)![0].split('<xf ')
    expect(xfs[1 + Number(/<c r="A\d+" s="(\d)"><v>/.exec(sheet)![1])]).toContain('<alignment horizontal="left"/>')
  })
})

it('TBL-11: defuses a branch name in the CSV of every report', async () => {
  const other = await elsewhere('=1+1')
  await take('2026-11-20', 1_000, other)
  const day = { day: '2026-11-20' }
  expect((await reports.csv('daily', day)).rows).toMatchObject([["'=1+1", other.loginName, '10.00', '1', '10.00']])
  const month = { from_month: '2026-11', to_month: '2026-11' }
  expect((await reports.csv('monthly', month)).rows.map((row) => row[1])).toEqual(["'=1+1"])
})

it('TBL-12: no name of a merchant gets into the header of a file', async () => {
  const name = 'A "B"\r\nSet-Cookie: x=y; ../../é'
  await db().update(organisation).set({ name }).where(eq(organisation.id, merchant.organisation.id))
  const { response, facts } = await reports.csv('daily', { day: '2026-11-20' })
  expect(facts['Organisation']).toBe(name)
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="Daily Report, 2026-11-20.csv"; filename*=UTF-8''Daily%20Report%2C%202026-11-20.csv`,
  )
  expect(response.headers.get('set-cookie')).toBeNull()
})

describe('the preview', () => {
  it('shows every day of the period so far and the first rows of the file', async () => {
    const other = await elsewhere('Zoo')
    await take('2026-11-18T16:00:00Z', 500)
    await take('2026-11-20', 500, other)
    await take('2026-11-20', 1_000, other)
    const preview = await reports.previewed('transaction', { from: '2026-11-19', to: '2026-11-30' })
    expect(preview).toMatchObject({
      as_of: '2026-11-21T02:30:00.000Z',
      total: { count: 3, cents: 2_000 },
      time_unit: 'day',
      by_time: [
        { start: '2026-11-18T16:00:00.000Z', count: 1, cents: 500 },
        { start: '2026-11-19T16:00:00.000Z', count: 2, cents: 1_500 },
        { start: '2026-11-20T16:00:00.000Z', count: 0, cents: 0 },
      ],
      row_count: 3,
    })
    expect(preview.by_time).toHaveLength(3)
    expect(preview.rows[0]).toEqual([
      '2026-11-18T16:00:00Z',
      expect.stringMatching(/^R-/),
      expect.stringMatching(/^\d{13}$/),
      500,
      merchant.branch.name,
      till.loginName,
      '2026-11-18T16:00:00Z',
      '',
    ])
  })

  it('shows ten rows, and says how many there are', async () => {
    for (let n = 1; n <= 12; n += 1) await take('2026-11-20', n * 100, await elsewhere(`Branch ${n}`))
    const { rows, row_count: rowCount } = await reports.previewed('daily', { day: '2026-11-20' })
    expect([rows.length, rowCount]).toEqual([10, 12])
  })
})

it('RPT-07: reports of every kind share the two places of a user', async () => {
  const day = { day: '2026-11-20' }
  const first = await reports.request('daily', day)
  const second = await reports.request('monthly', { from_month: '2026-11', to_month: '2026-11', format: 'xlsx' })
  const third = await reports.request('daily', day)
  expect([first.status, second.status, third.status]).toEqual([200, 200, 429])
  expect((await reports.preview('daily', day)).status).toBe(200)
  await Promise.all([first.text(), second.arrayBuffer()])
  const again = await reports.request('daily', day)
  expect(again.status).toBe(200)
  await again.text()
})
