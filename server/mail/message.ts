import type { SendMailOptions } from 'nodemailer'
import type { WaitingMail } from '../db/mailOutbox.ts'

/** `mail` as nodemailer takes it. Its id makes the Message-ID: a mail sent twice after a crash is known to be the same. */
export const mailOptions = (
  { id, to, subject, text, html, attachment, createdAt }: WaitingMail,
  from: string,
): SendMailOptions => ({
  from: { name: 'Merchant portal', address: from },
  to: { name: '', address: to },
  subject,
  text,
  html,
  attachments: attachment ? [{ ...attachment, content: Buffer.from(attachment.content) }] : [],
  date: createdAt,
  messageId: `<${id}@${from.split('@')[1] ?? 'localhost'}>`,
  headers: { 'auto-submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})
