import type { Sum } from '../../src/contract/reports/reportPreview.ts'
import { formatCents } from '../../src/domain/money.ts'
import { pluralize } from '../../src/domain/quantities.ts'
import { formatDay, formatMonth } from '../../src/domain/singaporeTime.ts'
import type { Attachment, NewMail } from '../db/mailOutbox.ts'
import type { MadeStatement } from '../db/payments/statements.ts'
import { daysAfter, mailPage, mailSubject, oneLine, type Portal } from './mailPage.ts'

interface Summary {
  organisationId: string
  organisationName: string
  /** The recipient's, if it is known. */
  name: string | null
  month: string
  total: Sum
  /** The statements that were made with it, the oldest first. */
  statements: readonly MadeStatement[]
  attachment: Attachment
}

/** Says what is paid and when, and what it contains of earlier months. */
function paymentLines({ month, totalCents, broughtForwardCents, dueOn, lines }: MadeStatement): string[] {
  const amount = formatCents(totalCents)
  const paid =
    dueOn === null
      ? `Nothing is paid for ${formatMonth(month)}: the total is ${amount} and goes to the next statement.`
      : `You will be paid ${amount} by ${formatDay(dueOn)} for ${formatMonth(month)}. The statement is under Payments.`
  const brought =
    broughtForwardCents === 0 ? [] : [`It contains ${formatCents(broughtForwardCents)} of the statement before.`]
  return [paid, ...correctionLines(lines.filter(({ redeemedMonth }) => redeemedMonth < month)), ...brought]
}

/** Returns no line if nothing has changed since earlier statements. */
function correctionLines(corrections: MadeStatement['lines']): string[] {
  if (corrections.length === 0) return []
  const byMonth = new Map<string, Sum>()
  for (const { redeemedMonth, vouchers, cents } of corrections) {
    const sum = byMonth.get(redeemedMonth) ?? { count: 0, cents: 0 }
    byMonth.set(redeemedMonth, { count: sum.count + vouchers, cents: sum.cents + cents })
  }
  const total = [...byMonth.values()].reduce((sum, { cents }) => sum + cents, 0)
  const months = [...byMonth].map(
    ([month, sum]) => `${formatMonth(month)}: ${pluralize(sum.count, 'voucher')}, ${formatCents(sum.cents)}`,
  )
  return [`It contains ${formatCents(total)} of corrections to earlier months (${months.join('; ')}).`]
}

/** The summary of a month's redemptions, with the report attached. */
export function monthlySummaryMail(
  portal: Portal,
  to: string,
  { organisationId, organisationName: organisation, name, month, total, statements, attachment }: Summary,
  now: Date,
): NewMail {
  const vouchers = pluralize(total.count, 'voucher')
  const page = mailPage(portal, {
    about: { organisation, name },
    before: [
      `${oneLine(organisation)} redeemed ${vouchers} worth ${formatCents(total.cents)} in ${formatMonth(month)}.`,
      ...statements.flatMap(paymentLines),
      'The report by branch and denomination is attached. Other months and the single redemptions are in the portal:',
    ],
    link: { label: 'Open reports', path: '/reports' },
    after: [
      'You get this email because your address is the contact address or an extra recipient of the monthly summary. Both are set under Profile.',
    ],
  })
  const giveUpAt = daysAfter(now, 7)
  return {
    to,
    kind: 'monthly_summary',
    subject: mailSubject(`Monthly summary, ${formatMonth(month)}`, { organisation }),
    ...page,
    attachment,
    organisationId,
    month,
    giveUpAt,
  }
}
