import type { TransactionReportRequest } from '../../src/contract/report.ts'
import { centsAsDecimal } from '../../src/domain/money.ts'
import { formatDayRange } from '../../src/domain/singaporeTime.ts'
import type { LedgerRow } from '../db/redemptions.ts'
import type { Actor } from './Actor.ts'
import { BYTE_ORDER_MARK, timestampCell, toCsv } from './csv.ts'
import { receiptNumber } from './receiptNumber.ts'
import type { NamedFilters } from './transactionReport.ts'

const COLUMNS = ['Date used', 'Receipt number', 'Serial number', 'Denomination', 'Branch', 'POS user']

interface Head {
  actor: Actor
  asked: TransactionReportRequest
  names: NamedFilters
  total: { rows: number; cents: number }
  now: Date
}

/** The first rows: what this file is about, who asked and what it adds up to; then the column names (DESIGN §2). */
export function reportHead({ actor, asked, names, total, now }: Head): string {
  const { denominationCents } = names
  const facts = [
    ['Report', 'Transaction Report'],
    ['Organisation', actor.organisation.name],
    ['Period', formatDayRange(asked.from, asked.to)],
    ['Time zone', 'Singapore time, UTC+8'],
    ['Branch', names.branch ?? 'All branches'],
    ['POS user', names.posUser ?? 'All POS users'],
    ['Denomination', denominationCents === null ? 'All denominations' : centsAsDecimal(denominationCents)],
    ['Requested by', actor.loginName],
    ['Requested at', timestampCell(now)],
    ['Rows', String(total.rows)],
    ['Total', centsAsDecimal(total.cents)],
  ]
  return `${BYTE_ORDER_MARK}${toCsv(facts)}\r\n${toCsv([COLUMNS])}`
}

export const transactionLine = (row: LedgerRow): string[] => [
  timestampCell(row.redeemedAt),
  receiptNumber(row.receiptNo),
  row.serial,
  centsAsDecimal(row.amountCents),
  row.branchName,
  row.posUsername,
]
