import { figuresOf } from './figures.ts'
import { productionFiles } from './graph.ts'

/** `npm run house`: counts the code base, and fails when a figure is over its limit; `-- --all` lists what it counted. */
const figures = figuresOf(productionFiles())
for (const { what, value, most = Infinity, worst } of figures) {
  console.log(`${value <= most ? ' ' : '!'} ${String(value).padStart(6)}  ${what}`)
  if (value > most || process.argv.includes('--all')) for (const line of worst) console.log(`          ${line}`)
}
process.exitCode = figures.every(({ value, most = Infinity }) => value <= most) ? 0 : 1
