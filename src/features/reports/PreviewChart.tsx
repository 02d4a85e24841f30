import { useMemo, useState } from 'react'
import type { ReportPreview } from '../../contract/reports/reportPreview.ts'
import { formatCents } from '../../domain/money.ts'
import { Chart } from '../../ui/chart/Chart.tsx'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { type Breakdown, BREAKDOWNS, breakdownLabel, previewPoints } from './previewPoints.ts'

const ID = 'preview-chart'

/** The same money over time, by branch and by denomination. */
export function PreviewChart({ preview, period }: { preview: ReportPreview; period: string }) {
  const [breakdown, setBreakdown] = useState<Breakdown>('time')
  const points = useMemo(() => previewPoints(preview, breakdown), [preview, breakdown])
  const words = (each: Breakdown) => breakdownLabel(each, preview.time_unit)
  return (
    <div className="pad">
      <Tabs
        id={ID}
        label="What the chart shows"
        tabs={BREAKDOWNS.map((key) => ({ key, label: words(key) }))}
        selected={breakdown}
        onSelect={setBreakdown}
      />
      <TabPanel id={ID} selected={breakdown}>
        <Chart label={`Redeemed ${words(breakdown).toLowerCase()}, ${period}`} points={points} format={formatCents} />
      </TabPanel>
    </div>
  )
}
