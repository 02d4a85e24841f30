import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findChromium } from '../../support/browser/chromium.ts'
import { median } from '../../support/server/responseTimes.ts'
import { row, type Bench, type Comparison } from '../comparison.ts'
import { inTurns, waitForQuietMachine } from '../measure.ts'
import { startBuildServer } from './buildServer.ts'
import { HELLO } from './compareStarts.ts'
import { buildBoth } from './openings.ts'

type Throttling = 'simulate' | 'devtools'

const BEST = { baseline: 100, unit: 'score', against: 'the best there is' }

/** What of a report stands beside what, with the goals of rule 18.5. */
const WANTED: [throttling: Throttling, what: string, beside: 'hello' | 'stack' | typeof BEST, goal?: string][] = [
  ['simulate', 'performance', BEST, '≥ 0.99'],
  ['simulate', 'largest-contentful-paint', 'stack', '≤ 1.15'],
  ['simulate', 'total-blocking-time', 'stack', '≤ 1.00'],
  ['simulate', 'accessibility', BEST, '= 1'],
  ['simulate', 'best-practices', BEST, '= 1'],
  ['devtools', 'first-contentful-paint', 'hello'],
  ['devtools', 'largest-contentful-paint', 'hello', '≤ 1.10'],
  ['devtools', 'interactive', 'stack', '≤ 1.25'],
]

/** A row that could not be run says so, and is a number of nothing. */
export async function compareLighthouse({ runs }: Bench): Promise<Comparison[]> {
  const { product, baseline } = await buildBoth()
  const both = async (directory: string) => ({
    simulate: await lighthouse(directory, 'simulate'),
    devtools: await lighthouse(directory, 'devtools'),
  })
  try {
    const reports = await inTurns(runs, {
      hello: () => both(HELLO),
      stack: () => both(baseline),
      product: () => both(product),
    })
    return WANTED.map(([throttling, what, beside, goal]) => {
      const of = (name: keyof typeof reports) => median(reports[name].map((one) => valueOf(one[throttling], what)))
      const baselineOf = typeof beside === 'string' ? { baseline: of(beside), unit: 'ms', against: beside } : beside
      return row(`Lighthouse, ${throttling}: ${what}`, of('product'), baselineOf, goal)
    })
  } catch {
    const nothing = { baseline: Number.NaN, unit: '', against: '' }
    return [row('Lighthouse: unrun, it could not be had', Number.NaN, nothing)]
  }
}

interface Report {
  categories: Record<string, { score: number } | undefined>
  audits: Record<string, { numericValue?: number } | undefined>
}

function valueOf({ categories, audits }: Report, what: string): number {
  const category = categories[what]
  return category ? Math.round(100 * category.score) : (audits[what]?.numericValue ?? Number.NaN)
}

/** Not a dependency: it wants a newer Node than the product does, and is large. */
const PACKAGE = 'lighthouse@12.8.2'

/** One run as a phone on a slow connection. Throws where Lighthouse cannot be had or does not run. */
async function lighthouse(directory: string, throttling: Throttling): Promise<Report> {
  await waitForQuietMachine()
  const server = await startBuildServer(directory)
  const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'))
  const output = join(folder, 'report.json')
  try {
    const categories = '--only-categories=performance,accessibility,best-practices'
    const flags = ['--output=json', `--output-path=${output}`, '--quiet', '--chrome-flags=--headless=new --no-sandbox']
    const args = ['--yes', PACKAGE, `${server.url}/login`, categories, `--throttling-method=${throttling}`, ...flags]
    const env = { ...process.env, CHROME_PATH: findChromium() }
    await promisify(execFile)('npx', args, { env, timeout: 180_000 })
    return JSON.parse(readFileSync(output, 'utf8')) as Report
  } finally {
    rmSync(folder, { recursive: true })
    await server.stop()
  }
}
