/** The number of runs of a measurement, and the seconds of each. */
export interface Bench {
  runs: number
  seconds: number
}

/** The value that a measurement is compared with. */
interface Baseline {
  baseline: number
  unit: string
  /** Names the thing that `baseline` was measured on. */
  against: string
}

/** A measured value and its baseline from the same run. */
export interface Comparison extends Baseline {
  what: string
  product: number
  /** The required ratio product / baseline (docs/RULES.md, 18), `≤ 1.35` or the like; missing where the row is only for information. */
  goal?: string
  p99?: { product: number; baseline?: number }
}

export const row = (
  what: string,
  product: number,
  beside: Baseline & Pick<Comparison, 'p99'>,
  goal?: Comparison['goal'],
): Comparison => ({ what, product, ...beside, goal })

/** A baseline that is the value required by a rule of docs/RULES.md. */
export const asked = (rule: string, baseline: number, unit: string): Baseline => ({
  baseline,
  unit,
  against: `what is asked (rule ${rule})`,
})

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
const latency = (milliseconds: number | undefined) => (milliseconds === undefined ? '' : milliseconds.toFixed(1))

/** Formats the comparisons as a Markdown table, ratio first. */
export function table(comparisons: Comparison[]): string {
  const head = ['ratio', 'goal', '', 'product', 'baseline', 'unit', 'p99 ms', 'of baseline', 'against']
  const rows = comparisons.map((one) => [
    (one.product / one.baseline).toFixed(2),
    one.goal ?? '',
    one.what,
    number(one.product),
    number(one.baseline),
    one.unit,
    latency(one.p99?.product),
    latency(one.p99?.baseline),
    one.against,
  ])
  const widths = head.map((title, column) =>
    Math.max(...[head, ...rows].map((cells) => (cells[column] ?? title).length)),
  )
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
