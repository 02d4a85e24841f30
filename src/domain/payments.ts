import type { Payments, Statement } from '../contract/payments.ts'
import { formatCents } from './money.ts'
import { formatFullDay, singaporeDay, startOfDay } from './singaporeTime.ts'

/** True if the statement is to be paid and was not yet. */
export const isOpen = ({ due_on, paid_on }: Pick<Statement, 'due_on' | 'paid_on'>): boolean =>
  due_on !== null && paid_on === null

/** Returns for example "You will be paid $3,540.00 by 30 December for November". After the due day it only says when that was. */
export function openSentence({ month, total_cents, due_on }: Statement, isShare: boolean, today: string): string {
  const [amount, due, of] = [formatCents(total_cents), dayNear(due_on!, today), monthNear(month, today)]
  if (due_on! < today)
    return `${isShare ? 'Your branches’ share' : 'Your payment'} of ${amount} for ${of} was due on ${due}`
  return `${isShare ? 'Your branches' : 'You'} will be paid ${amount} by ${due} for ${of}`
}

/** Returns for example "You were paid $3,540.00 on 28 December for November". */
export const paidSentence = ({ month, total_cents, paid_on }: Statement, isShare: boolean, today: string): string =>
  `${isShare ? 'Your branches' : 'You'} were paid ${formatCents(total_cents)} on ${dayNear(paid_on!, today)} for ${monthNear(month, today)}`

/** Returns for example "The first statement comes on 2 December, for November". */
export function nextSentence({ statements, next: { month, closes_at }, as_of }: Payments): string {
  const today = singaporeDay(new Date(as_of))
  const which = statements.length === 0 ? 'first' : 'next'
  return `The ${which} statement comes on ${dayNear(singaporeDay(new Date(closes_at)), today)}, for ${monthNear(month, today)}`
}

const NEAR_DAYS = 300

/** Leaves the year out of a day that is less than ten months away. */
function dayNear(day: string, today: string): string {
  const text = formatFullDay(startOfDay(day))
  const days = Math.abs(startOfDay(day).getTime() - startOfDay(today).getTime()) / 86_400_000
  return days < NEAR_DAYS ? text.replace(/ \d{4}$/, '') : text
}

const monthNear = (month: string, today: string): string => dayNear(`${month}-01`, today).replace(/^1 /, '')
