import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  char,
  customType,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import type { SignIn } from '../../src/contract/accounts/account.ts'
import type { Challenge } from '../../src/contract/accounts/auth.ts'
import type { CaptchaAction } from '../../src/contract/accounts/captcha.ts'
import type { AccountStatus, UserType } from '../../src/contract/accounts/permissions.ts'
import type { VerificationMethod } from '../../src/contract/profile.ts'
import type { HoldEnding } from '../../src/contract/redemptions/hold.ts'
import type { BranchKind } from '../../src/contract/tables/tableColumns.ts'
import type { UploadKind } from '../../src/contract/uploads.ts'

// The migrations are what runs; this file tells Drizzle the same in types. Column names are snake_case in SQL (`casing`).

const instant = () => timestamp({ withTimezone: true, mode: 'date' })
const id = () => uuid().primaryKey()
const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

export const organisation = pgTable('organisation', {
  id: id(),
  merchantId: text().notNull().unique(),
  name: text().notNull(),
  type: text().$type<'HRP' | 'ADHOC'>().notNull(),
  status: text().$type<AccountStatus>().notNull(),
  /** As registered with ACRA. */
  registrationNumber: text(),
  address: text(),
  contactName: text(),
  contactNumber: text(),
  contactEmail: text(),
  verificationMethod: text().$type<VerificationMethod>().notNull().default('Serial'),
  /** Of the monthly summary report. */
  summaryEnabled: boolean().notNull().default(false),
  summaryRecipients: text().array().notNull().default([]),
  logoKey: text().references((): AnyPgColumn => upload.key),
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
    /** The Additional Merchant that manages it; `null` leaves it to the main account. */
    masterUserId: uuid().references((): AnyPgColumn => appUser.id),
    status: text().$type<AccountStatus>().notNull(),
    kind: text().$type<BranchKind>().notNull().default('permanent'),
    /** Singapore days, both included; of adhoc branches. */
    fromDay: date({ mode: 'string' }),
    toDay: date({ mode: 'string' }),
    /** As the contract has it (BusinessInformation, BranchContact); parsed when read. */
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
    index('branch_org_name').on(table.organisationId, table.name, table.id),
    index('branch_by_master').on(table.masterUserId),
  ],
)

/** Which tab of /login a name belongs to: e-mails and POS usernames are unique each among themselves. */
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
    /** `null`, like its date, before an invited account is activated. */
    passwordHash: text(),
    passwordChangedAt: instant(),
    /** Somebody else set it. */
    mustChangePassword: boolean().notNull().default(false),
    createdAt: instant().notNull(),
    /** Of a master or a branch, with its own contact. */
    name: text(),
    contactName: text(),
    contactNumber: text(),
    lastSignInAt: instant(),
    revision: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('app_user_login').on(table.loginKind, table.loginName),
    index('app_user_by_branch').on(table.branchId, table.loginName),
  ],
)

export type EndedReason = 'superseded' | 'expired' | 'logout' | 'reused' | 'deactivated' | 'password_changed'

export const session = pgTable(
  'session',
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => appUser.id),
    jti: uuid().notNull(),
    previousJti: uuid(),
    rotatedAt: instant(),
    /** When the first request bearing `jti` was seen: from then on the previous token is only good for 10 s. */
    confirmedAt: instant(),
    /** SHA-256 of the binding cookie, in hex. */
    bindingHash: text().notNull(),
    idleSeconds: integer().notNull(),
    createdAt: instant().notNull(),
    lastActiveAt: instant().notNull(),
    endsAt: instant().notNull(),
    endedAt: instant(),
    endedReason: text().$type<EndedReason>(),
  },
  (table) => [
    uniqueIndex('session_one_live')
      .on(table.userId)
      .where(sql`ended_at IS NULL`),
  ],
)

/** Sign-in failures per account name, attempts under way included. */
export const loginAttempt = pgTable('login_attempt', {
  account: text().primaryKey(),
  failures: integer().notNull(),
  pending: integer().notNull(),
  pendingSince: instant().notNull(),
  blockedUntil: instant(),
})

/** Failures of one kind by one user within a window, e.g. unknown serials per minute. */
export const throttle = pgTable('throttle', {
  key: text().primaryKey(),
  failures: integer().notNull(),
  windowEndsAt: instant().notNull(),
})

export const passwordNonce = pgTable(
  'password_nonce',
  { nonce: text().primaryKey(), expiresAt: instant().notNull() },
  (table) => [index('password_nonce_by_expiry').on(table.expiresAt)],
)

/** Passwords before the current one. */
export const passwordHistory = pgTable(
  'password_history',
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => appUser.id),
    passwordHash: text().notNull(),
    /** When it was set, not when it was replaced. */
    changedAt: instant().notNull(),
  },
  (table) => [index('password_history_by_user').on(table.userId, table.changedAt)],
)

export type LinkKind = 'reset' | 'activation'

/** Mailed links to set a new password, or the first one. */
export const passwordLink = pgTable(
  'password_link',
  {
    /** SHA-256 of the token, in hex. */
    tokenHash: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => appUser.id),
    kind: text().$type<LinkKind>().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    superseded: boolean().notNull().default(false),
  },
  (table) => [index('password_link_by_user').on(table.userId, table.createdAt)],
)

/** What a right password still needs before it is a session. */
export const signInChallenge = pgTable(
  'sign_in_challenge',
  {
    /** SHA-256 of the token, in hex. */
    tokenHash: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => appUser.id),
    kind: text().$type<Challenge>().notNull(),
    /** Wrong codes. */
    failures: integer().notNull().default(0),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index('sign_in_challenge_by_user').on(table.userId),
    index('sign_in_challenge_by_expiry').on(table.expiresAt),
  ],
)

/** Authenticator apps in force. */
export const mfa = pgTable('mfa', {
  userId: uuid()
    .primaryKey()
    .references(() => appUser.id),
  /** By services/mfaSecret.ts. */
  sealedSecret: text().notNull(),
  /** The 30-second step of the last code that was taken. */
  lastStep: bigint({ mode: 'number' }).notNull(),
  enabledAt: instant().notNull(),
})

/** Authenticator apps that have not shown a right code yet: of a challenge or of a session. */
export const mfaSetup = pgTable(
  'mfa_setup',
  {
    tokenHash: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => appUser.id),
    challengeHash: text()
      .unique()
      .references(() => signInChallenge.tokenHash, { onDelete: 'cascade' }),
    sessionId: uuid()
      .unique()
      .references(() => session.id),
    sealedSecret: text().notNull(),
    failures: integer().notNull().default(0),
    expiresAt: instant().notNull(),
  },
  (table) => [index('mfa_setup_by_user').on(table.userId)],
)

/** SHA-256 of the recovery codes that are left, in hex. */
export const recoveryCode = pgTable(
  'recovery_code',
  {
    userId: uuid()
      .notNull()
      .references(() => appUser.id),
    codeHash: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

/** Attempts to sign in to an account that exists. */
export const signIn = pgTable(
  'sign_in',
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => appUser.id),
    at: instant().notNull(),
    outcome: text().$type<SignIn['outcome']>().notNull(),
    device: text().notNull(),
    ipAddress: text().notNull(),
    sessionId: uuid().references(() => session.id),
  },
  (table) => [index('sign_in_by_user').on(table.userId, table.at, table.id)],
)

/** Browsers a user has signed in with. */
export const knownDevice = pgTable(
  'known_device',
  {
    userId: uuid()
      .notNull()
      .references(() => appUser.id),
    /** SHA-256 of the device cookie, in hex. */
    tokenHash: text().notNull(),
    seenAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.tokenHash] })],
)

export type MailKind =
  | 'reset'
  | 'password_changed'
  | 'activation'
  | 'invitation'
  | 'new_sign_in'
  | 'account_locked'
  | 'mfa_changed'
  | 'application_received'
  | 'account_exists'
  | 'review'
  | 'authorised'
  | 'authorisation_rejected'
  | 'monthly_summary'

/** Mails to send. Text, HTML and attachment are there as long as it waits, and erased afterwards. */
export const mailOutbox = pgTable(
  'mail_outbox',
  {
    id: id(),
    toAddress: text().notNull(),
    kind: text().$type<MailKind>().notNull(),
    subject: text().notNull(),
    text: text(),
    html: text(),
    attachmentName: text(),
    attachmentType: text(),
    attachment: bytes(),
    createdAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    /** Not before; while a server is sending it, the end of its lease. */
    nextAt: instant().notNull(),
    giveUpAt: instant().notNull(),
    sentAt: instant(),
    lastError: text(),
  },
  (table) => [
    index('mail_outbox_waiting')
      .on(table.nextAt)
      .where(sql`text IS NOT NULL`),
  ],
)

/** Months that an organisation got its summary of, or did not want it. */
export const monthlySummary = pgTable(
  'monthly_summary',
  {
    organisationId: uuid()
      .notNull()
      .references(() => organisation.id),
    /** `2026-10`, Singapore. */
    month: text().notNull(),
    mails: integer().notNull(),
    at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.month] })],
)

export type UploadState = 'pending' | 'confirmed' | 'refused'

/** One row for each presigned address; the bytes are in the file store. */
export const upload = pgTable(
  'upload',
  {
    key: text().primaryKey(),
    kind: text().$type<UploadKind>().notNull(),
    /** `null` with `userId`: of an application. */
    organisationId: uuid().references(() => organisation.id),
    userId: uuid().references(() => appUser.id),
    /** As announced; once confirmed, as served. */
    contentType: text().notNull(),
    size: integer().notNull(),
    /** As the person's device calls it, to show. */
    filename: text().notNull(),
    /** Pixels of an image, pages of a PDF; known once it was checked. */
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

export const captchaProof = pgTable(
  'captcha_proof',
  {
    /** SHA-256 in hex, like `sourceHash`. */
    proofHash: text().primaryKey(),
    /** Of the token or the challenge it was given for. */
    sourceHash: text().notNull().unique(),
    action: text().$type<CaptchaAction>().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    keptUntil: instant().notNull(),
  },
  (table) => [index('captcha_proof_by_end').on(table.keptUntil)],
)

export const reportSlot = pgTable(
  'report_slot',
  { userId: uuid().notNull(), slot: smallint().notNull(), leaseId: uuid().notNull(), leasedUntil: instant().notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.slot] })],
)

/** What is stored; Expired is told by the day, not written (src/domain/vouchers.ts). */
export type StoredVoucherStatus = 'Active' | 'Used' | 'Revoked'

export const voucher = pgTable('voucher', {
  id: id(),
  serial: char({ length: 13 }).notNull().unique(),
  denominationCents: integer().notNull(),
  expiresOn: date({ mode: 'string' }).notNull(),
  status: text().$type<StoredVoucherStatus>().notNull(),
  usedAt: instant(),
  redeemedOrganisationId: uuid().references(() => organisation.id),
  redeemedBranchId: uuid().references(() => branch.id),
  /** The hold in force, past its end too until somebody else takes the voucher: all of these or none. */
  holdId: uuid(),
  /** SHA-256 in hex. */
  holdSecretHash: text(),
  holdOrganisationId: uuid().references(() => organisation.id),
  holdBranchId: uuid().references(() => branch.id),
  holdPosUserId: uuid().references(() => appUser.id),
  holdSessionId: uuid().references(() => session.id),
  /** With `holdBranchId` a `till`. */
  holdTillId: uuid(),
  /** As the till was called then. */
  holdTillName: text(),
  holdSince: instant(),
  holdEndsAt: instant(),
  /** Whose table it is in: who redeemed it or holds it. */
  organisationId: uuid().generatedAlwaysAs(sql`coalesce(redeemed_organisation_id, hold_organisation_id)`),
  branchId: uuid().generatedAlwaysAs(sql`coalesce(redeemed_branch_id, hold_branch_id)`),
})

/** Devices at the counter, by the id they made for themselves. */
export const till = pgTable(
  'till',
  {
    branchId: uuid()
      .notNull()
      .references(() => branch.id),
    id: uuid().notNull(),
    name: text().notNull(),
    namedBy: uuid()
      .notNull()
      .references(() => appUser.id),
    namedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.branchId, table.id] })],
)

/** Holds that ended without a redemption. */
export const endedHold = pgTable('ended_hold', {
  id: id(),
  secretHash: text().notNull(),
  /** `null`, like the rest of the hold, for what was cancelled before it was made. */
  voucherId: uuid().references(() => voucher.id),
  organisationId: uuid().references(() => organisation.id),
  branchId: uuid(),
  posUserId: uuid().references(() => appUser.id),
  tillName: text(),
  since: instant(),
  endedBy: text().$type<Exclude<HoldEnding, 'redeemed' | 'voided'>>().notNull(),
  endedAt: instant().notNull(),
})

/** The ledger. Its id is the idempotency key of the till; a trigger lets nothing but the void columns be set, once. */
export const redemption = pgTable('redemption', {
  id: id(),
  voucherId: uuid()
    .notNull()
    .references(() => voucher.id),
  organisationId: uuid()
    .notNull()
    .references(() => organisation.id),
  branchId: uuid()
    .notNull()
    .references(() => branch.id),
  posUserId: uuid()
    .notNull()
    .references(() => appUser.id),
  sessionId: uuid().references(() => session.id),
  amountCents: integer().notNull(),
  receiptNo: bigint({ mode: 'number' })
    .notNull()
    .default(sql`nextval('receipt_no')`),
  redeemedAt: instant().notNull(),
  recordedAt: instant().notNull(),
  voidedAt: instant(),
  voidedBy: uuid().references(() => appUser.id),
  /** Of the hold it was redeemed under, with the till's id and its name then; `null` without one. */
  holdSecretHash: text(),
  tillId: uuid(),
  tillName: text(),
})

export const productServiceCategory = pgTable('product_service_category', {
  id: id(),
  name: text().notNull().unique(),
  position: smallint().notNull().unique(),
})

/** What applicants have sent. `data` is parsed with the contract's MerchantApplication when it is read. */
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

/** What a merchant has submitted last. `data` is parsed with the contract's Onboarding when it is read. */
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

export type DecidedVia = 'review link' | 'command line'

/** One submission for the provider to decide on. */
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
    /** The sign-in name. */
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

/** Who did what, and when; triggers refuse every change. */
export const activity = pgTable(
  'activity',
  {
    id: id(),
    at: instant().notNull(),
    organisationId: uuid().references(() => organisation.id),
    /** An account that may be deleted by now. */
    userId: uuid(),
    actor: text().notNull(),
    via: text().$type<'portal' | DecidedVia>().notNull(),
    device: text(),
    /** Of ACTIVITY_ACTIONS; a release before those wrote phrases. */
    action: text().notNull(),
    subjectType: text().notNull(),
    subjectId: text().notNull(),
    subjectName: text().notNull().default(''),
    /** The branch that it concerns, which may be deleted by now. */
    branchId: uuid(),
    details: jsonb().$type<Record<string, string | number>>().notNull(),
  },
  (table) => [
    index('activity_by_organisation').on(table.organisationId, table.at, table.id),
    index('activity_by_subject').on(table.organisationId, table.subjectId, table.at, table.id),
    index('activity_by_user').on(table.organisationId, table.userId, table.at, table.id),
    index('activity_by_branch').on(table.organisationId, table.branchId, table.at, table.id),
    index('activity_by_action').on(table.organisationId, table.action, table.at, table.id),
  ],
)

/** What a person has read of the notices, by their keys (contract/notices.ts). */
export const noticeRead = pgTable(
  'notice_read',
  {
    userId: uuid()
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    key: text().notNull(),
    at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] })],
)

export type ImportKind = 'branch' | 'pos user'

/** Rows of imported files that became something. */
export const importRow = pgTable(
  'import_row',
  {
    userId: uuid()
      .notNull()
      .references(() => appUser.id),
    importId: uuid().notNull(),
    kind: text().$type<ImportKind>().notNull(),
    rowNumber: integer().notNull(),
    recordId: uuid().notNull(),
    importedAt: instant().notNull(),
    passwordSetAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.importId, table.kind, table.rowNumber] })],
)

/** Files of the programme for merchants. */
export const resource = pgTable('resource', {
  id: id(),
  title: text().notNull(),
  description: text().notNull(),
  filename: text().notNull(),
  contentType: text().notNull(),
  content: bytes().notNull(),
  size: integer()
    .notNull()
    .generatedAlwaysAs(sql`length(content)`),
  updatedAt: instant().notNull(),
  /** Before it is set nobody sees the file. */
  publishedAt: instant(),
})

/** One row for each file that was handed over to its end. */
export const resourceDownload = pgTable(
  'resource_download',
  {
    id: id(),
    resourceId: uuid()
      .notNull()
      .references(() => resource.id),
    userId: uuid()
      .notNull()
      .references(() => appUser.id),
    at: instant().notNull(),
  },
  (table) => [index('resource_download_by_user').on(table.userId, table.resourceId, table.at)],
)

/** How somebody looks at a list, under a name. */
export const savedView = pgTable(
  'saved_view',
  {
    id: id(),
    organisationId: uuid()
      .notNull()
      .references(() => organisation.id),
    ownerId: uuid()
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    list: text().notNull(),
    name: text().notNull(),
    shared: boolean().notNull(),
    /** As the contract has it (ViewState); read with `readViewState`. */
    state: jsonb().$type<unknown>().notNull(),
    createdAt: instant().notNull(),
    revision: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('saved_view_by_name').on(table.ownerId, table.list, sql`lower(${table.name})`),
    index('saved_view_shared')
      .on(table.organisationId)
      .where(sql`shared`),
  ],
)

/** What a list opens with for somebody. */
export const defaultView = pgTable(
  'default_view',
  {
    userId: uuid()
      .notNull()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    list: text().notNull(),
    viewId: uuid()
      .notNull()
      .references(() => savedView.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.userId, table.list] }), index('default_view_by_view').on(table.viewId)],
)
