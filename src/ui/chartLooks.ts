/** What the tokens say at the moment, as a canvas wants it. */
export interface ChartTheme {
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
export function textMeasure(font: string): (words: string) => number {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return (words) => words.length * 8
  context.font = font
  return (words) => context.measureText(words).width
}
