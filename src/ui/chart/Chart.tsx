import { lazy, Suspense, useMemo, useState, type KeyboardEvent } from 'react'
import { Button } from '../Button.tsx'
import { cellClass, headClass, ROW } from '../table/tableColumn.ts'
import { Table } from '../table/TableHead.tsx'
import { chartSummary, PERIOD_BEFORE, pointLines, type ChartData } from './chartData.ts'

/** Without its file there is no drawing, but still the numbers. */
const ChartPlot = lazy(() =>
  import('./ChartPlot.tsx').then(
    (chunk) => ({ default: chunk.ChartPlot }),
    () => ({ default: ({ data }: { data: ChartData }) => <ChartTable {...data} /> }),
  ),
)

/**
 * Bars, with the period before as a dashed line. One tab stop: arrows, Home and End go over the points, whose words are said.
 * The same numbers as a table are one press away.
 */
export function Chart({ label, points, format, before, beforeName, nowIndex, proof }: ChartData) {
  const data = useMemo(
    () => ({ label, points, format, before, beforeName, nowIndex, proof }),
    [label, points, format, before, beforeName, nowIndex, proof],
  )
  const [asTable, setAsTable] = useState(false)
  return (
    <div className="grid grid-cols-1 gap-2">
      {asTable ? <ChartTable {...data} /> : <Drawing data={data} />}
      <Button variant="quiet" className="-mb-2 justify-self-end" onClick={() => setAsTable(!asTable)}>
        {asTable ? 'Show as chart' : 'Show as table'}
      </Button>
    </div>
  )
}

function Drawing({ data }: { data: ChartData }) {
  const [active, setActive] = useState<number>()
  // Only what the keys reach is said: a pointer that passes over the bars would have no end of it.
  const [said, setSaid] = useState('')
  const show = (index: number | undefined, words = '') => {
    setActive(index)
    setSaid(words)
  }
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && active !== undefined) data.proof?.open(active)
    const next = pointAfter(event.key, active, data)
    if (next === active) return
    event.preventDefault()
    show(next, next === undefined ? '' : pointLines(data, next).join('. '))
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys go over the points */}
      <div
        className="rounded-1"
        role="application"
        aria-roledescription="chart"
        aria-label={chartSummary(data)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the one tab stop
        tabIndex={0}
        onKeyDown={move}
        onBlur={() => show(undefined)}
      >
        <Suspense fallback={<div className="h-[14rem]" />}>
          <ChartPlot data={data} active={active} onActive={(index) => show(index)} />
        </Suspense>
      </div>
      <div className="sr-only" role="status">
        {said}
      </div>
    </>
  )
}

/** The ends hold: a chart does not go round. The first press starts at the newest point, or at the end that was asked for. */
function pointAfter(key: string, active: number | undefined, { points }: ChartData): number | undefined {
  const last = points.length - 1
  if (last < 0) return undefined
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'Escape') return undefined
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return active
  if (active === undefined) return last
  return Math.min(last, Math.max(0, active + (key === 'ArrowRight' ? 1 : -1)))
}

/** The numbers of a chart, for whoever reads rather than looks. */
function ChartTable({ label, points, format, before, beforeName = PERIOD_BEFORE, nowIndex, proof }: ChartData) {
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th scope="col" className={headClass()}>
            <span className="sr-only">Point</span>
          </th>
          <th scope="col" className={headClass(VALUE)}>
            {label}
          </th>
          {before && (
            <th scope="col" className={headClass(VALUE)}>
              {beforeName}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {points.map((point, index) => (
          <tr key={point.label} className={ROW}>
            <th scope="row" className={headClass()}>
              {index === nowIndex ? `${point.label} so far` : point.label}
            </th>
            <td className={cellClass(VALUE)} translate="no">
              {proof ? proof.link(index, format(point.value)) : format(point.value)}
            </td>
            {before && (
              <td className={cellClass(VALUE)} translate="no">
                {format(before[index] ?? 0)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

const VALUE = { align: 'right' } as const

const MARKS = {
  bars: 'size-3 rounded-[2px] bg-chart-soft',
  now: 'size-3 rounded-[2px] bg-chart-now',
  before: 'w-3 border-t-2 border-dashed border-chart-before',
} as const

/** What the colours of a chart mean. */
export function ChartKey({ bars, now, before }: { bars: string; now?: string; before?: string }) {
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      <span className="flex items-center gap-2">
        <i className={MARKS.bars} />
        <span>{bars}</span>
      </span>
      {now && (
        <span className="flex items-center gap-2">
          <i className={MARKS.now} />
          <span>{now}</span>
        </span>
      )}
      {before && (
        <span className="flex items-center gap-2">
          <i className={MARKS.before} />
          <span>{before}</span>
        </span>
      )}
    </div>
  )
}
