import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect } from 'vitest'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { voucher } from '../../../server/db/schema/vouchers.ts'
import { logIn, type Ask } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeSerial,
  type Merchant,
  type PosUser,
} from '../../support/database/builders.ts'
import { reportClient, type Cell, type ReportName } from '../../support/reports/reportClient.ts'
import { db, it, server } from '../../support/server/serverTest.ts'

let merchant: Merchant
let tills: PosUser[]
let reports: ReturnType<typeof reportClient>
beforeEach(async () => {
  await server.database.reset()
  server.clock.set('2028-03-20T02:00:00Z')
  merchant = await makeMerchant(db())
  const second = await makeBranch(db(), merchant.organisation)
  tills = [
    await makePosUser(db(), merchant),
    await makePosUser(db(), merchant),
    await makePosUser(db(), { ...merchant, branch: second }),
  ]
  const ask: Ask = server.ask
  reports = reportClient(ask, (await logIn(ask, merchant.main)).token)
})

interface Entry {
  at: number
  cents: number
  till: number
  voided: boolean
}

const MONTH_EDGES = ['2028-01-31T16:00:00Z', '2028-02-28T16:00:00Z', '2028-02-29T16:00:00Z'].map((at) => Date.parse(at))

const entry: fc.Arbitrary<Entry> = fc.record({
  at: fc.oneof(
    fc.integer({ min: Date.parse('2028-01-20T00:00:00Z'), max: Date.parse('2028-03-15T00:00:00Z') }),
    // The last millisecond of one month and the first of the next: they are on different days.
    fc.constantFrom(...MONTH_EDGES).chain((edge) => fc.constantFrom(edge - 1, edge)),
  ),
  cents: fc.oneof(fc.constantFrom(500, 1_000), fc.integer({ min: 1, max: 999_999 })),
  till: fc.integer({ min: 0, max: 2 }),
  voided: fc.boolean(),
})

async function fillLedger(entries: Entry[]): Promise<void> {
  await db().execute(sql`TRUNCATE redemption, voucher CASCADE`)
  if (entries.length === 0) return
  const made = entries.map(({ at, cents, till: n, voided }) => {
    const till = tills[n]!
    const place = { organisationId: merchant.organisation.id, branchId: till.branch.id }
    const used = voided ? { status: 'Active' as const } : { status: 'Used' as const, usedAt: new Date(at), ...place }
    const id = uuidv7()
    const paper = { id, serial: makeSerial(), denominationCents: cents, expiresOn: '2029-01-01', ...used }
    const whose = { organisationId: merchant.organisation.id, branchId: till.branch.id, posUserId: till.id }
    const end = voided ? { voidedAt: new Date(at + 1_000), voidedBy: till.id } : {}
    const times = { redeemedAt: new Date(at), recordedAt: new Date(at) }
    return { paper, line: { id: uuidv7(), voucherId: id, amountCents: cents, ...whose, ...times, ...end } }
  })
  await db()
    .insert(voucher)
    .values(made.map(({ paper }) => paper))
  await db()
    .insert(redemption)
    .values(made.map(({ line }) => line))
}

const inDay = (from: string, to: string) => {
  const [start, end] = [Date.parse(`${from}T00:00:00+08:00`), Date.parse(`${to}T00:00:00+08:00`) + 86_400_000]
  return ({ at }: Entry) => start <= at && at < end
}

const QUESTIONS: { name: ReportName; params: object; isIn: (one: Entry) => boolean }[] = [
  { name: 'transaction', params: { from: '2028-02-01', to: '2028-02-29' }, isIn: inDay('2028-02-01', '2028-02-29') },
  {
    name: 'monthly',
    params: { from_month: '2028-01', to_month: '2028-02' },
    isIn: inDay('2028-01-01', '2028-02-29'),
  },
  { name: 'daily', params: { day: '2028-02-29' }, isIn: inDay('2028-02-29', '2028-02-29') },
]

/** Returns the cents of a number or of its text, rounded against errors of fractions. */
const centsOf = (cell: Cell | undefined) => Math.round(Number(cell) * 100)
const sumOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

it('RPT-06: file, workbook and preview add up to the ledger, to the cent, whatever is in it', async () => {
  const choices = fc.record({
    till: fc.constantFrom(undefined, 0, 2),
    branch: fc.boolean(),
    cents: fc.constantFrom(undefined, 500),
  })
  const property = fc.asyncProperty(
    fc.array(entry, { maxLength: 40 }),
    choices,
    async (entries, { till, branch, cents }) => {
      await fillLedger(entries)
      const filter = {
        ...(till !== undefined && { pos_guid: tills[till]!.id }),
        ...(branch && { branch_guid: tills[till ?? 0]!.branch.id }),
        ...(cents !== undefined && { denomination_cents: cents }),
      }
      const isChosen = (one: Entry) =>
        !one.voided &&
        (till === undefined || one.till === till) &&
        (!branch || tills[one.till]!.branch.id === tills[till ?? 0]!.branch.id) &&
        (cents === undefined || one.cents === cents)
      for (const { name, params, isIn } of QUESTIONS) {
        const wanted = entries.filter((one) => isChosen(one) && isIn(one))
        await expectSums(name, { ...params, ...filter }, wanted.length, sumOf(wanted.map((one) => one.cents)))
      }
    },
  )
  await expect(fc.assert(property, { numRuns: 15 })).resolves.toBeUndefined()
}, 120_000)

async function expectSums(name: ReportName, params: object, count: number, cents: number): Promise<void> {
  const [csv, xlsx] = [await reports.csv(name, params), await reports.xlsx(name, params)]
  const preview = await reports.previewed(name, params)
  const place = csv.columns.indexOf(name === 'transaction' ? 'Denomination' : 'Amount')
  const inRows = (rows: Cell[][]) => sumOf(rows.map((row) => centsOf(row[place])))
  expect([inRows(csv.rows), inRows(xlsx.rows)]).toEqual([cents, cents])
  expect([centsOf(csv.facts['Total']), centsOf(xlsx.facts['Total'])]).toEqual([cents, cents])
  for (const lines of [[preview.total], preview.by_time]) {
    expect([sumOf(lines.map((line) => line.count)), sumOf(lines.map((line) => line.cents))]).toEqual([count, cents])
  }
  expect([csv.rows.length, xlsx.rows.length]).toEqual([preview.row_count, preview.row_count])
  expect(preview.rows.length).toBe(Math.min(preview.row_count, 10))
  // Amounts are in the same column in the file and on the screen.
  expect(preview.rows.map((row) => row[place])).toEqual(csv.rows.slice(0, 10).map((row) => centsOf(row[place])))
}

const ZONE = process.env['TZ']
afterEach(() => {
  if (ZONE === undefined) delete process.env['TZ']
  else process.env['TZ'] = ZONE
})

it('RPT-04: is the same bytes whatever zone the server and the database are in', async () => {
  await fillLedger(
    MONTH_EDGES.flatMap((edge) => [edge - 1, edge]).map((at) => ({ at, cents: 500, till: 0, voided: false })),
  )
  const seen = new Set<string>()
  for (const zone of ['UTC', 'Asia/Singapore', 'America/New_York']) {
    process.env['TZ'] = zone
    const all: string[] = []
    for (const { name, params } of QUESTIONS) {
      for (const { bytes } of [await reports.csv(name, params), await reports.xlsx(name, params)]) {
        all.push(Buffer.from(bytes).toString('base64'))
      }
      all.push(JSON.stringify(await reports.previewed(name, params)))
    }
    seen.add(all.join('\n'))
  }
  expect(seen.size).toBe(1)
})
