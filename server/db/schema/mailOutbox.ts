import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, id, instant } from './columns.ts'
import { organisation } from './organisations.ts'

export type MailKind =
  | 'reset'
  | 'password_changed'
  | 'activation'
  | 'invitation'
  | 'new_login'
  | 'account_locked'
  | 'mfa_changed'
  | 'application_received'
  | 'account_exists'
  | 'onboarding_received'
  | 'review'
  | 'authorised'
  | 'authorisation_rejected'
  | 'monthly_summary'
  | 'email_change'
  | 'email_changed'
  | 'payment_made'

/** Mails to send. Text, HTML and attachment are kept until the mail is sent or dropped, and then erased. */
export const mailOutbox = pgTable(
  'mail_outbox',
  {
    id: id(),
    toAddress: text().notNull(),
    kind: text().$type<MailKind>().notNull(),
    /** The organisation and month of a monthly summary. */
    organisationId: uuid().references(() => organisation.id),
    month: text(),
    subject: text().notNull(),
    text: text(),
    html: text(),
    attachmentName: text(),
    attachmentType: text(),
    attachment: bytes(),
    createdAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    /** The earliest time for the next attempt; while a server sends the mail, the end of its lease. */
    nextAt: instant().notNull(),
    giveUpAt: instant().notNull(),
    sentAt: instant(),
    /** Null while the mail is being sent. */
    lastError: text(),
    refusedAt: instant(),
  },
  (table) => [
    index('mail_outbox_waiting')
      .on(table.nextAt)
      .where(sql`text IS NOT NULL`),
  ],
)
