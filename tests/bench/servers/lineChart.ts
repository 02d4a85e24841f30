export interface Line {
  name: string
  points: { x: number; y: number }[]
}

interface Chart {
  title: string
  x: string
  y: string
  lines: Line[]
}

const SIZE = { width: 720, height: 360, left: 64, right: 190, top: 40, bottom: 48 }
/** Told apart by dashes as well, in print and by who sees no colours. */
const LOOKS = ['#0f766e', '#b45309', '#1d4ed8', '#be123c'].map((colour, n) => ({
  colour,
  dashes: ['', '6 4', '2 3', '8 3 2 3'][n]!,
}))
const TICKS = 5

/** A chart as SVG, its x axis by doublings: so many tills, and twice as many. Its background is white, whatever the page's is. */
export function lineChart({ title, x, y, lines }: Chart): string {
  const places = [...new Set(lines.flatMap(({ points }) => points.map((point) => point.x)))].toSorted((a, b) => a - b)
  const most = roundUp(Math.max(...lines.flatMap(({ points }) => points.map((point) => point.y))))
  const [right, bottom] = [SIZE.width - SIZE.right, SIZE.height - SIZE.bottom]
  const doublings = Math.log2(places.at(-1)! / places[0]!)
  const across = (value: number) => SIZE.left + ((right - SIZE.left) * Math.log2(value / places[0]!)) / doublings
  const up = (value: number) => bottom - ((bottom - SIZE.top) * value) / most
  const rules = Array.from({ length: TICKS + 1 }, (_, n) => (most * n) / TICKS).map(
    (value) =>
      `<path d="M${SIZE.left} ${at(up(value))}H${right}" stroke="#d6d3d1"/>` +
      text(SIZE.left - 8, up(value) + 4, value.toLocaleString('en'), 'end'),
  )
  const names = places.map((value) => text(across(value), bottom + 18, String(value), 'middle'))
  const drawn = lines.map(({ name, points }, n) => {
    const { colour, dashes } = LOOKS[n % LOOKS.length]!
    const path = points.map((point, place) => `${place ? 'L' : 'M'}${at(across(point.x))} ${at(up(point.y))}`).join('')
    const look = `stroke="${colour}" stroke-dasharray="${dashes}" stroke-width="2.5" fill="none"`
    const legend = SIZE.top + 8 + n * 22
    return `<path d="${path}" ${look}/><path d="M${right + 14} ${legend}h28" ${look}/>${text(right + 48, legend + 4, name)}`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-label="${title}"`,
    ` font-family="system-ui, sans-serif" font-size="12" fill="#292524"><rect width="100%" height="100%" fill="#fff"/>`,
    text(SIZE.left, 22, `${title}, ${y}`, 'start', 15),
    ...rules,
    ...names,
    text(right, SIZE.height - 10, x, 'end'),
    ...drawn,
    '</svg>\n',
  ].join('\n')
}

const at = (value: number) => value.toFixed(1)

const text = (x: number, y: number, words: string, anchor = 'start', size = 12) =>
  `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}" font-size="${size}">${words}</text>`

/** To the next 1, 2 or 5 of its decimal place. */
function roundUp(value: number): number {
  const place = 10 ** Math.floor(Math.log10(value))
  return place * [1, 2, 5, 10].find((step) => step * place >= value)!
}
