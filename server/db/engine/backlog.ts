import { and, count, gt, isNotNull, isNull, not, or, sql } from 'drizzle-orm'
import { isInvitation } from '../mailOutbox.ts'
import { mailOutbox } from '../schema/mailOutbox.ts'
import { hold } from '../schema/redemptions.ts'
import type { Db } from './Database.ts'

export interface Backlog {
  /** Mails that wait, due or not. */
  mails: number
  /** The age of the oldest waiting mail. Invitations let other mails pass, so they count only once they were tried. */
  oldestMailSeconds: number
  openHolds: number
  /** How far `now` is ahead of the database's own clock. */
  aheadSeconds: number
}

/** Reads what is waiting in the database at `now`, for monitoring. */
export async function readBacklog(db: Db, now: Date): Promise<Backlog> {
  const isLate = or(not(isInvitation), gt(mailOutbox.attempts, 0))
  const since = sql`min(${mailOutbox.createdAt}) FILTER (WHERE ${isLate})`.mapWith(mailOutbox.createdAt)
  const [mail] = await db
    .select({ waiting: count(), since })
    .from(mailOutbox)
    .where(and(isNotNull(mailOutbox.text), gt(mailOutbox.giveUpAt, now)))
  const ahead = sql`extract(epoch FROM ${now}::timestamptz - clock_timestamp())`.mapWith(Number)
  const [held] = await db
    .select({ holds: count(), ahead })
    .from(hold)
    .where(and(isNull(hold.became), gt(hold.endsAt, now)))
  return {
    mails: mail?.waiting ?? 0,
    oldestMailSeconds: mail?.since ? Math.max(0, (now.getTime() - mail.since.getTime()) / 1_000) : 0,
    openHolds: held?.holds ?? 0,
    aheadSeconds: held?.ahead ?? 0,
  }
}
