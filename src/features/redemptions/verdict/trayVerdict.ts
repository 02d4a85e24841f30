import type { Connection } from '../../../blocks/connectivity/connectivityTitle.ts'
import { takenOff } from '../../../domain/bill.ts'
import { formatCents } from '../../../domain/money.ts'
import { pluralize } from '../../../domain/quantities.ts'
import { countsAsRedeemed, isAtRisk, isVoiding, sumCents, type TillRow } from '../../../offline/store/till.ts'
import { lostText, redemptionVerdict } from './redemptionVerdict.ts'
import type { Verdict } from './Verdict.ts'

/**
 * One verdict on all vouchers of a tray, by what the device knows of them now: what comes off the bill, and the word of the voucher that
 * needs a person most. `bill`: what was to pay, in cents, if anybody typed it.
 */
export function trayVerdict(rows: readonly TillRow[], connection: Connection, bill: number | undefined): Verdict {
  const [first, ...others] = rows
  if (first && others.length === 0) {
    return redemptionVerdict(first, connection, takenOff(bill, first.denomination_cents ?? 0))
  }
  const counted = rows.filter((row) => countsAsRedeemed(row) && !isVoiding(row))
  // A voucher that its cashier voided needs nobody, as long as others stand.
  const leading = rows.toSorted((one, other) => rankOf(one) - rankOf(other))[0]!
  const single = redemptionVerdict(leading, connection)
  const worth = sumCents(counted)
  const { off, lost } = takenOff(bill, worth)
  const vouchers = `${pluralize(counted.length, 'voucher')}, ${formatCents(worth)},`
  const have = counted.length === 1 ? 'has' : 'have'
  const accepted = `“Your ${vouchers} ${have} been accepted.${lost > 0 ? ` We cannot give change for ${formatCents(lost)}.` : ''}”`
  const isWhole = counted.length === rows.length
  const alike = rows.filter((row) => rankOf(row) === rankOf(leading)).length
  return {
    ...single,
    say: counted.length === 0 ? allGone(rows, single) : sayOf(off, lost, isWhole),
    cents: worth,
    happened:
      leading.state === 'receipted' && alike === rows.length
        ? `${pluralize(rows.length, 'voucher')} were redeemed, and each has a receipt.`
        : `${alike} of ${pluralize(rows.length, 'voucher')}: ${single.happened}`,
    tell: counted.length === 0 || needsPerson(leading) ? single.tell : accepted,
  }
}

function sayOf(off: number, lost: number, isWhole: boolean): string {
  const take = `Take ${isWhole ? '' : 'only '}${formatCents(off)} off the bill.`
  return lost > 0 ? `${take} ${lostText(lost)}` : take
}

/** None of them counts any more. */
function allGone(rows: readonly TillRow[], { say }: Verdict): string {
  if (rows.some(isVoiding)) return say
  const worth = formatCents(sumCents(rows))
  return rows.every(({ state }) => state === 'voided' || state === 'cancelling' || state === 'gone')
    ? `Put ${worth} back on the bill.`
    : `Do not take ${worth} off the bill.`
}

const needsPerson = (row: TillRow) => rankOf(row) < 2

/** The lower, the more it needs a person. */
function rankOf(row: TillRow): number {
  if (isVoiding(row)) return 0
  if (row.state === 'attention' || row.state === 'lost') return 1
  if (isAtRisk(row)) return 2
  if (row.state === 'confirmed') return 3
  return row.state === 'receipted' ? 4 : 5
}

export const lineWord = (row: TillRow, connection: Connection): string => {
  const { word } = redemptionVerdict(row, connection)
  return row.state === 'receipted' && !isVoiding(row) ? (row.receipt?.receipt_number ?? word) : word
}
