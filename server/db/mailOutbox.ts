import { and, asc, desc, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { insertForUser } from './accounts/loginUsers.ts'
import type { Db } from './engine/Database.ts'
import { mailOutbox, type MailKind } from './schema/mailOutbox.ts'

/** A file that goes with a mail. */
export interface Attachment {
  filename: string
  contentType: string
  content: Uint8Array
}

export interface NewMail {
  to: string
  kind: MailKind
  subject: string
  text: string
  html: string
  attachment?: Attachment
  /** The organisation and month of a monthly summary. */
  organisationId?: string
  month?: string
  /** The mail is dropped after this time. */
  giveUpAt: Date
}

export interface WaitingMail {
  id: string
  to: string
  kind: MailKind
  subject: string
  text: string
  html: string
  attachment: Attachment | undefined
  createdAt: Date
  /** The number of attempts, this one included. */
  attempts: number
}

/** How long one server may take to send a mail before another one tries. Longer than the transport's own limit. */
const LEASE_MS = 2 * 60_000

/** Queues a mail, in the transaction of the event that it reports. */
export const queueMail = (tx: Db, mail: NewMail, now: Date): Promise<void> => queueMails(tx, [mail], now)

/** Queues the mail if the user exists. */
export const queueMailForUser = (tx: Db, userId: string, mail: NewMail, now: Date): Promise<void> =>
  insertForUser(tx, mailOutbox, userId, waitingRow(mail, now))

/** Queues several mails. */
export async function queueMails(tx: Db, mails: NewMail[], now: Date): Promise<void> {
  if (mails.length > 0) await tx.insert(mailOutbox).values(mails.map((mail) => waitingRow(mail, now)))
}

function waitingRow({ to, attachment, ...mail }: NewMail, now: Date) {
  const file = attachment && {
    attachmentName: attachment.filename,
    attachmentType: attachment.contentType,
    attachment: attachment.content,
  }
  return { id: uuidv7(), toAddress: to, createdAt: now, nextAt: now, ...mail, ...file }
}

/** True until the text is erased: when the mail is sent or given up. */
const isKept = isNotNull(mailOutbox.text)
/** True for a mail that is sent when it is due. */
export const isWaiting = and(isKept, isNull(mailOutbox.refusedAt))
const erased = { text: null, html: null, attachmentName: null, attachmentType: null, attachment: null }

/** Claims the next due mail for this server alone; `undefined` when no mail is due. */
export async function claimMail(db: Db, now: Date): Promise<WaitingMail | undefined> {
  const next = db
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(and(isWaiting, lte(mailOutbox.nextAt, now), gt(mailOutbox.giveUpAt, now)))
    // The newest first: a user who waits for a password link must not wait for the thousand invitations of an import.
    .orderBy(desc(mailOutbox.nextAt))
    .limit(1)
    .for('update', { skipLocked: true })
  const [mail] = await db
    .update(mailOutbox)
    .set({ attempts: sql`${mailOutbox.attempts} + 1`, lastError: null, nextAt: new Date(now.getTime() + LEASE_MS) })
    // With `=` instead of IN the subquery runs exactly once, so that its limit holds.
    .where(sql`${mailOutbox.id} = (${next})`)
    .returning()
  if (!mail) return undefined
  const { id, toAddress, kind, subject, createdAt, attempts } = mail
  const words = { subject, text: mail.text ?? '', html: mail.html ?? '' }
  return { id, to: toAddress, kind, ...words, attachment: attachmentOf(mail), createdAt, attempts }
}

function attachmentOf(mail: typeof mailOutbox.$inferSelect): Attachment | undefined {
  const { attachmentName: filename, attachmentType: contentType, attachment: content } = mail
  return filename !== null && contentType !== null && content !== null ? { filename, contentType, content } : undefined
}

export async function markMailSent(db: Db, id: string, now: Date): Promise<void> {
  await db
    .update(mailOutbox)
    .set({ sentAt: now, lastError: null, ...erased })
    .where(eq(mailOutbox.id, id))
}

/** Schedules another attempt. `error` is a code, never the mail server's text, which may quote the address. */
export async function markMailFailed(db: Db, id: string, error: string, nextAt: Date): Promise<void> {
  await db.update(mailOutbox).set({ lastError: error, nextAt }).where(eq(mailOutbox.id, id))
}

/** Stops the attempts for a mail that the mail server will never take. Its text stays, so that the desk can send it again. */
export async function markMailRefused(db: Db, id: string, error: string, now: Date): Promise<void> {
  await db.update(mailOutbox).set({ lastError: error, refusedAt: now }).where(eq(mailOutbox.id, id))
}

/** True for a mail whose last attempt failed and that is not being sent now. */
const isUnsent = (now: Date) => and(isKept, isNotNull(mailOutbox.lastError), gt(mailOutbox.giveUpAt, now))

/** Reads the mails that failed or were refused and are not given up yet, the oldest first. */
export const unsentMails = (db: Db, now: Date, limit: number) =>
  db.select().from(mailOutbox).where(isUnsent(now)).orderBy(asc(mailOutbox.createdAt)).limit(limit)

/** Makes the unsent mails due now, or only those to one address. Returns their number. */
export async function makeUnsentDue(db: Db, to: string | undefined, now: Date): Promise<number> {
  const due = await db
    .update(mailOutbox)
    .set({ refusedAt: null, nextAt: now })
    .where(and(isUnsent(now), to === undefined ? undefined : eq(mailOutbox.toAddress, to)))
    .returning({ id: mailOutbox.id })
  return due.length
}

/** Drops mails that are too old to be sent. Returns their number. */
export async function giveUpMail(db: Db, now: Date): Promise<number> {
  const gone = await db
    .update(mailOutbox)
    .set(erased)
    .where(and(isKept, lte(mailOutbox.giveUpAt, now)))
    .returning({ id: mailOutbox.id })
  return gone.length
}
