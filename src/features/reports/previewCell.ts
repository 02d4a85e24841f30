import type { ReportCell, ReportColumn } from '../../contract/reports/reportPreview.ts'
import { formatCount } from '../../domain/counted.ts'
import { formatCents } from '../../domain/money.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { formatMonth, formatShortDay, formatTime } from '../../domain/singaporeTime.ts'

/** A cell of a report as the screen writes it; the file has it in a form that spreadsheets read. */
export function previewCell(cell: ReportCell, { label, type }: ReportColumn): string {
  if (typeof cell === 'number') return type === 'money' ? formatCents(cell) : formatCount(cell)
  if (type === 'instant') return shortInstant(new Date(cell))
  if (type === 'month') return formatMonth(cell)
  return label === 'Serial number' ? formatSerial(cell) : cell
}

/** The year is in the period. */
const shortInstant = (at: Date) => `${formatShortDay(at)}, ${formatTime(at)}`
