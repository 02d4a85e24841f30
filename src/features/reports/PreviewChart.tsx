import { useMemo, useState } from 'react'
import type { ReportPreview } from '../../contract/reports/reportPreview.ts'
import { formatCents } from '../../domain/money.ts'
import { formatMonth, formatShortDay, formatTime, singaporeDay } from '../../domain/singaporeTime.ts'
import { Chart } from '../../ui/chart/Chart.tsx'
import type { ChartPoint } from '../../ui/chart/chartData.ts'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'

const ID = 'preview-chart'

/** The same money over time, by branch and by denomination. One bar compares nothing: it is left out, the total says the same. */
export function PreviewChart({ preview, period }: { preview: ReportPreview; period: string }) {
  const [chosen, setBreakdown] = useState<Breakdown>('time')
  const breakdowns = useMemo(() => BREAKDOWNS.filter((each) => previewPoints(preview, each).length > 1), [preview])
  const breakdown = breakdowns.includes(chosen) ? chosen : breakdowns[0]
  const points = useMemo(() => (breakdown ? previewPoints(preview, breakdown) : []), [preview, breakdown])
  if (!breakdown) return null
  const label = (each: Breakdown) => breakdownLabel(each, preview.time_unit)
  const chart = (
    <Chart label={`Redeemed ${label(breakdown).toLowerCase()}, ${period}`} points={points} format={formatCents} />
  )
  if (breakdowns.length === 1)
    return (
      <div className="p-4">
        <h3 className="mb-4">{label(breakdown)}</h3>
        {chart}
      </div>
    )
  return (
    <div className="p-4">
      <Tabs
        tight
        id={ID}
        label="What the chart shows"
        tabs={breakdowns.map((key) => ({ key, label: label(key) }))}
        selected={breakdown}
        onSelect={setBreakdown}
      />
      <TabPanel id={ID} selected={breakdown}>
        {chart}
      </TabPanel>
    </div>
  )
}

const BREAKDOWNS = ['time', 'branch', 'denomination'] as const

type Breakdown = (typeof BREAKDOWNS)[number]

const TIME_LABELS = { hour: 'hour', day: 'day', month: 'month' } as const

/** `By day`: what the bars stand for. */
const breakdownLabel = (breakdown: Breakdown, unit: ReportPreview['time_unit']): string =>
  `By ${breakdown === 'time' ? TIME_LABELS[unit] : breakdown}`

/** Money by hour, day or month, by branch, or by denomination. */
function previewPoints(preview: ReportPreview, breakdown: Breakdown): ChartPoint[] {
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
