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
 * Failures a user may make of one kind within a window, in seconds; successes never count (rule 12.8). The exception is what
 * costs room before anybody knows what it is good for: every presigned address counts (UPL-07, UPL-09).
 */
export const THROTTLES = {
  /** Logins of devices that are not known, by network, while they are tried: a right one takes its count back. */
  strangeLogin: { prefix: 'login:', failures: 60, windowSeconds: 60 },
  /** By network: asking for a new password on a device that is not known. */
  resetAsked: { prefix: 'reset:', failures: 60, windowSeconds: 60 },
  /** By network: mailed links that were asked about and do not work. One that does is never refused. */
  deadLink: { prefix: 'dead-link:', failures: 30, windowSeconds: 60 },
  unknownSerial: { prefix: 'serial:', failures: 60, windowSeconds: 60 },
  /** By organisation and serial: that it does not exist, which is a guess once. */
  unknownSerialTold: { prefix: 'serial-told:', failures: 1, windowSeconds: 24 * 60 * 60 },
  /** Codes of an authenticator app and recovery codes together (AUT-18). */
  mfaCode: { prefix: 'mfa:', failures: 10, windowSeconds: 15 * 60 },
  /** By POS user: codes of an enrolment that do not fit. */
  enrolmentCode: { prefix: 'enrolment:', failures: 10, windowSeconds: 15 * 60 },
  /** Not failures but mails: what is sent to one person must not become a nuisance (AUT-28). */
  invitation: { prefix: 'invitation:', failures: 3, windowSeconds: 60 * 60 },
  emailChange: { prefix: 'email-change:', failures: 3, windowSeconds: 60 * 60 },
  /** By login name, which nobody may have: attempts against a blocked one cost nothing, so one is written down for all in this time. */
  blockedLogin: { prefix: 'blocked-login:', failures: 1, windowSeconds: 15 * 60 },
  lockedMail: { prefix: 'locked-mail:', failures: 1, windowSeconds: 60 * 60 },
  /** By IP address: holds that were cancelled and are not there, for each leaves a row (rule 9.18). */
  unmadeHold: { prefix: 'unmade-hold:', failures: 60, windowSeconds: 60 },
  /** By user. */
  presign: { prefix: 'presign:', failures: 20, windowSeconds: 60 },
  /** By IP address (UPL-09). One application may have fifty logos, and some are tried twice. */
  publicPresign: { prefix: 'presign-public:', failures: 100, windowSeconds: 60 * 60 },
  /** Applications of one IP address, those refused included (SGN-05). */
  signup: { prefix: 'signup:', failures: 10, windowSeconds: 60 * 60 },
  /** Mails to the owner of a known email that somebody applies with. */
  accountReminder: { prefix: 'account-reminder:', failures: 3, windowSeconds: 60 * 60 },
  /** Batches of imports, dry runs included, for each tells which names are taken: four whole files, checked and imported. */
  importBatch: { prefix: 'import:', failures: 800, windowSeconds: 60 * 60 },
} as const satisfies Record<string, Throttle>

/** Until when `userId` has used up its failures, or `undefined`. */
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

/** Takes one failure back that was counted before it was known to be one. */
export async function takeBack(db: Db, kind: Throttle, userId: string): Promise<void> {
  await db
    .update(throttle)
    .set({ failures: sql`greatest(${throttle.failures} - 1, 0)` })
    .where(eq(throttle.key, kind.prefix + userId))
}

/** More than there are users, and few enough for a small disk. */
const KEPT = 100_000

/**
 * Whose failures are used up: each has cost its maker as many attempts as its kind allows, so there are few. A kind of one
 * failure notes that something was said, and stops nobody.
 */
const isBlock = or(
  ...Object.values(THROTTLES)
    .filter(({ failures }) => failures > 1)
    .map(({ prefix, failures }) => and(like(throttle.key, `${prefix}%`), gte(throttle.failures, failures))),
)!

/** Forgets windows that are over, and of too many those that end first; never a block in force. */
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
