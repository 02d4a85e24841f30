import type { ReactNode } from 'react'
import type { ReportRequest } from '../../contract/reports/report.ts'
import type { ReportCell, ReportColumn, ReportPreview } from '../../contract/reports/reportPreview.ts'
import { formatCents } from '../../domain/money.ts'
import { formatCount, pluralize } from '../../domain/quantities.ts'
import { formatMonth, formatShortDay, formatTime } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { cellClass, headClass, ROW, type Column } from '../../ui/table/tableColumn.ts'
import { Table } from '../../ui/table/TableHead.tsx'

/** The place of each column in the two lines of a row on a phone. A phone does not show the other columns. */
const FOLDS: Record<ReportRequest['report'], Record<string, Column<never>['fold']>> = {
  transaction: { 'Serial number': 't1', Denomination: 'v1', 'Date used': 't2', Branch: 'v2' },
  monthly: { Branch: 't1', Amount: 'v1', Month: 't2', Denomination: 'v2' },
  daily: { Branch: 't1', Amount: 'v1', 'POS user': 't2', Denomination: 'v2' },
}

interface Props {
  report: ReportRequest['report']
  preview: ReportPreview
}

/** The first rows of the file. */
export function PreviewRows({ report, preview }: Props) {
  const { columns, rows, row_count } = preview
  return (
    <>
      <div className="@container overflow-x-auto border-t border-border print:overflow-visible">
        <Table label="First rows of the report" fold>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.label} scope="col" className={`${headClass(looksOf(column))} ${narrowClass(column)}`}>
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          {/* The cells are names, numbers and amounts of the file. */}
          <tbody translate="no">
            {rows.map((row, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows of a report have no id, and their order never changes
              <tr key={index} className={ROW}>
                {columns.map((column, columnIndex) => (
                  <td
                    key={column.label}
                    className={`${cellClass(looksOf(column, FOLDS[report][column.label]))} ${narrowClass(column)}`}
                  >
                    {cellOf(row, columnIndex, columns)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
      <div
        className="flex min-h-12 flex-wrap items-center gap-x-4 border-t border-border py-1 pr-2 pl-4 text-muted"
        data-table-foot
      >
        <span>{rangeText(rows.length, row_count)}</span>
        {rows.length < row_count && <span className="hidden print:inline">See the file for all of them.</span>}
      </div>
    </>
  )
}

/** On a phone the count is shown before the denomination: `5 × $10.00`. */
function cellOf(row: readonly ReportCell[], columnIndex: number, columns: readonly ReportColumn[]): ReactNode {
  const column = columns[columnIndex]!
  const text = previewCell(row[columnIndex] ?? '', column)
  const count = row[columns.findIndex(({ label }) => label === 'Count')]
  if (column.label !== 'Denomination' || typeof count !== 'number') return text
  return (
    <>
      <span className="hidden phone:inline-flex">{`${formatCount(count)} ×\u00A0`}</span>
      <span>{text}</span>
    </>
  )
}

const rangeText = (shown: number, all: number) =>
  shown < all ? `First ${shown} of ${formatCount(all)} rows` : pluralize(all, 'row')

const isNumber = ({ type }: ReportColumn) => type === 'money' || type === 'count'

const isShort = ({ label, type }: ReportColumn) => type !== 'text' || label === 'Serial number'

const looksOf = (column: ReportColumn, fold?: Column<never>['fold']) => ({
  ...(isNumber(column) ? { align: 'right' as const } : {}),
  ...(isShort(column) ? { nowrap: true as const } : {}),
  ...(fold ? { fold } : {}),
})

/** Hides the least important columns if the table is too narrow: beside the form, not all eight fit. */
const HIDDEN_IF_NARROW: Record<string, string> = {
  'Receipt number': 'print:table-cell! @max-[46rem]:hidden',
  'Recorded at': 'print:table-cell! @max-[64rem]:hidden',
  Late: 'print:table-cell! @max-[64rem]:hidden',
}

const narrowClass = ({ label }: ReportColumn) => HIDDEN_IF_NARROW[label] ?? ''

/** Formats a cell for people. The file formats the same cell for spreadsheets. */
function previewCell(cell: ReportCell, { label, type }: ReportColumn): string {
  if (typeof cell === 'number') return type === 'money' ? formatCents(cell) : formatCount(cell)
  if (type === 'instant') return shortInstant(new Date(cell))
  if (type === 'month') return formatMonth(cell)
  return label === 'Serial number' ? formatSerial(cell) : cell
}

/** Leaves out the year, because the period shows it. */
const shortInstant = (at: Date) => `${formatShortDay(at)}, ${formatTime(at)}`
