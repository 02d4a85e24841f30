import { eq, inArray } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { organisation } from '../../../server/db/schema/organisations.ts'
import { statement, statementLine } from '../../../server/db/schema/payments.ts'
import { monthlySummary } from '../../../server/db/schema/reports.ts'
import { sendDueSummaries } from '../../../server/services/reports/monthlySummary.ts'
import type { Payments } from '../../../src/contract/payments.ts'
import { loggedInClient } from '../../support/api/loggedInClient.ts'
import { mailsTo } from '../../support/api/mailbox.ts'
import { send } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeUser,
  makeVoided,
  type Merchant,
  type PosUser,
} from '../../support/database/builders.ts'
import { reportClient } from '../../support/reports/reportClient.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import { silentLog } from '../../support/server/silentLog.ts'
import { parseSentCsv } from '../../support/tables/parseCsv.ts'
import { readPdf } from '../../support/uploads/readPdf.ts'

let shop: Merchant
let till: PosUser
beforeEach(async () => {
  await server.database.reset()
  server.clock.set('2026-11-02T00:00:00Z')
  shop = await makeMerchant(db())
  till = await makePosUser(db(), shop)
})

const close = (now: string) => {
  server.clock.set(now)
  return sendDueSummaries(server.deps)
}
const redeem = (at: string, denominationCents = 1_000, recordedAt = at) =>
  makeRedemption(db(), till, at, { denominationCents, entry: { recordedAt: new Date(recordedAt) } })
const paymentsOf = async (user: Parameters<typeof loggedInClient>[1]) =>
  (await (await loggedInClient(ask, user)).get<Payments>('/payments')).data
const csvOf = async (user: Parameters<typeof loggedInClient>[1], month: string) =>
  (await loggedInClient(ask, user)).file('/payments/statement', { month, format: 'csv' })

describe('a statement', () => {
  it('has what was redeemed from midnight to midnight in Singapore, and is due after the credit terms', async () => {
    await db().update(organisation).set({ creditTermsDays: 30 }).where(eq(organisation.id, shop.organisation.id))
    await redeem('2026-10-31T15:59:59.999Z', 70_000)
    await redeem('2026-10-31T16:00:00Z', 300_000)
    await redeem('2026-11-30T15:59:59.999Z', 54_000)
    await redeem('2026-11-30T16:00:00Z', 90_000)
    await close('2026-12-01T21:59:59Z')
    expect((await paymentsOf(shop.main)).statements.map(({ month }) => month)).toEqual(['2026-10'])
    await close('2026-12-01T22:00:00Z')
    const { statements, next, is_share } = await paymentsOf(shop.main)
    expect(is_share).toBe(false)
    expect(statements).toEqual([
      {
        month: '2026-11',
        made_at: '2026-12-01T22:00:00.000Z',
        vouchers: 2,
        redeemed_cents: 354_000,
        corrections_cents: 0,
        brought_forward_cents: 0,
        total_cents: 354_000,
        due_on: '2026-12-30',
        paid_on: null,
        reference: null,
      },
      expect.objectContaining({ month: '2026-10', total_cents: 70_000, due_on: '2026-11-30' }),
    ])
    expect(next).toEqual({ month: '2026-12', closes_at: '2027-01-01T22:00:00.000Z' })
  })

  it.each([
    [0, '2026-12', '2026-12-31'],
    [60, '2026-12', '2027-03-01'],
    [28, '2028-01', '2028-02-28'],
    [30, '2028-01', '2028-03-01'],
  ])('with credit terms of %i days for %s is due on %s', async (creditTermsDays, month, due) => {
    await db().update(organisation).set({ creditTermsDays }).where(eq(organisation.id, shop.organisation.id))
    await redeem(`${month}-15T00:00:00Z`)
    await close(new Date(Date.parse(`${month}-28T00:00:00Z`) + 10 * 86_400_000).toISOString())
    expect((await paymentsOf(shop.main)).statements).toMatchObject([{ month, due_on: due }])
  })

  it('is not made for a month without redemptions; the portal says when the next month closes', async () => {
    await close('2026-11-02T00:00:00Z')
    expect(await paymentsOf(shop.main)).toMatchObject({
      statements: [],
      next: { month: '2026-11', closes_at: '2026-12-01T22:00:00.000Z' },
    })
  })

  it('gets what came in late or was voided late as corrections of the next one, and never changes', async () => {
    await redeem('2026-10-10T00:00:00Z', 5_000)
    const late = await redeem('2026-10-31T15:00:00Z', 2_000, '2026-11-01T21:59:00Z')
    await close('2026-11-01T22:00:00Z')
    const [first] = (await paymentsOf(shop.main)).statements
    expect(first).toMatchObject({ month: '2026-10', total_cents: 7_000 })
    await makeVoided(db(), late.entry, new Date('2026-11-01T22:01:00Z'))
    await redeem('2026-09-30T15:59:59Z', 300, '2026-11-15T00:00:00Z')
    await redeem('2026-11-20T00:00:00Z', 10_000)
    await close('2026-12-01T22:00:00Z')
    const [second, before] = (await paymentsOf(shop.main)).statements
    expect(before).toEqual(first)
    expect(second).toMatchObject({
      month: '2026-11',
      vouchers: 1,
      redeemed_cents: 10_000,
      corrections_cents: -1_700,
      total_cents: 8_300,
    })
    await close('2027-01-02T00:00:00Z')
    expect((await paymentsOf(shop.main)).statements).toHaveLength(2)
  })

  it('below zero pays nothing and is brought forward to the next', async () => {
    const late = await redeem('2026-10-31T15:00:00Z', 2_000, '2026-11-01T21:59:00Z')
    await close('2026-11-01T22:00:00Z')
    await makeVoided(db(), late.entry, new Date('2026-11-01T22:01:00Z'))
    await redeem('2026-11-20T00:00:00Z', 500)
    await close('2026-12-01T22:00:00Z')
    await redeem('2027-01-10T00:00:00Z', 4_000)
    await close('2027-01-02T00:00:00Z')
    await close('2027-02-02T00:00:00Z')
    const { statements } = await paymentsOf(shop.main)
    expect(statements).toMatchObject([
      { month: '2027-01', brought_forward_cents: -1_500, total_cents: 2_500, due_on: '2027-03-02' },
      { month: '2026-11', brought_forward_cents: 0, total_cents: -1_500, due_on: null },
      { month: '2026-10', total_cents: 2_000 },
    ])
  })

  it('is made for every month when no server ran for two, each with its own due day', async () => {
    await redeem('2026-10-10T00:00:00Z', 1_000)
    await close('2026-11-02T00:00:00Z')
    await redeem('2026-11-10T00:00:00Z', 2_000)
    await redeem('2026-10-11T00:00:00Z', 100, '2026-11-11T00:00:00Z')
    await redeem('2026-12-10T00:00:00Z', 3_000)
    await close('2027-01-09T00:00:00Z')
    expect((await paymentsOf(shop.main)).statements).toMatchObject([
      { month: '2026-12', total_cents: 3_000, corrections_cents: 0 },
      { month: '2026-11', total_cents: 2_100, corrections_cents: 100, due_on: '2026-12-30' },
      { month: '2026-10', total_cents: 1_000 },
    ])
  })

  it('counts what came late for a month without a statement as a correction, not as a statement of that month', async () => {
    await close('2026-11-02T00:00:00Z')
    await redeem('2026-10-10T00:00:00Z', 1_000, '2026-11-10T00:00:00Z')
    await close('2026-12-02T00:00:00Z')
    expect((await paymentsOf(shop.main)).statements).toMatchObject([
      { month: '2026-11', redeemed_cents: 0, corrections_cents: 1_000, due_on: '2026-12-30' },
    ])
  })

  it('is made once, with each redemption once, when two servers close the month at the same time', async ({
    onTestFinished,
  }) => {
    const database = await openPostgresql(server.database.url, silentLog)
    onTestFinished(() => database.close())
    const others = [shop, await makeMerchant(db()), await makeMerchant(db())]
    for (const one of others) {
      await makeRedemption(db(), await makePosUser(db(), one), '2026-10-10', { denominationCents: 1_000 })
    }
    const earlier = { ...server.deps, clock: { now: () => new Date('2026-12-01T21:59:59Z') } }
    const later = { ...server.deps, database, clock: { now: () => new Date('2026-12-01T22:00:00Z') } }
    await Promise.all([earlier, later, { ...later, database: server.database }].map((deps) => sendDueSummaries(deps)))
    const ids = others.map(({ organisation: { id } }) => id)
    const lines = await db().select().from(statementLine).where(inArray(statementLine.organisationId, ids))
    expect(lines.map(({ cents }) => cents)).toEqual([1_000, 1_000, 1_000])
    expect(await db().select().from(statement)).toHaveLength(3)
    expect(server.log.events.filter(({ event }) => event.endsWith('_failed'))).toEqual([])
  })

  it('cannot be changed or deleted in the database, except that its payment is set once', async () => {
    await redeem('2026-10-10T00:00:00Z')
    await close('2026-11-02T00:00:00Z')
    const refused = { cause: { message: expect.stringMatching(/statement/) } }
    await expect(db().update(statement).set({ totalCents: 5 })).rejects.toMatchObject(refused)
    await expect(db().delete(statementLine)).rejects.toMatchObject(refused)
    await expect(db().update(statementLine).set({ cents: 5 })).rejects.toMatchObject(refused)
    await db().update(statement).set({ paidOn: '2026-11-20', reference: 'G1' })
    await expect(db().update(statement).set({ reference: 'G2' })).rejects.toMatchObject(refused)
    await expect(
      server.database.forTenant(shop.organisation.id).db.update(statement).set({ reference: 'G3' }).returning(),
    ).resolves.toEqual([])
  })

  it('is told by the monthly summary', async () => {
    const to = { contactEmail: 'books@pay.example', summaryEnabled: true }
    await db().update(organisation).set(to).where(eq(organisation.id, shop.organisation.id))
    await redeem('2026-10-10T00:00:00Z', 354_000)
    await close('2026-11-02T00:00:00Z')
    const [mail] = await mailsTo(db(), to.contactEmail)
    expect(mail?.text).toContain(
      'You will be paid $3,540.00 by 30 Nov 2026 for Oct 2026. The statement is under Payments.',
    )
  })

  it('is made for an organisation that wants no summary, which counts as dealt with', async () => {
    await redeem('2026-10-10T00:00:00Z')
    expect(await close('2026-11-02T00:00:00Z')).toBe(0)
    expect((await paymentsOf(shop.main)).statements).toHaveLength(1)
    expect(await db().select().from(monthlySummary)).toMatchObject([{ month: '2026-10', mails: 0 }])
  })
})

describe('who sees it', () => {
  it('a master sees the share of its branches, a branch and a till nothing, another merchant its own', async () => {
    const master = await makeUser(db(), 'Additional Merchant', shop)
    const managed = await makeBranch(db(), shop.organisation, { masterUserId: master.id })
    const theirs = await makePosUser(db(), { ...shop, branch: managed })
    await makeRedemption(db(), theirs, '2026-10-10', { denominationCents: 300 })
    await redeem('2026-10-10T00:00:00Z', 1_000)
    await close('2026-11-02T00:00:00Z')
    await db().update(statement).set({ paidOn: '2026-11-20', reference: 'G1' })
    const share = await paymentsOf(master)
    expect(share).toMatchObject({
      is_share: true,
      statements: [{ vouchers: 1, total_cents: 300, due_on: '2026-11-30', paid_on: '2026-11-20', reference: 'G1' }],
    })
    expect((await paymentsOf(shop.main)).statements).toMatchObject([{ vouchers: 2, total_cents: 1_300 }])
    const csv = await csvOf(master, '2026-10')
    expect(csv.text).toContain(managed.name)
    expect(csv.text).not.toContain(shop.branch.name)
    const other = await makeMerchant(db())
    expect((await paymentsOf(other.main)).statements).toEqual([])
    expect((await csvOf(other.main, '2026-10')).status).toBe(404)
    const idle = await makeUser(db(), 'Additional Merchant', shop)
    expect((await paymentsOf(idle)).statements).toEqual([])
    for (const user of [await makeUser(db(), 'Branch Merchant', shop), till]) {
      const client = await loggedInClient(ask, user)
      expect(await client.get('/payments')).toMatchObject({ status: 403 })
      expect((await client.file('/payments/statement', { month: '2026-10', format: 'csv' })).status).toBe(403)
    }
  })
})

describe('the file', () => {
  it('adds up to the monthly report by branch, and with the corrections to what is paid, as CSV and as PDF', async () => {
    const second = await makeBranch(db(), shop.organisation, { name: '=Second "Branch"' })
    await makeRedemption(db(), await makePosUser(db(), { ...shop, branch: second }), '2026-11-10', {
      denominationCents: 55,
    })
    await redeem('2026-10-10T00:00:00Z', 1_000)
    await close('2026-11-02T00:00:00Z')
    await redeem('2026-10-11T00:00:00Z', 105, '2026-11-10T00:00:00Z')
    await redeem('2026-11-10T00:00:00Z', 2_000)
    await redeem('2026-11-11T00:00:00Z', 500)
    await close('2026-12-02T00:00:00Z')
    const main = await loggedInClient(ask, shop.main)
    const report = await reportClient(ask, main.token).csv('monthly', { from_month: '2026-11', to_month: '2026-11' })
    const sent = await main.file('/payments/statement', { month: '2026-11', format: 'csv' })
    expect(sent.headers.get('content-disposition')).toContain('filename="Statement, 2026-11.csv"')
    const lines = parseSentCsv(sent.text)
    const rows = lines.slice(lines.findIndex((cells) => cells.join() === COLUMNS) + 1)
    expect(rows).toEqual([
      ['2026-10', shop.branch.name, 'Correction', '1', '1.05'],
      ['2026-11', `'${second.name}`, 'Redeemed', '1', '0.55'],
      ['2026-11', shop.branch.name, 'Redeemed', '2', '25.00'],
    ])
    const redeemed = rows.filter(([, , what]) => what === 'Redeemed')
    expect(centsOf(redeemed, 4)).toBe(centsOf(report.rows, 4))
    const { statements } = (await main.get<Payments>('/payments')).data
    expect(centsOf(rows, 4)).toBe(statements[0]!.total_cents)
    expect(lines).toContainEqual(['Total', '26.60'])

    const { token } = main
    const body = { month: '2026-11', format: 'pdf' }
    const pdf = await readPdf(await (await send(ask, 'POST', '/api/payments/statement', { token, body })).arrayBuffer())
    expect(pdf).toMatchObject({ title: 'Statement, 2026-11', language: 'en-SG', pages: 1 })
    for (const words of [shop.organisation.name, second.name, 'Correction', '$25.00', '30 Dec 2026', 'Total: $26.60']) {
      expect(pdf.text).toContain(words)
    }
  })

  it('of a merchant with hundreds of branches has the names of the columns on every page', async () => {
    const at = { ...shop, branch: shop.branch }
    for (let n = 0; n < 60; n += 1) {
      const one = await makeBranch(db(), shop.organisation, { name: `Branch number ${n} with a long name 大牌` })
      await makeRedemption(db(), { ...till, ...at, branch: one }, '2026-10-10')
    }
    await close('2026-11-02T00:00:00Z')
    const { token } = await loggedInClient(ask, shop.main)
    const body = { month: '2026-10', format: 'pdf' }
    const pdf = await readPdf(await (await send(ask, 'POST', '/api/payments/statement', { token, body })).arrayBuffer())
    expect(pdf.pages).toBeGreaterThan(1)
    expect(pdf.text.split('Month Branch What Vouchers Amount')).toHaveLength(pdf.pages + 1)
    expect(pdf.text).toContain('Branch number 59 with a long name ??')
  })
})

const COLUMNS = 'Month,Branch,What,Vouchers,Amount'

const centsOf = (rows: string[][], column: number) =>
  rows.reduce((sum, cells) => sum + Math.round(Number(cells[column]) * 100), 0)
