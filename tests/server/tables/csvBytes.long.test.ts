import { sql, type SQL } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeEach, expect } from 'vitest'
import { instantCell, moneyCell, receiptCell, textCell } from '../../../server/db/tables/csvCells.ts'
import { receiptNumber } from '../../../server/services/redemptions/receipt.ts'
import { csvLine, escapeFormula, instantCell as instantText } from '../../../src/domain/csv.ts'
import { centsAsDecimal } from '../../../src/domain/money.ts'
import { signedInClient, type SignedInClient } from '../../support/api/signedInClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeRedemption,
  type Merchant,
} from '../../support/database/builders.ts'
import { reportClient } from '../../support/reports/reportClient.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let merchant: Merchant
let main: SignedInClient
beforeEach(async () => {
  await server.database.reset()
  server.clock.set('2028-03-20T02:00:00Z')
  merchant = await makeMerchant(db())
  main = await signedInClient(ask, merchant.main)
})
const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', "'", '"', '""', ',', '\\', '\\.', '\\N', ';', '|', '%', '_']
const BLANKS = ['\t', '\r', '\n', '\r\n', '\v', '\f', ' ', '\u00A0', '\u1680', '\u2003', '\u2028', '\u3000', '\uFEFF']
const LETTERS = [
  'A',
  'z',
  '[',
  '`',
  '{',
  '1',
  'é',
  '店',
  '😀',
  '\u0301',
  '\u202E',
  '\u200B',
  '\u0001',
  '\u007F',
  '\uFFFD',
]
/** Anything but what is refused wherever text comes in (TBL-06). */
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...SIGNS), fc.constantFrom(...BLANKS), fc.constantFrom(...LETTERS), fc.string()), {
    maxLength: 6,
  })
  .map((parts) => parts.join('').replaceAll('\0', ''))
/** Login names are in lower case, which is not everybody's idea of it beyond ASCII. */
const hostileLogin = fc
  .array(fc.oneof(fc.constantFrom(...SIGNS.filter((sign) => sign !== '\\N')), fc.constantFrom(...BLANKS)), {
    maxLength: 4,
  })
  .map((parts) => parts.join(''))
const instant = fc.oneof(
  // One millisecond before and after a midnight of Singapore.
  fc
    .constantFrom('2028-02-28T15:59:59.999Z', '2028-02-28T16:00:00.000Z', '1999-12-31T15:59:59.999Z')
    .map((at) => new Date(at)),
  fc.date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2199-01-01T00:00:00Z'), noInvalidDate: true }),
)
const dollars = fc.nat({ max: 100_000 }).map((whole) => whole * 100)
const cents = fc.oneof(fc.constantFrom(0, 1, 9, 10, 99, 100, 2 ** 31, 2 ** 52), dollars, fc.nat({ max: 10_000_000 }))
const powerOfTen = fc.nat({ max: 12 }).map((digits) => 10 ** digits)
const receipt = fc.oneof(
  fc.constantFrom(0, 2 ** 40),
  powerOfTen,
  powerOfTen.map((power) => power - 1),
  fc.nat(),
)

it('TBL-11: a cell that the database writes is the cell that the server would write, whatever is in it', async () => {
  const cellsOf = async (values: unknown[], type: string, cell: (value: SQL) => SQL) => {
    const lines = values.map((value, index) => sql`(${index}::int, ${value}::${sql.raw(type)})`)
    const made = cell(sql`given.value`)
    const select = sql`SELECT ${made} AS cell FROM (VALUES ${sql.join(lines, sql`, `)}) AS given(n, value) ORDER BY n`
    const { rows } = (await db().execute(select)) as unknown as { rows: { cell: string | null }[] }
    return rows.map((row) => row.cell ?? '')
  }
  const many = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 20, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(many(hostile), many(instant), many(cents), many(receipt), async (texts, ats, amounts, numbers) => {
      expect(await cellsOf(texts, 'text', textCell)).toEqual(texts.map((text) => escapeFormula(text)))
      const wire = ats.map((at) => at.toISOString())
      expect(await cellsOf(wire, 'timestamptz', instantCell)).toEqual(wire.map(instantText))
      expect(await cellsOf(amounts, 'bigint', moneyCell)).toEqual(amounts.map(centsAsDecimal))
      expect(await cellsOf(numbers, 'bigint', receiptCell)).toEqual(numbers.map(receiptNumber))
    }),
    { numRuns: 50 },
  )
}, 60_000)

it('TBL-11: report and export are byte for byte what the server would write of the same rows', async () => {
  const row = fc.record({
    branch: hostile,
    till: hostileLogin,
    at: fc.nat({ max: 59 * 86_400_000 }),
    cents: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  })
  const start = Date.parse('2028-01-20T00:00:00Z')
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(row, { minLength: 1, maxLength: 8, selector: ({ at }) => at }), async (rows) => {
      await db().execute(sql`TRUNCATE redemption, voucher CASCADE`)
      const made = []
      for (const { branch: name, till: login, at, cents: denominationCents } of rows) {
        const branch = await makeBranch(db(), merchant.organisation, { name })
        const unique = `${login}${branch.id}`
        const till = await makePosUser(db(), { ...merchant, branch }, { loginName: unique })
        const when = new Date(start + at).toISOString()
        const { entry, voucher } = await makeRedemption(db(), till, when, { denominationCents })
        made.push({ when, name, login: unique, code: branch.code, entry, voucher })
      }
      const reports = reportClient(ask, main.token)
      const { bytes, columns } = await reports.csv('transaction', { from: '2028-01-20', to: '2028-03-19' })
      const inOrder = made.toSorted((a, b) => a.when.localeCompare(b.when))
      const lines = inOrder.map(({ when, name, login, entry, voucher }) => {
        const cells = [instantText(when), receiptNumber(entry.receiptNo), voucher.serial]
        const amount = centsAsDecimal(voucher.denominationCents)
        return csvLine([...cells, amount, escapeFormula(name), escapeFormula(login), instantText(when), ''])
      })
      const body = Buffer.from(bytes).toString('utf8').split(csvLine(columns)).slice(1).join(csvLine(columns))
      expect(body).toBe(lines.join(''))

      const order_by = [{ column: 'guid', sort_type: 'asc' }]
      const { text } = await main.file('/branch/export', { start: 0, limit: 10, order_by })
      const exported = made.map(({ name, code }) =>
        csvLine([escapeFormula(name), code, 'Active', '', '', '', '', '', '1', '', '']),
      )
      expect(text.endsWith(exported.join(''))).toBe(true)
    }),
    { numRuns: 25 },
  )
}, 120_000)
