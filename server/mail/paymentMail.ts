import { formatCents } from '../../src/domain/money.ts'
import { formatDay, formatMonth } from '../../src/domain/singaporeTime.ts'
import type { NewMail } from '../db/mailOutbox.ts'
import { daysAfter, mailPage, mailSubject, oneLine, type Portal } from './mailPage.ts'

interface Paid {
  /** The name of the organisation. */
  organisation: string
  /** Its contact. */
  contactName: string | null
  month: string
  totalCents: number
  paidOn: string
  /** The provider's own text. */
  reference: string
}

/** Tells a merchant that the provider has recorded the payment of a statement. */
export function paymentMail(
  portal: Portal,
  to: string,
  { organisation, contactName, month, totalCents, paidOn, reference }: Paid,
  now: Date,
): NewMail {
  const page = mailPage(portal, {
    about: { organisation, name: contactName },
    before: [
      `${oneLine(organisation)} was paid ${formatCents(totalCents)} on ${formatDay(paidOn)} for ${formatMonth(month)}.`,
      `The reference of the payment is ${oneLine(reference)}. The statement is in the portal:`,
    ],
    link: { label: 'Open payments', path: '/payments' },
    after: ['A bank may need some days to credit it.'],
  })
  const giveUpAt = daysAfter(now, 7)
  const subject = mailSubject(`Payment for ${formatMonth(month)}`, { organisation })
  return { to, kind: 'payment_made', subject, ...page, giveUpAt }
}
