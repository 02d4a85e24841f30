import { mkdir, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Config } from '../config.ts'
import type { WaitingMail } from '../db/mailOutbox.ts'
import { markPart } from './mark.ts'

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

/** A mail that was written to a file instead of being sent. */
export interface WrittenMail {
  to: string
  subject: string
  /** The first link of the mail. */
  link: string | undefined
  file: string
}

/** Opens the configured mail server. Without one, writes mails to a folder in DATA_DIR, and calls `onWritten` with each. */
export function openMailTransport(
  { smtpUrl, dataDir, ...sender }: Sender & Pick<Config, 'smtpUrl' | 'dataDir'>,
  onWritten: (mail: WrittenMail) => void,
): MailTransport {
  if (smtpUrl !== undefined) return smtpTransport(smtpUrl, sender)
  return fileTransport(join(dataDir, 'outbox'), sender, onWritten)
}

type Sender = Pick<Config, 'mailFrom' | 'publicUrl'>

/** Writes each mail to an `.eml` file in `folder`. */
export function fileTransport(folder: string, sender: Sender, onWritten: (mail: WrittenMail) => void): MailTransport {
  const transporter = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      const { message: bytes } = await transporter.sendMail(mailOptions(mail, sender))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, `${mail.id}.eml`)
      await writeFile(file, bytes as Buffer, { mode: 0o600 })
      onWritten({ to: mail.to, subject: mail.subject, link: /https?:\/\/\S+/.exec(mail.text)?.[0], file })
    },
    close: () => transporter.close(),
  }
}

/** A mail server with slow DNS greets late, and nodemailer waits for the greeting only as long as the shortest of the first three timeouts. */
const TIMEOUTS_MS = { connectionTimeout: 70_000, greetingTimeout: 60_000, socketTimeout: 60_000, dnsTimeout: 5_000 }

/** Shorter than the lease of a mail (db/mailOutbox.ts), after which another server sends it. */
const LONGEST_MS = 110_000

/** Shorter than the socket's timeout, so that an unused connection ends politely. */
const IDLE_MS = 30_000

/**
 * Sends to the mail server of a `smtp://` or `smtps://` address, which may contain a user and password. Connections stay open for a while, so that
 * not every mail waits for a greeting. `timeouts` are in milliseconds.
 */
export function smtpTransport(url: string, sender: Sender, timeouts = TIMEOUTS_MS): MailTransport {
  const name = helloName(sender)
  const transporter = createTransport({ url, pool: true, idleTimeout: IDLE_MS, ...timeouts, ...(name && { name }) })
  return {
    async send(mail) {
      try {
        await transporter.sendMail({ ...mailOptions(mail, sender), signal: AbortSignal.timeout(LONGEST_MS) })
      } catch (error) {
        throw isFinal(error as SmtpError) ? new MailUndeliverable('refused', { cause: error }) : error
      }
    },
    close: () => transporter.close(),
  }
}

/**
 * Returns the portal's host name for the greeting: mail servers refuse a greeting without a full name. Undefined for an IP address or a host without
 * a dot: nodemailer then greets with a name or address of its own.
 */
function helloName({ publicUrl }: Sender): string | undefined {
  const { hostname } = new URL(publicUrl)
  return hostname.includes('.') && isIP(hostname) === 0 ? hostname : undefined
}

/** The facts of nodemailer's errors. */
export interface SmtpError {
  code?: string
  /** The command that was answered, such as `RCPT TO`. */
  command?: string
  responseCode?: number
  response?: string
}

/** Returns the code of RFC 3463, such as 5.1.1, that a mail server puts before its words. */
export const enhancedCode = ({ response }: SmtpError): string | undefined =>
  /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1]

/**
 * True if no later attempt can succeed, because the mail itself or its recipient is refused. If our relaying, our login or our sender address is
 * refused, the mail waits until somebody corrects a setting. Postfix may refuse the sender in its answer to RCPT, so the enhanced code decides there.
 */
function isFinal(error: SmtpError): boolean {
  const { code, command, responseCode = 0 } = error
  if (responseCode < 500) return false
  if (code === 'EMESSAGE') return true
  if (command !== 'RCPT TO') return false
  const enhanced = enhancedCode(error)
  return enhanced === undefined ? UNKNOWN_MAILBOX.has(responseCode) : ABOUT_RECIPIENT.test(enhanced)
}

const UNKNOWN_MAILBOX = new Set([550, 551, 553])

/** Codes about the recipient. 5.1.0 may be about any address; 5.1.7 and 5.1.8 are about the sender. */
const ABOUT_RECIPIENT = /^5\.1\.([1-6]|10)$/

/**
 * Returns the mail in the format of nodemailer. The Message-ID contains the id of the mail, so that mail programs recognise a mail that was sent
 * twice after a crash.
 */
const mailOptions = (
  { id, kind, to, subject, text, html, attachment, createdAt }: WaitingMail,
  { mailFrom, publicUrl }: Sender,
): SendMailOptions => ({
  from: { name: 'Merchant portal', address: mailFrom },
  to: { name: '', address: to },
  subject,
  text,
  html,
  attachments: [markPart(), ...(attachment ? [{ ...attachment, content: Buffer.from(attachment.content) }] : [])],
  date: createdAt,
  messageId: `<${id}@${mailFrom.split('@')[1] ?? 'localhost'}>`,
  headers: { 'auto-submitted': 'auto-generated' },
  // The page where a user ends the summary. One-click unsubscribing (RFC 8058) would need a session, which a mail program does not have.
  ...(kind === 'monthly_summary' && { list: { unsubscribe: `${publicUrl}/profile` } }),
  disableFileAccess: true,
  disableUrlAccess: true,
})
