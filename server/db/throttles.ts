import { and, desc, eq, gte, like, lte, not, or, sql } from 'drizzle-orm'
import { LIMITS } from '../../src/contract/limits.ts'
import type { Db } from './engine/Database.ts'
import { sweepRows } from './engine/sweepRows.ts'
import { throttle } from './schema/accounts.ts'

export interface Throttle {
  prefix: string
  failures: number
  windowSeconds: number
}

/**
 * How many failures of each kind are allowed within a window, in seconds. Successes do not count (rule 12.8). Some kinds count every call instead: a
 * presigned address takes storage before its use is known (UPL-07, UPL-09).
 */
export const THROTTLES = {
  /** By network: logins on unknown devices. They count while they are under way; a success takes the count back. */
  strangeLogin: { prefix: 'login:', failures: 60, windowSeconds: 60 },
  /** By network: requests for a new password on an unknown device. */
  resetAsked: { prefix: 'reset:', failures: 60, windowSeconds: 60 },
  /** By network: requests about mailed links that do not work. A link that works is never refused. */
  deadLink: { prefix: 'dead-link:', failures: 30, windowSeconds: 60 },
  /** By user. */
  unknownSerial: { prefix: 'serial:', failures: 60, windowSeconds: 60 },
  /** By organisation and serial: answers that the serial does not exist. Only the first one in a window counts as a guess. */
  unknownSerialTold: { prefix: 'serial-told:', failures: 1, windowSeconds: 24 * 60 * 60 },
  /** Codes of an authenticator app and recovery codes together (AUT-18). */
  mfaCode: { prefix: 'mfa:', failures: 10, windowSeconds: 15 * 60 },
  /** By network: wrong enrolment codes. */
  enrolmentCode: { prefix: 'enrolment:', failures: 10, windowSeconds: 15 * 60 },
  /** Counts mails, not failures: one person must not get too many (AUT-28). */
  invitation: { prefix: 'invitation:', failures: 3, windowSeconds: 60 * 60 },
  emailChange: { prefix: 'email-change:', failures: 3, windowSeconds: 60 * 60 },
  /** By login name, existing or not. Attempts against a blocked name cost nothing, so only one per window is logged. */
  blockedLogin: { prefix: 'blocked-login:', failures: 1, windowSeconds: 15 * 60 },
  lockedMail: { prefix: 'locked-mail:', failures: 1, windowSeconds: 60 * 60 },
  /** By IP address: cancelled holds that do not exist, because each stores a row (rule 9.18). */
  unmadeHold: { prefix: 'unmade-hold:', failures: 60, windowSeconds: 60 },
  /** By user. */
  presign: { prefix: 'presign:', failures: 20, windowSeconds: 60 },
  /** By IP address (UPL-09). One application may have fifty logos, and some are tried twice. */
  publicPresign: { prefix: 'presign-public:', failures: 100, windowSeconds: 60 * 60 },
  /** Applications of one IP address, refused ones included (SGN-05). */
  signup: { prefix: 'signup:', failures: 10, windowSeconds: 60 * 60 },
  /** By application: mails that the applicant asked for again. */
  applicationMail: { prefix: 'application-mail:', failures: 1, windowSeconds: LIMITS.resendMinutes * 60 },
  /** Mails to the owner of an account whose email is used in an application. */
  accountReminder: { prefix: 'account-reminder:', failures: 3, windowSeconds: 60 * 60 },
  /** Batches of imports. Dry runs count too, because they show which names are taken. The limit is enough to check and import four whole files. */
  importBatch: { prefix: 'import:', failures: 800, windowSeconds: 60 * 60 },
} as const satisfies Record<string, Throttle>

/** Returns when the block of `subject` ends, or `undefined`. A subject is what the kind counts by, for example a user id. */
export async function blockedUntil(db: Db, kind: Throttle, subject: string, now: Date): Promise<Date | undefined> {
  const [row] = await db
    .select()
    .from(throttle)
    .where(eq(throttle.key, kind.prefix + subject))
    .prepare('throttle')
    .execute()
  return row && row.failures >= kind.failures && row.windowEndsAt > now ? row.windowEndsAt : undefined
}

/** Counts one failure. If it is over the limit, returns when the window ends; otherwise `undefined`. */
export async function countFailure(db: Db, kind: Throttle, subject: string, now: Date): Promise<Date | undefined> {
  const windowEndsAt = new Date(now.getTime() + kind.windowSeconds * 1_000)
  const isOver = sql`${throttle.windowEndsAt} <= ${now.toISOString()}::timestamptz`
  const [row] = await db
    .insert(throttle)
    .values({ key: kind.prefix + subject, failures: 1, windowEndsAt })
    .onConflictDoUpdate({
      target: throttle.key,
      set: {
        failures: sql`CASE WHEN ${isOver} THEN 1 ELSE ${throttle.failures} + 1 END`,
        windowEndsAt: sql`CASE WHEN ${isOver} THEN excluded.window_ends_at ELSE ${throttle.windowEndsAt} END`,
      },
    })
    .returning()
  return row && row.failures > kind.failures ? row.windowEndsAt : undefined
}

/** Takes back a failure that was counted before the outcome was known. */
export async function takeBack(db: Db, kind: Throttle, subject: string): Promise<void> {
  await db
    .update(throttle)
    .set({ failures: sql`greatest(${throttle.failures} - 1, 0)` })
    .where(eq(throttle.key, kind.prefix + subject))
}

/** How many rows are kept: more than there are users, and few enough for a small disk. */
const KEPT_ROWS = 100_000

/**
 * True for throttles that are used up. Each takes many attempts, so there are few. A kind with one failure only marks an event, and blocks no user.
 */
const isBlock = or(
  ...Object.values(THROTTLES)
    .filter(({ failures }) => failures > 1)
    .map(({ prefix, failures }) => and(like(throttle.key, `${prefix}%`), gte(throttle.failures, failures))),
)!

/** Deletes rows whose window is over. Above KEPT_ROWS, also deletes the rows whose windows end first, but never a block in force. */
export async function sweepThrottles(db: Db, now: Date): Promise<void> {
  await sweepRows(db, throttle, throttle.key, lte(throttle.windowEndsAt, now))
  const [first] = await db
    .select({ ends: throttle.windowEndsAt })
    .from(throttle)
    .orderBy(desc(throttle.windowEndsAt))
    .offset(KEPT_ROWS)
    .limit(1)
  if (first) await sweepRows(db, throttle, throttle.key, and(lte(throttle.windowEndsAt, first.ends), not(isBlock)))
}
