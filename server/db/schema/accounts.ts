import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Challenge } from '../../../src/contract/accounts/auth.ts'
import type { CaptchaAction } from '../../../src/contract/accounts/captcha.ts'
import { id, instant } from './columns.ts'
import { appUser } from './organisations.ts'

export type EndedReason =
  | 'superseded'
  | 'expired'
  | 'logout'
  | 'reused'
  | 'deactivated'
  | 'password_changed'
  | 'email_changed'

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
    /** When the first request with `jti` was seen: from then on the previous token is valid for only 10 s. */
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

/** Login failures per account name, attempts under way included. */
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
    /** When this password was set, not when it was replaced. */
    changedAt: instant().notNull(),
  },
  (table) => [index('password_history_by_user').on(table.userId, table.changedAt)],
)

export type LinkKind = 'reset' | 'activation' | 'email'

/** Mailed links: to set a new or first password, or to confirm the new address of a login. */
export const passwordLink = pgTable(
  'password_link',
  {
    /** SHA-256 of the token, in hex. */
    tokenHash: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => appUser.id),
    kind: text().$type<LinkKind>().notNull(),
    /** The new address; only for the kind `email`. */
    email: text(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    superseded: boolean().notNull().default(false),
  },
  (table) => [index('password_link_by_user').on(table.userId, table.createdAt)],
)

/** The further steps of a login after the right password. */
export const loginChallenge = pgTable(
  'login_challenge',
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
    index('login_challenge_by_user').on(table.userId),
    index('login_challenge_by_expiry').on(table.expiresAt),
  ],
)

/** Active authenticator apps. */
export const mfa = pgTable('mfa', {
  userId: uuid()
    .primaryKey()
    .references(() => appUser.id),
  /** Sealed by secrets/sealSecret.ts. */
  sealedSecret: text().notNull(),
  /** The 30-second step of the last accepted code. */
  lastStep: bigint({ mode: 'number' }).notNull(),
  enabledAt: instant().notNull(),
})

/** Authenticator apps that have not given a right code yet, each for a challenge or a session. */
export const mfaSetup = pgTable(
  'mfa_setup',
  {
    tokenHash: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => appUser.id),
    challengeHash: text()
      .unique()
      .references(() => loginChallenge.tokenHash, { onDelete: 'cascade' }),
    sessionId: uuid()
      .unique()
      .references(() => session.id),
    sealedSecret: text().notNull(),
    failures: integer().notNull().default(0),
    expiresAt: instant().notNull(),
  },
  (table) => [index('mfa_setup_by_user').on(table.userId)],
)

/** SHA-256 of the remaining recovery codes, in hex. */
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

/** Browsers a user has logged in with. */
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
  (table) => [
    primaryKey({ columns: [table.userId, table.tokenHash] }),
    index('known_device_by_token').on(table.tokenHash),
  ],
)

export const captchaProof = pgTable(
  'captcha_proof',
  {
    /** SHA-256 in hex, like `sourceHash`. */
    proofHash: text().primaryKey(),
    /** The hash of the token or challenge that the proof was given for. */
    sourceHash: text().notNull().unique(),
    action: text().$type<CaptchaAction>().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    keptUntil: instant().notNull(),
  },
  (table) => [index('captcha_proof_by_end').on(table.keptUntil)],
)
