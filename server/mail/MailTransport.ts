import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Config } from '../config.ts'
import type { WaitingMail } from '../db/mailOutbox.ts'

/** Delivers mail: to a mail server, or to a folder. */
export interface MailTransport {
  /** Delivers one mail. Throws MailUndeliverable when it will never be accepted, other errors when a later attempt may succeed. */
  send(mail: WaitingMail): Promise<void>
  close(): void
}

/** The mail server has refused this mail for good, for example because the address does not exist. */
export class MailUndeliverable extends Error {
  override name = 'MailUndeliverable' as const
}

/** Opens the configured mail server; without one a folder in DATA_DIR, and `print` gets each link. */
export function openMailTransport(
  { smtpUrl, mailFrom, dataDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  print: (line: string) => void,
): MailTransport {
  if (smtpUrl !== undefined) return smtpTransport(smtpUrl, mailFrom)
  return fileTransport(join(dataDir, 'outbox'), mailFrom, print)
}

/** Writes `.eml` files to `folder` instead of a mail server, and one line with the link to `print` for each, to click in a terminal. */
export function fileTransport(folder: string, from: string, print: (line: string) => void): MailTransport {
  const transporter = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      const { message: bytes } = await transporter.sendMail(mailOptions(mail, from))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(join(folder, `${mail.id}.eml`), bytes as Buffer, { mode: 0o600 })
      const [link = ''] = /https?:\/\/\S+/.exec(mail.text) ?? []
      print(`Mail for ${mail.to}: ${mail.subject} ${link}`.trimEnd() + '\n')
    },
    close: () => transporter.close(),
  }
}

/** Together well below the lease of a mail (db/mailOutbox.ts). */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, dnsTimeout: 5_000, socketTimeout: 30_000 }

/** Sends to the mail server of a `smtp://` or `smtps://` address, with user and password in it where needed. `patience` is in milliseconds. */
export function smtpTransport(url: string, from: string, patience = PATIENCE): MailTransport {
  const transporter = createTransport({ url, ...patience })
  return {
    async send(mail) {
      try {
        await transporter.sendMail(mailOptions(mail, from))
      } catch (error) {
        throw isFinal(error) ? new MailUndeliverable('refused', { cause: error }) : error
      }
    },
    close: () => transporter.close(),
  }
}

/** True for a 5xx about the recipient. A 5xx about our own login is a mistake that an operator can fix. */
function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  return code === 'EENVELOPE' && responseCode >= 500
}

/** The mail in the format of nodemailer. Its id makes the Message-ID, so that a mail sent twice after a crash is recognised as the same. */
const mailOptions = (
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
