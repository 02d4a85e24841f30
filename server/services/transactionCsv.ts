import { stringify } from 'csv-stringify/sync'
import type { TransactionReportRequest } from '../../src/contract/report.ts'
import { centsAsDecimal } from '../../src/domain/money.ts'
import { formatDayRange, formatTimeWithSeconds, singaporeDay } from '../../src/domain/singaporeTime.ts'
import type { LedgerRow } from '../db/redemptions.ts'
import type { Actor } from './Actor.ts'
import { receiptNumber } from './receiptNumber.ts'
import type { NamedFilters } from './transactionReport.ts'

/** Excel reads a file without it in the code page of the machine. */
const BYTE_ORDER_MARK = '\uFEFF'

const COLUMNS = ['Date used', 'Receipt number', 'Serial number', 'Denomination', 'Branch', 'POS user']

/** Lines as RFC 4180 CSV. A cell that a spreadsheet would run as a formula gets an apostrophe in front (cases TBL-11). */
export const toCsv = (lines: string[][]): string =>
  stringify(
    lines.map((line) => line.map(defuseIndented)),
    // Quotes a lone line break too: csv-stringify itself looks for the record delimiter only.
    { escape_formulas: true, record_delimiter: 'windows', quoted_match: /[\r\n]/ },
  )

/** Some spreadsheets trim before they look, which csv-stringify does not reckon with. */
const defuseIndented = (cell: string) => (/^\s+[=+\-@]/.test(cell) ? `'${cell}` : cell)

/** `2026-11-21 09:38:07`, Singapore time: sorts as text, and every spreadsheet reads it. */
const timestamp = (at: Date) => `${singaporeDay(at)} ${formatTimeWithSeconds(at)}`

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
    ['Requested at', timestamp(now)],
    ['Rows', String(total.rows)],
    ['Total', centsAsDecimal(total.cents)],
  ]
  return `${BYTE_ORDER_MARK}${toCsv(facts)}\r\n${toCsv([COLUMNS])}`
}

export const transactionLine = (row: LedgerRow): string[] => [
  timestamp(row.redeemedAt),
  receiptNumber(row.receiptNo),
  row.serial,
  centsAsDecimal(row.amountCents),
  row.branchName,
  row.posUsername,
]
