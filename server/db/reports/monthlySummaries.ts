import { and, asc, desc, eq, inArray, isNull, max, ne, sql } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { isWaiting } from '../mailOutbox.ts'
import { mailOutbox } from '../schema/mailOutbox.ts'
import { organisation } from '../schema/organisations.ts'
import { monthlySummary } from '../schema/reports.ts'

export interface SummarySubscription {
  organisationId: string
  name: string
  enabled: boolean
  /** The contact address, or the login of the main account. */
  own: string | undefined
  /** All recipients. */
  to: string[]
}

/** Reads the organisations whose summary of `month` is not processed yet, with their settings, by merchant number. */
export async function newSummarySubscriptions(db: Db, month: string): Promise<SummarySubscription[]> {
  const rows = await db
    .select({
      organisationId: organisation.id,
      name: organisation.name,
      enabled: organisation.summaryEnabled,
      extra: organisation.summaryRecipients,
      own: ownAddress,
    })
    .from(organisation)
    .leftJoin(monthlySummary, and(eq(monthlySummary.organisationId, organisation.id), eq(monthlySummary.month, month)))
    .where(isNull(monthlySummary.month))
    .orderBy(asc(organisation.merchantId))
  return rows.map(({ organisationId, name, enabled, ...addresses }) => ({
    organisationId,
    name,
    enabled,
    own: addresses.own?.toLowerCase(),
    to: summaryAddresses(addresses),
  }))
}

interface Addresses {
  /** The contact address of the organisation. If it has none, the login name of its main account. */
  own: string | null
  extra: string[]
}

/** Returns the recipients of the monthly summary (rule 6.3), each address once. */
export const summaryAddresses = ({ own, extra }: Addresses): string[] => [
  ...new Set(own === null ? extra : [own.toLowerCase(), ...extra]),
]

/** SQL: the own address of an organisation, in a query that joins `organisation` with another table. */
export const ownAddress = sql<string | null>`coalesce(${organisation.contactEmail}, (
  SELECT main.login_name FROM app_user main
  WHERE main.organisation_id = ${organisation.id} AND main.type IN ('HRP Merchant', 'ADHOC Merchant') LIMIT 1))`

/**
 * Claims an organisation's month for this transaction, and records how many mails it sends. Returns false when another server has claimed it: the
 * second of two servers waits for the row of the first.
 */
export async function claimSummary(tx: Db, row: typeof monthlySummary.$inferInsert): Promise<boolean> {
  const taken = await tx
    .insert(monthlySummary)
    .values(row)
    .onConflictDoNothing({ target: [monthlySummary.organisationId, monthlySummary.month] })
    .returning({ month: monthlySummary.month })
  return taken.length > 0
}

/** Returns the latest month, other than `month`, that is dealt with for an organisation. */
export async function lastMonthDone(tx: Db, organisationId: string, month: string): Promise<string | undefined> {
  const [found] = await tx
    .select({ month: max(monthlySummary.month) })
    .from(monthlySummary)
    .where(and(eq(monthlySummary.organisationId, organisationId), ne(monthlySummary.month, month)))
  return found?.month ?? undefined
}

/** Marks `month` as done for every organisation, without sending anything. */
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

/**
 * Reads the summary mails of the last `months` months that had any, newest month first. Needs a database that is not limited to a tenant: tenants
 * cannot read mail.
 */
export async function summaryMails(db: Db, organisationId: string, months: number) {
  const isOfOrganisation = eq(mailOutbox.organisationId, organisationId)
  const last = db
    .selectDistinct({ month: mailOutbox.month })
    .from(mailOutbox)
    .where(isOfOrganisation)
    .orderBy(desc(mailOutbox.month))
    .limit(months)
  return db
    .select({
      month: sql<string>`${mailOutbox.month}`,
      to: mailOutbox.toAddress,
      isWaiting: sql<boolean>`${isWaiting}`,
      queuedAt: mailOutbox.createdAt,
      sentAt: mailOutbox.sentAt,
    })
    .from(mailOutbox)
    .where(and(isOfOrganisation, inArray(mailOutbox.month, last)))
    .orderBy(desc(mailOutbox.month), asc(mailOutbox.toAddress), desc(mailOutbox.createdAt))
    .limit(200)
}
