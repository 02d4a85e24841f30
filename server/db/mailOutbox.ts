import { and, asc, eq, gt, isNotNull, lte, sql } from 'drizzle-orm'
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
  /** Of a monthly summary. */
  organisationId?: string
  month?: string
  /** Nobody wants it after this. */
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
  /** This one included. */
  attempts: number
}

/** One server sends it for this long; then its process is taken for dead. Longer than the transport's own patience. */
const LEASE_MS = 2 * 60_000

/** Puts a mail out to be sent, in the transaction of what it tells about. */
export const queueMail = (tx: Db, mail: NewMail, now: Date): Promise<void> => queueMails(tx, [mail], now)

/** The same, if there is a user `userId`. */
export const queueMailForUser = (tx: Db, userId: string, mail: NewMail, now: Date): Promise<void> =>
  insertForUser(tx, mailOutbox, userId, waitingRow(mail, now))

/** The same of several. */
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

const isWaiting = isNotNull(mailOutbox.text)
export const isInvitation = eq(mailOutbox.kind, 'invitation')
const erased = { text: null, html: null, attachmentName: null, attachmentType: null, attachment: null }

/** Takes the next mail that is due, for this server alone; `undefined` when none is. */
export async function claimMail(db: Db, now: Date): Promise<WaitingMail | undefined> {
  const next = db
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(and(isWaiting, lte(mailOutbox.nextAt, now), gt(mailOutbox.giveUpAt, now)))
    // An import brings thousands of invitations: a password link that somebody waits for is not sent after them.
    .orderBy(isInvitation, asc(mailOutbox.nextAt), asc(mailOutbox.id))
    .limit(1)
    .for('update', { skipLocked: true })
  const [mail] = await db
    .update(mailOutbox)
    .set({ attempts: sql`${mailOutbox.attempts} + 1`, nextAt: new Date(now.getTime() + LEASE_MS) })
    // `=` and not IN: the subquery is then run exactly once, so that its limit holds.
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

/** `error` is a code, never text of the mail server: that may quote the address. */
export async function markMailFailed(db: Db, id: string, error: string, nextAt: Date): Promise<void> {
  await db.update(mailOutbox).set({ lastError: error, nextAt }).where(eq(mailOutbox.id, id))
}

/** The mail server will never take it. */
export async function markMailRefused(db: Db, id: string, error: string): Promise<void> {
  await db
    .update(mailOutbox)
    .set({ lastError: error, ...erased })
    .where(eq(mailOutbox.id, id))
}

/** Lets go of what nobody wants any more; answers how many. */
export async function giveUpMail(db: Db, now: Date): Promise<number> {
  const gone = await db
    .update(mailOutbox)
    .set(erased)
    .where(and(isWaiting, lte(mailOutbox.giveUpAt, now)))
    .returning({ id: mailOutbox.id })
  return gone.length
}
