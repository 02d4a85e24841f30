import type { ReportPreview } from '../../contract/reports/reportPreview.ts'
import { formatCents } from '../../domain/money.ts'
import { formatMonth, formatShortDay, formatTime, singaporeDay } from '../../domain/singaporeTime.ts'
import type { ChartPoint } from '../../ui/chart/chartData.ts'

export const BREAKDOWNS = ['time', 'branch', 'denomination'] as const
export type Breakdown = (typeof BREAKDOWNS)[number]

const TIME_LABELS = { hour: 'hour', day: 'day', month: 'month' } as const

/** `By day`: what the bars stand for, as a choice. */
export const breakdownLabel = (breakdown: Breakdown, unit: ReportPreview['time_unit']): string =>
  `By ${breakdown === 'time' ? TIME_LABELS[unit] : breakdown}`

/** Money by hour, day or month, by branch, or by denomination. */
export function previewPoints(preview: ReportPreview, breakdown: Breakdown): ChartPoint[] {
  switch (breakdown) {
    case 'time':
      return preview.by_time.map(({ start, cents }) => ({ label: slotLabel(start, preview.time_unit), value: cents }))
    case 'branch':
      return preview.by_branch.map(({ name, cents }) => ({ label: name, value: cents }))
    case 'denomination':
      return preview.by_denomination.map(({ denomination_cents, cents }) => ({
        label: formatCents(denomination_cents),
        value: cents,
      }))
  }
}

function slotLabel(start: string, unit: ReportPreview['time_unit']): string {
  const at = new Date(start)
  if (unit === 'hour') return formatTime(at)
  return unit === 'day' ? formatShortDay(at) : formatMonth(singaporeDay(at).slice(0, 7))
}
