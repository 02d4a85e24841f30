import type { ReportCell, ReportColumn } from '../../contract/reportPreview.ts'
import { formatCents } from '../../domain/money.ts'
import { formatSerial } from '../../domain/serialNumber.ts'
import { formatDay, formatMonth, formatTime } from '../../domain/singaporeTime.ts'

const COUNT = new Intl.NumberFormat('en-SG')
export const formatCount = (count: number): string => COUNT.format(count)

/** A cell of a report as the screen writes it; the file has it in a form that spreadsheets read. */
export function previewCell(cell: ReportCell, { label, type }: ReportColumn): string {
  if (typeof cell === 'number') return type === 'money' ? formatCents(cell) : formatCount(cell)
  if (type === 'instant') return shortInstant(new Date(cell))
  if (type === 'month') return formatMonth(cell)
  return label === 'Serial number' ? formatSerial(cell) : cell
}

/** The year is in the period. */
const shortInstant = (at: Date) => `${formatDay(at).replace(/ \d{4}$/, '')}, ${formatTime(at)}`
