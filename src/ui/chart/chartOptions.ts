import uPlot from 'uplot'
import { axisSteps, labelledPoints } from './chartAxis.ts'
import { withoutZeroCents, type ChartData } from './chartData.ts'

/** Of a bar's column; the rest is the gap to the next one. */
const BAR_SHARE = 0.65

const MOST_BAR = 48

/** A longer label is cut to its column, or to this many times the font's size; the table has it in full. */
const LEAST_LABEL = 5

const TICK_GAP = 8

/**
 * x is the number of the point; bars that are over, the bar that is not, and the line of the period before. Where no bar is set
 * apart from the others, all have the strong colour.
 */
export function chartColumns({ points, before, nowIndex }: ChartData): uPlot.AlignedData {
  const values = points.map(({ value }) => value)
  const isStrong = (index: number) => nowIndex === undefined || index === nowIndex
  const over = values.map((value, index) => (isStrong(index) ? null : value))
  const now = values.map((value, index) => (isStrong(index) ? value : null))
  return [values.map((_, index) => index), over, now, before ? [...before] : values.map(() => null)]
}

/** Colours are asked for at each drawing, so that a theme is only drawn anew. */
export function chartOptions(
  data: ChartData,
  looks: () => ChartTheme,
  size: { width: number; height: number },
): uPlot.Options {
  const { points, before } = data
  const steps = axisSteps(Math.max(0, ...points.map(({ value }) => value), ...(before ?? [])))
  const bars = uPlot.paths.bars!({ size: [BAR_SHARE, MOST_BAR], radius: [0.12, 0] as unknown as number })
  return {
    ...size,
    legend: { show: false },
    cursor: { show: false },
    padding: [TICK_GAP, Math.ceil(looks().fontSize * 1.5), 0, 0],
    scales: {
      x: { time: false, range: () => [-0.5, points.length - 0.5] },
      y: { range: () => [0, steps.at(-1) || 1] },
    },
    series: [
      {},
      { paths: bars, fill: () => looks().soft, width: 0, points: { show: false } },
      { paths: bars, fill: () => looks().now, width: 0, points: { show: false } },
      { stroke: () => looks().before, width: 1.5, dash: [3, 3], points: { show: false } },
    ],
    axes: [pointAxis(data, looks), valueAxis(data, looks, steps)],
  }
}

function pointAxis({ points }: ChartData, looks: () => ChartTheme): uPlot.Axis {
  const { font, fontSize } = looks()
  const measure = textMeasure(font)
  const longest = Math.max(0, ...points.map(({ label }) => measure(label)))
  const width = ({ bbox }: uPlot) => bbox.width / uPlot.pxRatio
  const room = (plot: uPlot) =>
    Math.min(longest, Math.max(width(plot) / points.length - fontSize / 2, LEAST_LABEL * fontSize))
  return {
    font,
    stroke: () => looks().text,
    grid: { show: false },
    ticks: { show: false },
    gap: TICK_GAP,
    size: Math.ceil(fontSize * 2),
    splits: (plot) => labelledPoints(points.length, Math.floor(width(plot) / (room(plot) + fontSize / 2))),
    values: (plot, at) => at.map((index) => shortened(points[index]?.label ?? '', room(plot), measure)),
  }
}

function valueAxis({ format }: ChartData, looks: () => ChartTheme, steps: number[]): uPlot.Axis {
  const { font } = looks()
  const measure = textMeasure(font)
  const words = steps.map((step) => withoutZeroCents(format(step)))
  return {
    font,
    stroke: () => looks().text,
    grid: { stroke: () => looks().grid, width: 1 },
    ticks: { show: false },
    gap: TICK_GAP,
    size: Math.ceil(Math.max(...words.map(measure))) + TICK_GAP,
    splits: () => steps,
    values: () => words,
  }
}

function shortened(words: string, room: number, measure: (words: string) => number): string {
  if (measure(words) <= room) return words
  let kept = words
  while (kept && measure(`${kept}…`) > room) kept = kept.slice(0, -1)
  return `${kept.trimEnd()}…`
}

/** What the tokens say at the moment, as a canvas wants it. */
interface ChartTheme {
  now: string
  soft: string
  before: string
  grid: string
  text: string
  /** `12px Inter`: with the person's own text size in it. */
  font: string
  fontSize: number
}

export function chartTheme(host: HTMLElement): ChartTheme {
  const style = getComputedStyle(host)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    now: token('--chart-now'),
    soft: token('--chart-soft'),
    before: token('--chart-before'),
    grid: token('--chart-grid'),
    text: token('--text-muted'),
    font: `${style.fontSize} ${style.fontFamily}`,
    fontSize: Number.parseFloat(style.fontSize),
  }
}

/** How wide words are in the chart's font, in CSS pixels. */
function textMeasure(font: string): (words: string) => number {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return (words) => words.length * 8
  context.font = font
  return (words) => context.measureText(words).width
}
