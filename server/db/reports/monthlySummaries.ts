import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { organisation } from '../schema/organisations.ts'
import { monthlySummary } from '../schema/reports.ts'

export interface SummarySubscription {
  organisationId: string
  merchantId: string
  name: string
  enabled: boolean
  recipients: string[]
  /** How many mails of this month went out; `null` when nobody has looked yet. */
  mails: number | null
}

/** What every organisation wants, and has got, of the summary of `month`; by merchant number. */
export const summarySubscriptions = (db: Db, month: string): Promise<SummarySubscription[]> =>
  subscriptions(db, month).orderBy(asc(organisation.merchantId))

/** Those that nobody has looked at yet. */
export const newSummarySubscriptions = (db: Db, month: string): Promise<SummarySubscription[]> =>
  subscriptions(db, month).where(isNull(monthlySummary.month)).orderBy(asc(organisation.merchantId))

const subscriptions = (db: Db, month: string) =>
  db
    .select({
      organisationId: organisation.id,
      merchantId: organisation.merchantId,
      name: organisation.name,
      enabled: organisation.summaryEnabled,
      recipients: organisation.summaryRecipients,
      mails: monthlySummary.mails,
    })
    .from(organisation)
    .leftJoin(monthlySummary, and(eq(monthlySummary.organisationId, organisation.id), eq(monthlySummary.month, month)))
    .$dynamic()

/** How an organisation's month may be taken: by who looks at it first, also after it was not wanted, or whatever was sent. */
export type Claim = 'first' | 'unsent' | 'again'

/**
 * Takes an organisation's month for this transaction, and writes down how many mails it sends; false when somebody else has it.
 * Of two servers one waits for the row of the other, and then finds it taken.
 */
export async function claimSummary(
  tx: Db,
  { organisationId, month, mails, at }: typeof monthlySummary.$inferInsert,
  claim: Claim,
): Promise<boolean> {
  const insert = tx.insert(monthlySummary).values({ organisationId, month, mails, at })
  const target = [monthlySummary.organisationId, monthlySummary.month]
  const set = { mails, at }
  const taken =
    claim === 'first'
      ? await insert.onConflictDoNothing({ target }).returning({ month: monthlySummary.month })
      : await insert
          .onConflictDoUpdate({ target, set, ...(claim === 'unsent' && { setWhere: eq(monthlySummary.mails, 0) }) })
          .returning({ month: monthlySummary.month })
  return taken.length > 0
}

/** Leaves `month` as it is for every organisation there is. */
export async function markMonthDone(tx: Db, month: string, at: Date): Promise<void> {
  await tx
    .insert(monthlySummary)
    .select(
      tx
        .select({
          organisationId: organisation.id,
          month: sql<string>`${month}`.as('month'),
          mails: sql<number>`0`.as('mails'),
          at: sql<Date>`${at.toISOString()}::timestamptz`.as('at'),
        })
        .from(organisation),
    )
    .onConflictDoNothing()
}
