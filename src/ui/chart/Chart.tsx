import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '../Button.tsx'
import { cellClass, headClass } from '../table/tableColumn.ts'
import { Table } from '../table/TableHead.tsx'
import {
  axisSteps,
  chartSummary,
  describeExtremes,
  PERIOD_BEFORE,
  describePoint,
  withoutZeroCents,
  type ChartData,
} from './chartData.ts'

/**
 * A bar chart, with the period before as dashes. It has one tab stop: arrow keys, Home and End move from point to point, and a
 * screen reader announces the point. A button shows the same numbers as a table below; a point is marked in both.
 */
export function Chart(data: ChartData) {
  const [withTable, setWithTable] = useState(false)
  const [active, setActive] = useState<number>()
  // Only points reached by keys are announced: a pointer passes over too many bars.
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
    show(next, next === undefined ? '' : describePoint(data, next).join('. '))
  }
  return (
    <div className="grid grid-cols-1 gap-2">
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
        <Bars data={data} active={active} onActive={show} />
      </div>
      <div className="sr-only" role="status">
        {said}
      </div>
      <Button variant="quiet" className="-mb-2 justify-self-end print:hidden" onClick={() => setWithTable(!withTable)}>
        {withTable ? 'Hide table' : 'Show table'}
      </Button>
      {withTable && <ChartTable data={data} active={active} onActive={show} />}
    </div>
  )
}

interface BarsProps {
  data: ChartData
  /** The index of the point under the pointer or the keys, in the chart or its table. */
  active: number | undefined
  onActive: (index: number | undefined) => void
}

/** More labels do not fit side by side. Then only the first, the middle and the last are shown. */
const MOST_LABELS = 8

/** The drawing, hidden from screen readers. The text of the active point is above it, where it covers no bar. */
function Bars({ data, active, onActive }: BarsProps) {
  const { points, format, before, nowIndex, proof } = data
  const steps = axisSteps(Math.max(0, ...points.map(({ value }) => value), ...(before ?? [])))
  const top = steps.at(-1) || 1
  const percentOf = (value: number) => `${(value / top) * 100}%`
  const isDense = points.length > MOST_LABELS
  const labelled = isDense ? [0, Math.floor(points.length / 2), points.length - 1] : [...points.keys()]
  return (
    <div className="grid grid-cols-1 gap-2 text-xs [print-color-adjust:exact]" aria-hidden="true" data-plot>
      <p className="min-h-5 text-sm text-muted">
        {active === undefined ? describeExtremes(points, format) : describePoint(data, active).join(', ')}
      </p>
      <div className="relative mt-4 h-[12rem]">
        {steps.map((step) => (
          <div key={step} className="absolute inset-x-0 border-t border-chart-grid" style={{ bottom: percentOf(step) }}>
            <span className="absolute bottom-0 left-0 text-muted">{step > 0 && withoutZeroCents(format(step))}</span>
          </div>
        ))}
        <div
          className="absolute inset-y-0 right-0 left-12 flex"
          // A lifted finger also leaves the chart, but then the user wants to read.
          onPointerLeave={({ pointerType }) => pointerType !== 'touch' && onActive(undefined)}
        >
          {points.map(({ label, value }, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the keys are those of the chart
            <div
              key={label}
              className={`relative min-w-0 flex-1 ${index === active ? 'bg-surface-hover' : ''} ${proof ? 'cursor-pointer' : ''}`}
              onPointerEnter={() => onActive(index)}
              onClick={() => proof?.open(index)}
              data-bar
            >
              <div
                className={`absolute inset-x-[15%] bottom-0 mx-auto max-w-12 rounded-t-[2px] ${nowIndex === undefined || index === nowIndex ? 'bg-chart-now' : 'bg-chart-soft'}`}
                style={{ height: percentOf(value) }}
              />
              {before && (
                <div
                  className="absolute inset-x-0 border-t-2 border-dashed border-chart-before"
                  style={{ bottom: percentOf(before[index] ?? 0) }}
                />
              )}
            </div>
          ))}
        </div>
      </div>
      <div className={`ml-12 flex gap-1 text-muted ${isDense ? 'justify-between' : ''}`}>
        {labelled.map((at) => (
          <span key={at} className={isDense ? '' : 'min-w-0 flex-1 truncate text-center'}>
            {points[at]!.label}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Moves to the next point and stops at the ends. The first press of an arrow goes to the newest point. */
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

/** The numbers of a chart as a table. The row of the active point is marked, and rolled into view. */
function ChartTable({ data, active, onActive }: BarsProps) {
  const { label, points, format, before, beforeName = PERIOD_BEFORE, nowIndex, proof } = data
  const marked = useRef<HTMLTableRowElement>(null)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const row = marked.current
    // Not `scrollIntoView`, which would also roll the page away from the pointer.
    if (row && box.current && !row.matches(':hover, :focus-within')) {
      box.current.scrollTop = row.offsetTop - box.current.clientHeight / 2
    }
  }, [active])
  return (
    <div
      ref={box}
      className="relative max-h-[20rem] overflow-y-auto print:max-h-none"
      onPointerLeave={() => onActive(undefined)}
    >
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
            <tr
              key={point.label}
              ref={index === active ? marked : undefined}
              className={index === active ? 'bg-surface-hover' : ''}
              data-active={index === active || undefined}
              onPointerEnter={() => onActive(index)}
              onFocus={() => onActive(index)}
            >
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
    </div>
  )
}

const VALUE = { align: 'right' } as const

const MARKS = {
  bars: 'size-3 rounded-[2px] bg-chart-soft',
  now: 'size-3 rounded-[2px] bg-chart-now',
  before: 'w-3 border-t-2 border-dashed border-chart-before',
} as const

/** The legend of a chart's colours. */
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
