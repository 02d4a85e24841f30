import { sql } from 'drizzle-orm'
import { bigint, boolean, index, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'
import { appUser, organisation } from './organisations.ts'

export const productServiceCategory = pgTable('product_service_category', {
  id: id(),
  name: text().notNull().unique(),
  position: smallint().notNull().unique(),
})

/** Submitted applications. `data` is parsed with the contract's MerchantApplication when it is read. */
export const application = pgTable(
  'application',
  {
    id: id(),
    email: text().notNull(),
    data: jsonb().notNull(),
    termsVersion: text().notNull(),
    submittedAt: instant().notNull(),
    processedAt: instant(),
    organisationId: uuid().references(() => organisation.id),
  },
  (table) => [
    index('application_waiting')
      .on(table.submittedAt)
      .where(sql`processed_at IS NULL`),
    index('application_by_organisation').on(table.organisationId, table.submittedAt),
  ],
)

/** The last submission of each merchant. `data` is parsed with the contract's Onboarding when it is read. */
export const onboarding = pgTable(
  'onboarding',
  {
    organisationId: uuid()
      .primaryKey()
      .references(() => organisation.id),
    uen: text().notNull(),
    data: jsonb().notNull(),
    submittedAt: instant().notNull(),
    submittedBy: uuid()
      .notNull()
      .references(() => appUser.id),
  },
  (table) => [index('onboarding_by_uen').on(table.uen)],
)

/** An onboarding that is not submitted yet. */
export const onboardingDraft = pgTable('onboarding_draft', {
  organisationId: uuid()
    .primaryKey()
    .references(() => organisation.id),
  revision: bigint({ mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
  savedAt: instant().notNull(),
  /** The typed values as JSON, sealed. */
  sealed: text().notNull(),
  /** The key of the uploaded agreement, so that its file stays. */
  merchantAgreement: text(),
})

export type DecidedVia = 'review link' | 'command line'

/** A submission that the provider decides on. */
export const review = pgTable(
  'review',
  {
    id: id(),
    organisationId: uuid()
      .notNull()
      .references(() => organisation.id),
    subject: text().$type<'application' | 'onboarding'>().notNull(),
    snapshot: jsonb().notNull(),
    submittedAt: instant().notNull(),
    /** The login name. */
    submittedBy: text().notNull(),
    /** SHA-256 of the mailed token, in hex. */
    tokenHash: text().notNull().unique(),
    expiresAt: instant().notNull(),
    superseded: boolean().notNull().default(false),
    decision: text().$type<'approve' | 'reject'>(),
    reason: text(),
    decidedAt: instant(),
    decidedVia: text().$type<DecidedVia>(),
  },
  (table) => [
    index('review_by_organisation').on(table.organisationId, table.submittedAt),
    uniqueIndex('review_one_current')
      .on(table.organisationId)
      .where(sql`NOT superseded`),
  ],
)
