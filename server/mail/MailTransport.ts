import type { WaitingMail } from '../db/mailOutbox.ts'

/** Where mail goes: a mail server, or a folder. */
export interface MailTransport {
  /** Hands over one mail. Throws MailUndeliverable when it will never be taken, anything else when it may be later. */
  send(mail: WaitingMail): Promise<void>
  close(): void
}

/** The mail server has refused this mail for good, as for an address that does not exist. */
export class MailUndeliverable extends Error {
  override name = 'MailUndeliverable' as const
}
