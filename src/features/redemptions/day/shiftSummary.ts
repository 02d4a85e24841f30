import type { PrintedReceipt, ReceiptLine } from '../../../blocks/vouchers/receipt.ts'
import { receiptHead } from '../../../blocks/vouchers/receipt.ts'
import type { User } from '../../../contract/accounts/user.ts'
import { formatCents } from '../../../domain/money.ts'
import { pluralize } from '../../../domain/quantities.ts'
import { formatDay, formatInstant, formatTime } from '../../../domain/singaporeTime.ts'
import { PROGRAMME } from '../../../domain/vouchers.ts'
import { isRedeemed, sumOfEntries, type DayEntry, type DayState, type MyDayNow } from './useMyDay.ts'

/** Returns count and sum by denomination and by state at the end of a shift, to compare with the paper vouchers. */
export function shiftSums(entries: readonly DayEntry[]): ReceiptLine[] {
  const redeemed = entries.filter(isRedeemed)
  const denominations = [...new Set(redeemed.map(({ denomination_cents }) => denomination_cents))].toSorted(
    (a, b) => a - b,
  )
  const entriesIn = (state: DayState) => entries.filter((entry) => entry.state === state)
  const outsideTotal = OUTSIDE_TOTAL.filter(([, state]) => entriesIn(state).length > 0)
  return [
    ...denominations.map((cents): ReceiptLine => {
      const each = redeemed.filter(({ denomination_cents }) => denomination_cents === cents)
      return [formatCents(cents), countAndSum(each)]
    }),
    ['Total', countAndSum(redeemed)],
    ['Of it waiting for upload', countAndSum(entriesIn('Uploading'))],
    ...outsideTotal.map(([name, state]): ReceiptLine => [name, countAndSum(entriesIn(state))]),
    ['Voided', countAndSum(entriesIn('Voided'))],
  ]
}

/** The states that the total does not include, with their names on paper. */
const OUTSIDE_TOTAL = [
  ['At the shop’s risk', 'At risk'],
  ['Lost', 'Lost'],
  ['Refused after upload', 'Refused after upload'],
  ['Being voided', 'Voiding'],
] as const satisfies readonly (readonly [string, DayState])[]

const countAndSum = (entries: readonly DayEntry[]) =>
  `${pluralize(entries.length, 'voucher')}, ${formatCents(sumOfEntries(entries))}`

interface Shift extends Pick<MyDayNow, 'day' | 'entries' | 'others'> {
  user: User
  /** The name of this till. */
  till: string | undefined
  now: Date
}

/** Returns the printed summary for the till, and for the manager who counts the paper vouchers. */
export function shiftSummary({ day, entries, others, user, till, now }: Shift): PrintedReceipt {
  const [first, last] = [entries.at(-1), entries[0]]
  const tills = [...new Set(entries.map((entry) => entry.till ?? till))].filter((name) => name !== undefined)
  return {
    from: receiptHead(user.organisation_name, user.branch_name),
    title: 'Shift summary',
    lines: [
      ['Cashier', user.login_name],
      [tills.length > 1 ? 'Tills' : 'Till', (tills.length > 0 ? tills : [till ?? '–']).join(', ')],
      ['Day', formatDay(day)],
      ...(first && last
        ? [['First voucher', formatTime(first.at)] as const, ['Last voucher', formatTime(last.at)] as const]
        : []),
      ['Printed', formatInstant(now)],
      ...(others instanceof Date ? [['Other tills as of', formatTime(others)] as const] : []),
      ...(others === 'none' ? [['Other tills', 'Not known here'] as const] : []),
      ...shiftSums(entries),
    ],
    note: PROGRAMME,
  }
}
