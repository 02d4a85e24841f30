import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'oxfmt'
import { figuresOf, type Figure } from './figures.ts'
import { productionFiles, ROOT } from './graph.ts'

const PAGE = join(ROOT, 'docs/ARCHITECTURE.md')
const BETWEEN = /(<!-- npm run house -->\n)[\s\S]*?(<!-- end -->)/

/** `npm run house`: prints the figures; `-- --write` keeps them in docs/ARCHITECTURE.md. */
async function main(): Promise<void> {
  const figures = figuresOf(productionFiles())
  for (const { what, value, most = Infinity, worst } of figures) {
    console.log(`${value <= most ? ' ' : '!'} ${String(value).padStart(6)}  ${what}`)
    if (value > most || process.argv.includes('--all')) for (const line of worst) console.log(`          ${line}`)
  }
  if (process.argv.includes('--write')) await writePage(figures)
  process.exitCode = figures.every(({ value, most = Infinity }) => value <= most) ? 0 : 1
}

async function writePage(figures: readonly Figure[]): Promise<void> {
  const rows = figures.map(({ what, value, most }) => `| ${what} | ${value} | ${most ?? 'not limited'} |`)
  const table = ['| figure | now | at most |', '| --- | --- | --- |', ...rows].join('\n')
  const page = readFileSync(PAGE, 'utf8').replace(BETWEEN, `$1\n${table}\n\n$2`)
  writeFileSync(PAGE, (await format(PAGE, page)).code)
}

await main()
