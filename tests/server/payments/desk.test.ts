import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeEach, expect } from 'vitest'
import { activity } from '../../../server/db/schema/activity.ts'
import { organisation } from '../../../server/db/schema/organisations.ts'
import { statement } from '../../../server/db/schema/payments.ts'
import { readCommand } from '../../../server/desk/readCommand.ts'
import { runCommand } from '../../../server/desk/runCommand.ts'
import { mailsTo } from '../../support/api/mailbox.ts'
import { makeMerchant, makeStatement, type Merchant } from '../../support/database/builders.ts'
import { db, it, server } from '../../support/server/serverTest.ts'

let [shop, other]: Merchant[] = []
beforeEach(async () => {
  await server.database.reset()
  server.clock.set('2026-12-29T01:00:00Z')
  ;[shop, other] = [await makeMerchant(db()), await makeMerchant(db())]
  await makeStatement(db(), shop!, '2026-11', { cents: 354_000, dueOn: '2026-12-30' })
  await makeStatement(db(), other!, '2026-11', { cents: 1_050 })
})

async function desk(...words: string[]): Promise<string> {
  const printed: string[] = []
  await runCommand({ ...server.deps, print: (text: string) => void printed.push(text) }, readCommand(words)!)
  return printed.join('\n')
}
const numberOf = (merchant: Merchant | undefined) => merchant!.organisation.merchantId
const stored = async ({ organisation: { id } }: Merchant) =>
  (await db().select().from(statement).where(eq(statement.organisationId, id)))[0]!

/** Writes the lines of a CSV, and returns its path. */
function csvOf(...lines: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'pay-'))
  folders.push(folder)
  const file = join(folder, 'paid.csv')
  writeFileSync(file, `\uFEFF${lines.join('\r\n')}\r\n`)
  return file
}
const folders: string[] = []
it.afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

it('records a payment, logs it for the merchant and mails its main account', async () => {
  const printed = await desk('pay', numberOf(shop), '2026-11', '--reference', 'GIRO 7', '--on', '2026-12-28')
  expect(printed).toBe(`${numberOf(shop)}  Nov 2026  $3,540.00  ${shop!.organisation.name}`)
  expect(await stored(shop!)).toMatchObject({ paidOn: '2026-12-28', reference: 'GIRO 7' })
  const [mail] = await mailsTo(db(), shop!.main.loginName)
  expect(mail?.subject).toBe(`Payment for Nov 2026: ${shop!.organisation.name}`)
  expect(mail?.text).toContain(`${shop!.organisation.name} was paid $3,540.00 on 28 Dec 2026 for Nov 2026.`)
  expect(mail?.text).toContain('The reference of the payment is GIRO 7.')
  expect(await db().select().from(activity)).toMatchObject([
    {
      organisationId: shop!.organisation.id,
      action: 'payment.recorded',
      subjectName: 'Nov 2026',
      details: { amount_cents: 354_000, paid_on: '2026-12-28', reference: 'GIRO 7' },
    },
  ])
})

it('takes the day of today in Singapore without one, and the contact address for the mail', async () => {
  server.clock.set('2026-12-28T16:00:00Z')
  const contactEmail = 'books@pay.example'
  await db().update(organisation).set({ contactEmail }).where(eq(organisation.id, shop!.organisation.id))
  await desk('pay', numberOf(shop), '2026-11', '--reference', 'GIRO 7')
  expect(await stored(shop!)).toMatchObject({ paidOn: '2026-12-29' })
  expect(await mailsTo(db(), contactEmail)).toHaveLength(1)
})

it.each([
  ['an unknown merchant', ['999', '2026-11'], 'There is no merchant 999.'],
  ['a month without a statement', ['SHOP', '2026-10'], 'Merchant SHOP has no statement for 2026-10.'],
  ['a day after today', ['SHOP', '2026-11', '--on', '2026-12-30'], '2026-12-30 is after today, 2026-12-29.'],
  ['a day in the month itself', ['SHOP', '2026-11', '--on', '2026-11-30'], 'is not after the end of 2026-11.'],
])('refuses %s', async (_, words, message) => {
  const named = (text: string) => text.replace('SHOP', numberOf(shop))
  await expect(desk('pay', ...words.map(named), '--reference', 'GIRO 7')).rejects.toThrow(named(message))
  expect(await stored(shop!)).toMatchObject({ paidOn: null })
  expect(await mailsTo(db(), shop!.main.loginName)).toEqual([])
})

it('refuses a second payment, with the first one in its words, also when two desks record it at once', async () => {
  const pay = (ref: string) => desk('pay', numberOf(shop), '2026-11', '--reference', ref, '--on', '2026-12-28')
  const outcomes = await Promise.allSettled([pay('GIRO 7'), pay('GIRO 8')])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const { reference } = await stored(shop!)
  await expect(pay('GIRO 9')).rejects.toThrow(
    `is recorded already. It was on 2026-12-28, with the reference ${reference}.`,
  )
  expect(await mailsTo(db(), shop!.main.loginName)).toHaveLength(1)
})

it('refuses a statement of which nothing is paid', async () => {
  const owing = await makeMerchant(db())
  const made = { organisationId: owing.organisation.id, month: '2026-11', madeAt: new Date() }
  await db()
    .insert(statement)
    .values({ ...made, broughtForwardCents: -500, totalCents: -500 })
  await expect(desk('pay', numberOf(owing), '2026-11', '--reference', 'GIRO 7')).rejects.toThrow(
    `The total of ${numberOf(owing)} for 2026-11 is -$5.00: nothing is paid.`,
  )
})

it('checks a CSV of many without recording anything, then records all of it', async () => {
  const file = csvOf(
    'merchant, Month,Amount,Reference,Paid on',
    `${numberOf(shop)},2026-11,"3,540.00","GIRO 7, first",2026-12-28`,
    '',
    `${numberOf(other)},2026-11,,GIRO 8,`,
  )
  expect(await desk('pay-many', file, '--dry-run')).toContain('2 payments, $3,550.50: all right, nothing recorded.')
  for (const one of [shop!, other!]) expect(await stored(one)).toMatchObject({ paidOn: null })
  expect(await desk('pay-many', file)).toContain('2 payments, $3,550.50: recorded.')
  expect(await stored(shop!)).toMatchObject({ paidOn: '2026-12-28', reference: 'GIRO 7, first' })
  expect(await stored(other!)).toMatchObject({ paidOn: '2026-12-29', reference: 'GIRO 8' })
})

it('names every wrong row of a CSV, and records none', async () => {
  const good = `${numberOf(shop)},2026-11,GIRO 7,`
  const unreadable = csvOf('Merchant,Month,Reference,Amount', good, 'A1,2026-13,,ten', `${good}`)
  await expect(desk('pay-many', unreadable)).rejects.toThrow(
    [
      'Row 3: Merchant must be the number of a merchant, as "list" shows it; Month must be a month; Reference is required; Amount must be an amount like 3540.00',
      `Row 4: pays ${numberOf(shop)} for 2026-11 again, as row 2 does`,
      'Nothing is recorded.',
    ].join('\n'),
  )
  const refused = csvOf('Merchant,Month,Reference,Amount', good, `${numberOf(other)},2026-11,G,10.00`, '999,2026-11,G,')
  for (const dry of [[], ['--dry-run']]) {
    await expect(desk('pay-many', refused, ...dry)).rejects.toThrow(
      `Row 3: The total of ${numberOf(other)} for 2026-11 is $10.50, not $10.00.\nRow 4: There is no merchant 999.\nNothing is recorded.`,
    )
  }
  for (const one of [shop!, other!]) expect(await stored(one)).toMatchObject({ paidOn: null })
  expect(await mailsTo(db(), shop!.main.loginName)).toEqual([])
})

it.each([
  ['has no header of its own', ['101,2026-11,GIRO 7'], 'The column Merchant is missing.'],
  ['has a column too many', ['Merchant,Month,Reference,Bank'], 'The column "Bank" is not known.'],
  ['has no payment', ['Merchant,Month,Reference'], 'The file has no payment.'],
  ['has a row with more cells', ['Merchant,Month,Reference', '101,2026-11,GIRO,7'], 'Row 2: Too many fields'],
  ['has a row with fewer cells', ['Merchant,Month,Reference', '101,2026-11'], 'Row 2: Too few fields'],
])('refuses a CSV that %s', async (_, lines, message) => {
  await expect(desk('pay-many', csvOf(...lines))).rejects.toThrow(message)
})

it('refuses a file that is not there', async () => {
  await expect(desk('pay-many', '/nowhere/paid.csv')).rejects.toThrow('/nowhere/paid.csv cannot be read.')
})
