import type { ReactNode } from 'react'

export interface ChartPoint {
  /** The name of the point, also below it on the axis. */
  label: string
  value: number
}

export interface ChartData {
  /** The measured value, e.g. "Redeemed per day". */
  label: string
  points: readonly ChartPoint[]
  /** Formats a value; cents with `formatCents`. */
  format: (value: number) => string
  /** The values of the same points one period earlier, drawn as dashes. */
  before?: readonly number[] | undefined
  beforeName?: string | undefined
  /** The point that is not over yet, in the strong colour. */
  nowIndex?: number | undefined
  /** Leads to the records behind a value: a link in the table, and an action for a press on the bar or Enter. */
  proof?: { link: (index: number, words: string) => ReactNode; open: (index: number) => void } | undefined
}

export const PERIOD_BEFORE = 'Period before'

/** Describes the chart: first and last point, the lowest and the highest, and the one that is not over yet. */
export function chartSummary({ label, points, format, nowIndex }: ChartData): string {
  const finished = points.filter((_, index) => index !== nowIndex)
  const now = nowIndex === undefined ? undefined : points[nowIndex]
  const parts = [
    label,
    describeRange(points),
    describeExtremes(finished, format),
    now && `${now.label} so far ${format(now.value)}`,
  ]
  return `${parts.filter(Boolean).join('. ')}.`
}

function describeRange(points: readonly ChartPoint[]): string {
  const [first] = points
  const last = points.at(-1)
  if (!first || !last) return 'No values'
  return points.length === 1 ? first.label : `${points.length} values, ${first.label} to ${last.label}`
}

/** Names the lowest and the highest point. */
export function describeExtremes(points: readonly ChartPoint[], format: ChartData['format']): string | undefined {
  const sorted = points.toSorted((a, b) => a.value - b.value)
  const [lowest] = sorted
  const highest = sorted.at(-1)
  if (!lowest || !highest) return undefined
  if (lowest.value === highest.value) return `${points.length === 1 ? 'Value' : 'Each'} ${format(lowest.value)}`
  return `Lowest ${format(lowest.value)} (${lowest.label}), highest ${format(highest.value)} (${highest.label})`
}

/** Describes a point, and its value one period earlier. */
export function describePoint(
  { points, format, before, beforeName = PERIOD_BEFORE, nowIndex }: ChartData,
  index: number,
): string[] {
  const point = points[index]
  if (!point) return []
  const earlier = before?.[index]
  const value = `${point.label}${index === nowIndex ? ' so far' : ''}: ${format(point.value)}`
  return earlier === undefined ? [value] : [value, `${beforeName}: ${format(earlier)}`]
}

/** Removes `.00`, which says nothing on an axis. */
export const withoutZeroCents = (words: string): string => words.replace(/\.00$/, '')

/** The largest number of steps on the value axis. */
const MOST_STEPS = 4

/** Returns round values from 0 up to the first that is not below `highest`. They are whole numbers, because money is in cents. */
export function axisSteps(highest: number): number[] {
  if (highest <= 0) return [0]
  const step = roundStep(highest / MOST_STEPS)
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}

function roundStep(minimum: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(minimum)))
  const step = [1, 2, 2.5, 5, 10]
    .map((factor) => factor * power)
    .find((candidate) => candidate >= minimum && Number.isInteger(candidate))
  return step ?? 10 * power
}
