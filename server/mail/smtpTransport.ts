import { createTransport } from 'nodemailer'
import { type MailTransport, MailUndeliverable } from './MailTransport.ts'
import { mailOptions } from './message.ts'

/** Together well under the lease of a mail (db/mailOutbox.ts). */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, dnsTimeout: 5_000, socketTimeout: 30_000 }

/** A mail server by `smtp://` or `smtps://` address, with user and password in it where needed. */
export function smtpTransport(url: string, from: string): MailTransport {
  const transporter = createTransport({ url, ...PATIENCE })
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

/** 5xx about the recipient. The same about our own login, say, is a mistake that somebody may put right. */
function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  return code === 'EENVELOPE' && responseCode >= 500
}
