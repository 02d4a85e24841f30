import { and, count, gt, inArray, isNotNull, isNull, not, or, sql, type SQL } from 'drizzle-orm'
import { isWaiting } from '../mailOutbox.ts'
import { mailOutbox } from '../schema/mailOutbox.ts'
import { hold } from '../schema/redemptions.ts'
import type { Db } from './Database.ts'

export interface Backlog {
  /** Mails that wait, due or not. */
  mails: number
  /** The age of the oldest waiting mail. Invitations and summaries are sent after other mails, so they count only once they were tried. */
  oldestMailSeconds: number
  /** Mails that were refused within the last day and are not given up yet. */
  refusedMails: number
  openHolds: number
  /** Seconds by which `now` is ahead of the database's clock. */
  aheadSeconds: number
}

/** Reads what is waiting in the database at `now`, for monitoring. */
export async function readBacklog(db: Db, now: Date): Promise<Backlog> {
  const isDelay = or(not(inArray(mailOutbox.kind, ['invitation', 'monthly_summary'])), gt(mailOutbox.attempts, 0))
  const since = sql`min(${mailOutbox.createdAt}) FILTER (WHERE ${and(isWaiting, isDelay)})`.mapWith(
    mailOutbox.createdAt,
  )
  // A mistyped address raises the alert for a day only.
  const isRecent = gt(mailOutbox.refusedAt, new Date(now.getTime() - 86_400_000))
  const [mail] = await db
    .select({ waiting: countOf(isWaiting), since, refused: countOf(isRecent) })
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
    refusedMails: mail?.refused ?? 0,
    openHolds: held?.holds ?? 0,
    aheadSeconds: held?.ahead ?? 0,
  }
}

const countOf = (which: SQL | undefined) => sql`count(*) FILTER (WHERE ${which})`.mapWith(Number)
