/** How often something is measured, and for how long each time. */
export interface Bench {
  runs: number
  seconds: number
}

/** What a measured thing stands beside. */
interface Baseline {
  baseline: number
  unit: string
  /** What `baseline` was measured on. */
  against: string
}

/** One measured thing beside the baseline of the same run. */
export interface Comparison extends Baseline {
  what: string
  product: number
  /** The ratio product / baseline that is asked for (docs/RULES.md, 18), `≤ 1.35` or the like; none for what is only shown. */
  goal?: string
  p99?: { product: number; baseline?: number }
}

export const row = (
  what: string,
  product: number,
  beside: Baseline,
  goal?: Comparison['goal'],
  p99?: Comparison['p99'],
): Comparison => ({ what, product, ...beside, goal, p99 })

/** What a rule of docs/RULES.md asks for. */
export const asked = (rule: string, baseline: number, unit: string): Baseline => ({
  baseline,
  unit,
  against: `what is asked (rule ${rule})`,
})

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
const latency = (milliseconds: number | undefined) => (milliseconds === undefined ? '' : milliseconds.toFixed(1))

/** The comparisons as a table of Markdown, ratio first. */
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
