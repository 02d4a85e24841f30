/** How often something is measured, and for how long each time. */
export interface Bench {
  runs: number
  seconds: number
}

/** One measured thing beside the baseline of the same run. */
export interface Comparison {
  what: string
  product: number
  baseline: number
  /** What `baseline` was measured on. */
  against: string
  unit: string
  /** The ratio product / baseline that is asked for (docs/RULES.md, 18), `≤ 1.35` or the like; none for what is only shown. */
  goal?: string | undefined
  p99?: { product: number; baseline?: number }
}

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
const latency = (milliseconds: number | undefined) => (milliseconds === undefined ? '' : milliseconds.toFixed(1))

/** The comparisons as a table of Markdown, ratio first. */
export function table(comparisons: Comparison[]): string {
  const head = ['ratio', 'goal', '', 'product', 'baseline', 'unit', 'p99 ms', 'of baseline', 'against']
  const rows = comparisons.map((row) => [
    (row.product / row.baseline).toFixed(2),
    row.goal ?? '',
    row.what,
    number(row.product),
    number(row.baseline),
    row.unit,
    latency(row.p99?.product),
    latency(row.p99?.baseline),
    row.against,
  ])
  const widths = head.map((title, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? title).length)))
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
