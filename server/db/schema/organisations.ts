import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import type { AccountStatus, UserType } from '../../../src/contract/accounts/permissions.ts'
import type { VerificationMethod } from '../../../src/contract/profile.ts'
import type { BranchKind } from '../../../src/contract/tables/lists.ts'
import type { UploadKind } from '../../../src/contract/uploads.ts'
import { id, instant } from './columns.ts'

export const organisation = pgTable('organisation', {
  id: id(),
  merchantId: text().notNull().unique(),
  name: text().notNull(),
  type: text().$type<'HRP' | 'ADHOC'>().notNull(),
  status: text().$type<AccountStatus>().notNull(),
  /** The number registered with ACRA. */
  registrationNumber: text(),
  address: text(),
  contactName: text(),
  contactNumber: text(),
  contactEmail: text(),
  verificationMethod: text().$type<VerificationMethod>().notNull().default('Serial'),
  /** Settings of the monthly summary report. */
  summaryEnabled: boolean().notNull().default(false),
  summaryRecipients: text().array().notNull().default([]),
  logoKey: text().references((): AnyPgColumn => upload.key),
  /** From the application: a month is paid this many days after its last day. */
  creditTermsDays: integer().notNull().default(30),
  /** When one of its people first redeemed a practice voucher. */
  practisedAt: instant(),
  revision: integer().notNull().default(0),
})

export const branch = pgTable(
  'branch',
  {
    id: id(),
    organisationId: uuid()
      .notNull()
      .references(() => organisation.id),
    name: text().notNull(),
    code: text().notNull(),
    /** The Additional Merchant that manages the branch; `null` if the main account does. */
    masterUserId: uuid().references((): AnyPgColumn => appUser.id),
    status: text().$type<AccountStatus>().notNull(),
    kind: text().$type<BranchKind>().notNull().default('permanent'),
    /** The first and last Singapore day of an adhoc branch, both included. */
    fromDay: date({ mode: 'string' }),
    toDay: date({ mode: 'string' }),
    /** The contract's BusinessInformation and BranchContact; parsed when read. */
    business: jsonb().$type<unknown>(),
    financialContact: jsonb().$type<unknown>(),
    pinHash: text(),
    pinWeak: boolean().notNull().default(false),
    pinSetAt: instant(),
    createdAt: instant(),
    createdBy: uuid().references((): AnyPgColumn => appUser.id),
    revision: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('branch_by_code').on(table.organisationId, sql`lower(${table.code})`),
    index('branch_by_master').on(table.masterUserId),
  ],
)

/** The tab of /login for a login name. A name is unique within its kind. */
export type LoginKind = 'merchant' | 'pos'

export const appUser = pgTable(
  'app_user',
  {
    id: id(),
    organisationId: uuid()
      .notNull()
      .references(() => organisation.id),
    branchId: uuid().references(() => branch.id),
    type: text().$type<UserType>().notNull(),
    status: text().$type<AccountStatus>().notNull(),
    loginKind: text().$type<LoginKind>().notNull(),
    /** Lower-cased. */
    loginName: text().notNull(),
    /** `null`, like `passwordChangedAt`, until an invited account is activated. */
    passwordHash: text(),
    passwordChangedAt: instant(),
    /** True if another person set the password. */
    mustChangePassword: boolean().notNull().default(false),
    createdAt: instant().notNull(),
    /** The contact of a master or a branch. */
    name: text(),
    contactName: text(),
    contactNumber: text(),
    lastLoginAt: instant(),
    revision: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('app_user_login').on(table.loginKind, table.loginName),
    index('app_user_by_branch').on(table.branchId, table.loginName),
  ],
)

export type UploadState = 'pending' | 'confirmed' | 'refused'

/** One row for each presigned address; the bytes are in the file store. */
export const upload = pgTable(
  'upload',
  {
    key: text().primaryKey(),
    kind: text().$type<UploadKind>().notNull(),
    /** `null`, like `userId`, for a file of an application. */
    organisationId: uuid().references(() => organisation.id),
    userId: uuid().references(() => appUser.id),
    /** As announced; once confirmed, as served. */
    contentType: text().notNull(),
    size: integer().notNull(),
    /** The file's name on the person's device, for display. */
    filename: text().notNull(),
    /** Pixels of an image, pages of a PDF; set by the check. */
    width: integer(),
    height: integer(),
    pages: integer(),
    /** In hex, of the bytes as served. */
    sha256: text(),
    state: text().$type<UploadState>().notNull(),
    createdAt: instant().notNull(),
    confirmedAt: instant(),
    sweptAt: instant(),
  },
  (table) => [
    index('upload_unswept')
      .on(table.createdAt)
      .where(sql`swept_at IS NULL`),
  ],
)
