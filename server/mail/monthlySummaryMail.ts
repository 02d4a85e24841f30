import type { Sum } from '../../src/contract/reports/reportPreview.ts'
import { formatCents } from '../../src/domain/money.ts'
import { pluralize } from '../../src/domain/quantities.ts'
import { formatMonth } from '../../src/domain/singaporeTime.ts'
import type { Attachment, NewMail } from '../db/mailOutbox.ts'
import type { LateSum } from '../db/reports/redemptionSums.ts'
import { daysAfter, mailPage, oneLine, type Portal } from './mailPage.ts'

interface Summary {
  organisationId: string
  organisationName: string
  month: string
  total: Sum
  /** Redemptions of earlier months that arrived after their summary. */
  late: readonly LateSum[]
  attachment: Attachment
}

/** Returns the line about late redemptions, if there are any. */
function lateLines(late: readonly LateSum[]): string[] {
  if (late.length === 0) return []
  const sumText = (sum: Sum, between: string) => `${pluralize(sum.count, 'voucher')}${between}${formatCents(sum.cents)}`
  const total = { count: 0, cents: 0 }
  for (const { count, cents } of late) {
    total.count += count
    total.cents += cents
  }
  const months = late.map((one) => `${formatMonth(one.month)}: ${sumText(one, ', ')}`).join('; ')
  return [`Late: ${sumText(total, ' worth ')} of earlier months came in after their summary (${months}).`]
}

/** The summary of a month's redemptions, with the report attached. */
export function monthlySummaryMail(
  portal: Portal,
  to: string,
  { organisationId, organisationName, month, total, late, attachment }: Summary,
  now: Date,
): NewMail {
  const vouchers = pluralize(total.count, 'voucher')
  const page = mailPage(portal, {
    before: [
      `${oneLine(organisationName)} redeemed ${vouchers} worth ${formatCents(total.cents)} in ${formatMonth(month)}.`,
      ...lateLines(late),
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
    subject: `Monthly summary, ${formatMonth(month)}`,
    ...page,
    attachment,
    organisationId,
    month,
    giveUpAt,
  }
}
