import { and, desc, eq, gte, like, lte, not, or, sql } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'
import { sweepRows } from './engine/sweepRows.ts'
import { throttle } from './schema/accounts.ts'

export interface Throttle {
  prefix: string
  failures: number
  windowSeconds: number
}

/**
 * Failures that a user may make of one kind within a window, in seconds; successes never count (rule 12.8). One exception: every presigned address
 * counts, because it takes storage before its use is known (UPL-07, UPL-09).
 */
export const THROTTLES = {
  /** By network: logins of unknown devices under way; a successful one takes its count back. */
  strangeLogin: { prefix: 'login:', failures: 60, windowSeconds: 60 },
  /** By network: requests for a new password on an unknown device. */
  resetAsked: { prefix: 'reset:', failures: 60, windowSeconds: 60 },
  /** By network: requests about mailed links that do not work. A link that works is never refused. */
  deadLink: { prefix: 'dead-link:', failures: 30, windowSeconds: 60 },
  unknownSerial: { prefix: 'serial:', failures: 60, windowSeconds: 60 },
  /** By organisation and serial: the answer that it does not exist, which counts as a guess once. */
  unknownSerialTold: { prefix: 'serial-told:', failures: 1, windowSeconds: 24 * 60 * 60 },
  /** Codes of an authenticator app and recovery codes together (AUT-18). */
  mfaCode: { prefix: 'mfa:', failures: 10, windowSeconds: 15 * 60 },
  /** By POS user: wrong enrolment codes. */
  enrolmentCode: { prefix: 'enrolment:', failures: 10, windowSeconds: 15 * 60 },
  /** Counts mails, not failures: one person must not get too many (AUT-28). */
  invitation: { prefix: 'invitation:', failures: 3, windowSeconds: 60 * 60 },
  emailChange: { prefix: 'email-change:', failures: 3, windowSeconds: 60 * 60 },
  /** By login name, which may not exist: attempts against a blocked name cost nothing, so only one is logged in this time. */
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
  /** Mails to the owner of an email that already has an account and is used in an application. */
  accountReminder: { prefix: 'account-reminder:', failures: 3, windowSeconds: 60 * 60 },
  /** Batches of imports, dry runs included, because each shows which names are taken: four whole files, checked and imported. */
  importBatch: { prefix: 'import:', failures: 800, windowSeconds: 60 * 60 },
} as const satisfies Record<string, Throttle>

/** Returns when the block of `userId` ends, or `undefined`. */
export async function blockedUntil(db: Db, kind: Throttle, userId: string, now: Date): Promise<Date | undefined> {
  const [row] = await db
    .select()
    .from(throttle)
    .where(eq(throttle.key, kind.prefix + userId))
    .prepare('throttle')
    .execute()
  return row && row.failures >= kind.failures && row.windowEndsAt > now ? row.windowEndsAt : undefined
}

/** Counts one failure. Returns when the window ends if this one was over the limit, else `undefined`. */
export async function countFailure(db: Db, kind: Throttle, userId: string, now: Date): Promise<Date | undefined> {
  const windowEndsAt = new Date(now.getTime() + kind.windowSeconds * 1_000)
  const isOver = sql`${throttle.windowEndsAt} <= ${now.toISOString()}::timestamptz`
  const [row] = await db
    .insert(throttle)
    .values({ key: kind.prefix + userId, failures: 1, windowEndsAt })
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
export async function takeBack(db: Db, kind: Throttle, userId: string): Promise<void> {
  await db
    .update(throttle)
    .set({ failures: sql`greatest(${throttle.failures} - 1, 0)` })
    .where(eq(throttle.key, kind.prefix + userId))
}

/** More than there are users, and few enough for a small disk. */
const KEPT = 100_000

/**
 * True for used-up throttles: each has cost its maker as many attempts as its kind allows, so there are few. A kind with one failure only marks an
 * event, and blocks no user.
 */
const isBlock = or(
  ...Object.values(THROTTLES)
    .filter(({ failures }) => failures > 1)
    .map(({ prefix, failures }) => and(like(throttle.key, `${prefix}%`), gte(throttle.failures, failures))),
)!

/** Deletes windows that are over, and above the limit those that end first; never a block in force. */
export async function sweepThrottles(db: Db, now: Date): Promise<void> {
  await sweepRows(db, throttle, throttle.key, lte(throttle.windowEndsAt, now))
  const [first] = await db
    .select({ ends: throttle.windowEndsAt })
    .from(throttle)
    .orderBy(desc(throttle.windowEndsAt))
    .offset(KEPT)
    .limit(1)
  if (first) await sweepRows(db, throttle, throttle.key, and(lte(throttle.windowEndsAt, first.ends), not(isBlock)))
}
