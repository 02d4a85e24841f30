import type { Statement, StatementFormat } from '../../../src/contract/payments.ts'
import type { ReportCell, ReportColumn } from '../../../src/contract/reports/reportPreview.ts'
import { formatDay } from '../../../src/domain/singaporeTime.ts'
import type { Db } from '../../db/engine/Database.ts'
import { linesOf, statementsOf } from '../../db/payments/statements.ts'
import type { Deps } from '../../Deps.ts'
import { statementPdf } from '../../pdf/statementPdf.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import type { Fact, Report } from '../reports/Report.ts'
import { REPORT_WRITERS, type ReportFile } from '../reports/reportFile.ts'
import { noteWhenDelivered } from '../tables/readTable.ts'
import { isShare, statementFor } from './readPayments.ts'

interface Asked {
  month: string
  format: StatementFormat
}

/** Makes the statement of a month as a file. Throws Refusal NOT_FOUND when the actor's scope has none. */
export async function statementFile(deps: Deps, actor: Actor, { month, format }: Asked): Promise<ReportFile> {
  const report = await statementReport(deps, actor, month)
  const { contentType, pieces } = WRITERS[format]
  const entry = {
    action: 'report.downloaded' as const,
    subject: { type: 'report' as const, id: 'statement', name: report.name },
    details: { format, rows: report.rowCount },
  }
  return {
    filename: `${report.name}.${format}`,
    contentType,
    pieces: noteWhenDelivered(deps, actor, entry, pieces(report)),
    release: report.close,
  }
}

const WRITERS = {
  csv: REPORT_WRITERS.csv,
  pdf: { contentType: 'application/pdf', pieces: pdfPieces },
} satisfies Record<StatementFormat, (typeof REPORT_WRITERS)['csv']>

async function* pdfPieces({ name, facts, columns, rows }: Report): AsyncGenerator<Uint8Array, void, void> {
  const all: ReportCell[][] = []
  for await (const batch of rows) all.push(...batch)
  yield await statementPdf({ name, facts, columns, rows: all })
}

const COLUMNS: ReportColumn[] = [
  { label: 'Month', type: 'month' },
  { label: 'Branch', type: 'text' },
  { label: 'What', type: 'text' },
  { label: 'Vouchers', type: 'count' },
  { label: 'Amount', type: 'money' },
]

/** Returns the statement as a report, whose rows add up to its total. It is small: a row for each branch, and one for each correction. */
async function statementReport(deps: Deps, actor: Actor, month: string): Promise<Report> {
  const { statement, lines } = await deps.database.db.transaction((tx: Db) => readStatement(tx, actor, month), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
  const broughtForward = statement.brought_forward_cents
  const rows: ReportCell[][] = [
    ...lines.map(({ redeemedMonth, branchName, vouchers, cents }): ReportCell[] => {
      return [redeemedMonth, branchName, redeemedMonth < month ? 'Correction' : 'Redeemed', vouchers, cents]
    }),
    ...(broughtForward === 0 ? [] : [[month, '', 'Brought forward', 0, broughtForward]]),
  ]
  return {
    name: `Statement, ${month}`,
    facts: factsOf(actor, statement),
    columns: COLUMNS,
    rowCount: rows.length,
    total: { count: statement.vouchers, cents: statement.total_cents },
    rows: once(rows),
    close: () => Promise.resolve(),
    closed: Promise.resolve(),
  }
}

// oxlint-disable-next-line typescript/require-await -- a report is read in batches
async function* once(rows: ReportCell[][]): Report['rows'] {
  yield rows
}

async function readStatement(db: Db, { scope }: Actor, month: string) {
  const found = (await statementsOf(db, scope, { month }))[0]
  if (!found) throw new Refusal('NOT_FOUND')
  return { statement: statementFor(scope, found), lines: await linesOf(db, scope, month) }
}

function factsOf({ organisation, scope }: Actor, statement: Statement): Fact[] {
  const text = (label: string, value: string): Fact => ({ label, value, type: 'text' })
  const money = (label: string, value: number): Fact => ({ label, value, type: 'money' })
  const { due_on: dueOn, paid_on: paidOn } = statement
  return [
    text('Report', 'Statement'),
    text('Organisation', organisation.name),
    text('Merchant', organisation.merchantId),
    { label: 'Month', value: statement.month, type: 'month' },
    text('Time zone', 'Singapore time, UTC+8'),
    text('Branches', isShare(scope) ? 'The branches of this master' : 'All branches'),
    { label: 'Made at', value: statement.made_at, type: 'instant' },
    text('Due', dueOn === null ? 'Nothing to pay' : formatDay(dueOn)),
    text('Paid on', paidOn !== null ? formatDay(paidOn) : dueOn === null ? '' : 'Not paid yet'),
    text('Reference', statement.reference ?? ''),
    { label: 'Vouchers', value: statement.vouchers, type: 'count' },
    money('Redeemed', statement.redeemed_cents),
    money('Corrections', statement.corrections_cents),
    money('Brought forward', statement.brought_forward_cents),
    money('Total', statement.total_cents),
  ]
}
