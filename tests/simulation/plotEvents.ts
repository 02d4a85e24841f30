const HOUR = 3_600_000
/** Lines and columns that a plot takes. */
const ROWS = 24
const WIDTH = 40

/** How much happened in each hour of a world, from its beginning on. */
export function eventsPerHour(story: readonly string[]): number[] {
  const moments = story.map((line) => Date.parse(line.slice(0, 24))).filter((at) => !Number.isNaN(at))
  const counts: number[] = []
  for (const at of moments) {
    const hour = Math.floor((at - moments[0]!) / HOUR)
    counts[hour] = (counts[hour] ?? 0) + 1
  }
  return counts
}

/** All worlds together; of long ones, so many hours in one bar. */
export function plotEvents(worlds: readonly (readonly number[])[]): string[] {
  const hours = Math.max(1, ...worlds.map(({ length }) => length))
  const step = Math.ceil(hours / ROWS)
  const counts = Array.from({ length: Math.ceil(hours / step) }, () => 0)
  for (const world of worlds) for (const [hour, count = 0] of world.entries()) counts[Math.floor(hour / step)]! += count
  const most = Math.max(1, ...counts)
  return counts.map((count, row) => {
    const bar = '█'.repeat(Math.round((count / most) * WIDTH))
    return `hour ${String(row * step).padStart(4)} ${bar.padEnd(WIDTH)} ${count}`
  })
}

/** How far a world is, on one line. */
export function progressBar(seed: number, part: number): string {
  const done = Math.round(Math.min(1, part) * WIDTH)
  return `seed ${seed} ${'█'.repeat(done)}${'░'.repeat(WIDTH - done)} ${Math.floor(Math.min(1, part) * 100)}%`
}
