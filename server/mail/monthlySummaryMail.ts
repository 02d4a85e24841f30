import type { Sum } from '../../src/contract/reports/reportPreview.ts'
import { formatCents } from '../../src/domain/money.ts'
import { addMonths } from '../../src/domain/months.ts'
import { pluralize } from '../../src/domain/quantities.ts'
import { formatDay, formatMonth } from '../../src/domain/singaporeTime.ts'
import { addSums, EMPTY_SUM } from '../../src/domain/sums.ts'
import type { Attachment, NewMail } from '../db/mailOutbox.ts'
import type { MadeStatement } from '../db/payments/statements.ts'
import { daysAfter, mailPage, mailSubject, oneLine, type Figures, type Portal } from './mailPage.ts'

interface Summary {
  organisationId: string
  organisationName: string
  /** The recipient's, if it is known. */
  name: string | null
  month: string
  total: Sum
  /** The sum of the month before. */
  before: Sum
  /** The parts of `total` by the names of branches. */
  branches: ReadonlyMap<string, Sum>
  /** The statements that were made with it, the oldest first. */
  statements: readonly MadeStatement[]
  attachment: Attachment
}

const inWords = ({ count, cents }: Sum) => `${pluralize(count, 'voucher')} worth ${formatCents(cents)}`

function comparison({ month, total, before }: Pick<Summary, 'month' | 'total' | 'before'>): string {
  const monthBefore = `${formatMonth(addMonths(month, -1))}, the month before`
  if (before.count === 0) return `In ${monthBefore}, there were none.`
  const more = total.cents - before.cents
  const difference = more === 0 ? 'as much as' : `${formatCents(Math.abs(more))} ${more > 0 ? 'more' : 'less'} than`
  return `That is ${difference} in ${monthBefore} (${inWords(before)}).`
}

/** So many branches are named, those with the largest amounts. */
const NAMED_BRANCHES = 10

/** Returns nothing if there is only one branch, whose figures are the total. */
function figuresByBranch(branches: Summary['branches'], total: Sum): Figures[] {
  if (branches.size < 2) return []
  const sorted = [...branches].toSorted(([, one], [, other]) => other.cents - one.cents)
  const others = sorted.slice(NAMED_BRANCHES).map(([, sum]) => sum)
  const row = (name: string, { count, cents }: Sum): Figures[number] => [
    oneLine(name),
    pluralize(count, 'voucher'),
    formatCents(cents),
  ]
  return [
    [
      ...sorted.slice(0, NAMED_BRANCHES).map(([name, sum]) => row(name, sum)),
      ...(others.length === 0 ? [] : [row(`and ${pluralize(others.length, 'other')}`, others.reduce(addSums))]),
      row('Total', total),
    ],
  ]
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
    const sum = byMonth.get(redeemedMonth) ?? EMPTY_SUM
    byMonth.set(redeemedMonth, addSums(sum, { count: vouchers, cents }))
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
  { organisationId, organisationName: organisation, name, statements, attachment, ...figures }: Summary,
  now: Date,
): NewMail {
  const { month, total, branches } = figures
  const page = mailPage(portal, {
    about: { organisation, name },
    before: [
      `${oneLine(organisation)} redeemed ${inWords(total)} in ${formatMonth(month)}.`,
      comparison(figures),
      ...statements.flatMap(paymentLines),
      ...figuresByBranch(branches, total),
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
