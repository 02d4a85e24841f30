import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect } from 'vitest'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { readPayments } from '../../../server/services/payments/readPayments.ts'
import { sendDueSummaries } from '../../../server/services/reports/monthlySummary.ts'
import { previewReport } from '../../../server/services/reports/previewReport.ts'
import { addMonths, monthClosesAt } from '../../../src/domain/months.ts'
import { startOfDay } from '../../../src/domain/singaporeTime.ts'
import { makeBranch, makeMerchant, makePosUser, makeRedemption, makeVoided } from '../../support/database/builders.ts'
import { LONG_RUN } from '../../support/redemptions/CountingTill.ts'
import { db, it, server } from '../../support/server/serverTest.ts'

const FIRST = '2026-01'

/** What can happen within a month before it closes: sales of this month or, late, of an earlier one, and voids. */
const sale = fc.record({
  branch: fc.nat(1),
  cents: fc.constantFrom(1, 55, 1_000, 5_000),
  monthsLate: fc.constantFrom(0, 0, 0, 1, 2),
  /** The first or last millisecond of the month in Singapore, or the middle. */
  at: fc.constantFrom('start', 'middle', 'end'),
})
const month = fc.record({
  sales: fc.array(sale, { maxLength: 4 }),
  /** Which of all redemptions are voided before the month closes. */
  voids: fc.array(fc.nat(20), { maxLength: 3 }),
  /** No server runs at its close. */
  skipped: fc.boolean(),
})

const instantIn = (of: string, at: string): Date => {
  const [start, end] = [startOfDay(`${of}-01`), startOfDay(`${addMonths(of, 1)}-01`)]
  if (at === 'start') return start
  return at === 'end' ? new Date(end.getTime() - 1) : new Date((start.getTime() + end.getTime()) / 2)
}

it(
  'the statements of any history add up to the ledger, and each to its monthly report and its corrections',
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(month, { minLength: 1, maxLength: 6 }), async (months) => {
        const shop = await makeMerchant(db())
        const scope = { organisationId: shop.organisation.id, branchIds: 'all' } as const
        const second = { ...shop, branch: await makeBranch(db(), shop.organisation) }
        const tills = [await makePosUser(db(), shop), await makePosUser(db(), second)]
        const read = () => readPayments(server.deps, { scope })
        /** The statements as they were when they were made. */
        const sent = new Map<string, unknown>()
        server.clock.set(monthClosesAt(addMonths(FIRST, -1)).toISOString())
        await sendDueSummaries(server.deps)
        for (const [index, { sales, voids, skipped }] of months.entries()) {
          const now = addMonths(FIRST, index)
          const closes = monthClosesAt(now)
          const recordedAt = new Date(closes.getTime() - 1)
          for (const { branch, cents, monthsLate, at } of sales) {
            const redeemedAt = instantIn(addMonths(now, -Math.min(monthsLate, index)), at)
            await makeRedemption(db(), tills[branch]!, redeemedAt, { denominationCents: cents, entry: { recordedAt } })
          }
          const all = await db().select().from(redemption).where(eq(redemption.organisationId, scope.organisationId))
          for (const which of new Set(voids.map((nth) => nth % Math.max(all.length, 1)))) {
            const entry = all[which]
            if (entry && entry.voidedAt === null) await makeVoided(db(), entry, recordedAt)
          }
          if (skipped && index < months.length - 1) continue
          server.clock.set(closes.toISOString())
          await sendDueSummaries(server.deps)
          const { statements } = await read()
          for (const statement of statements.filter(({ month: of }) => !sent.has(of))) {
            const period = { from_month: statement.month, to_month: statement.month }
            const params = {
              ...period,
              branch_guid: null,
              pos_guid: null,
              denomination_cents: null,
              format: 'csv',
            } as const
            const report = await previewReport(server.deps, { scope }, { report: 'monthly', params })
            expect(report.total.cents).toBe(statement.redeemed_cents)
            sent.set(statement.month, statement)
          }
          // Never changed by what came later.
          expect(statements.map(({ month: of }) => sent.get(of))).toEqual(statements)
          expect(sent.size).toBe(statements.length)
        }
        const { statements } = await read()
        const ledger = await db().select().from(redemption).where(eq(redemption.organisationId, scope.organisationId))
        const owed = ledger.filter(({ voidedAt }) => voidedAt === null).reduce((sum, row) => sum + row.amountCents, 0)
        const lines = statements.reduce((sum, one) => sum + one.redeemed_cents + one.corrections_cents, 0)
        const paid = statements.reduce((sum, one) => sum + (one.due_on === null ? 0 : one.total_cents), 0)
        const left = Math.min(statements[0]?.total_cents ?? 0, 0)
        expect(lines).toBe(owed)
        expect(paid + left).toBe(owed)
        for (const one of statements) {
          expect(one.redeemed_cents + one.corrections_cents + one.brought_forward_cents).toBe(one.total_cents)
        }
      }),
      { numRuns: LONG_RUN ? 10_000 : 15 },
    ),
  LONG_RUN ? 7_200_000 : undefined,
)
