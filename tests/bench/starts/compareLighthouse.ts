import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '../../support/browser/chromium.ts'
import { median } from '../../support/server/responseTimes.ts'
import { buildBoth } from '../accounts/loginJavaScript.ts'
import type { Comparison } from '../comparison.ts'
import { waitForQuietMachine } from '../quietMachine.ts'
import { HELLO } from './compareStarts.ts'

type Name = 'hello' | 'stack' | 'product'

interface Wanted {
  what: keyof Scores
  throttling: Throttling
  beside: Exclude<Name, 'product'> | 100
  goal?: string
}

const WANTED: Wanted[] = [
  { what: 'performance', throttling: 'simulate', beside: 100, goal: '≥ 0.99' },
  { what: 'largest-contentful-paint', throttling: 'simulate', beside: 'stack', goal: '≤ 1.15' },
  { what: 'total-blocking-time', throttling: 'simulate', beside: 'stack', goal: '≤ 1.00' },
  { what: 'accessibility', throttling: 'simulate', beside: 100, goal: '= 1' },
  { what: 'best-practices', throttling: 'simulate', beside: 100, goal: '= 1' },
  { what: 'first-contentful-paint', throttling: 'devtools', beside: 'hello' },
  { what: 'largest-contentful-paint', throttling: 'devtools', beside: 'hello', goal: '≤ 1.10' },
  { what: 'interactive', throttling: 'devtools', beside: 'stack', goal: '≤ 1.25' },
]

/** The goals of rule 18.5. A row that could not be run says so, and is a number of nothing. */
export async function compareLighthouse({ runs }: { runs: number }): Promise<Comparison[]> {
  const { product, baseline } = buildBoth()
  const directories: Record<Name, string> = { hello: HELLO, stack: baseline, product }
  const all = new Map<string, Scores[]>()
  for (let run = 0; run < runs; run++) {
    for (const [name, directory] of Object.entries(directories)) {
      for (const throttling of ['simulate', 'devtools'] as const) {
        const scores = await scored(directory, throttling)
        if (!scores) return [unrun()]
        const key = `${name} ${throttling}`
        all.set(key, [...(all.get(key) ?? []), scores])
      }
    }
  }
  const of = (name: Name, { what, throttling }: Wanted) =>
    median((all.get(`${name} ${throttling}`) ?? []).map((one) => one[what]))
  return WANTED.map((wanted) => ({
    what: `Lighthouse, ${wanted.throttling}: ${wanted.what}`,
    product: of('product', wanted),
    baseline: wanted.beside === 100 ? 100 : of(wanted.beside, wanted),
    unit: wanted.beside === 100 ? 'score' : 'ms',
    against: wanted.beside === 100 ? 'the best there is' : wanted.beside,
    goal: wanted.goal,
  }))
}

const unrun = (): Comparison => {
  const nothing = { product: Number.NaN, baseline: Number.NaN, unit: '', against: '' }
  return { what: 'Lighthouse: unrun, it could not be had', ...nothing }
}

/** The server in a process of its own: Lighthouse is waited for, and nothing here could answer it. */
async function scored(directory: string, throttling: Throttling): Promise<Scores | undefined> {
  await waitForQuietMachine()
  const server = spawn(process.execPath, ['--import', 'tsx', `${import.meta.dirname}/serveBuild.ts`, directory])
  try {
    const [url] = (await once(server.stdout, 'data')) as [Buffer]
    return lighthouse(`${String(url).trim()}/login`, throttling)
  } finally {
    server.kill()
  }
}

/** Not a dependency: it wants a newer Node than the product does, and is large. */
const PACKAGE = 'lighthouse@12.8.2'

type Throttling = 'simulate' | 'devtools'

interface Scores {
  performance: number
  accessibility: number
  'best-practices': number
  'first-contentful-paint': number
  'largest-contentful-paint': number
  'total-blocking-time': number
  interactive: number
}

/** One run as a phone on a slow connection; `undefined` where Lighthouse cannot be had or does not run. */
function lighthouse(url: string, throttling: Throttling): Scores | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'))
  const output = join(folder, 'report.json')
  try {
    const categories = '--only-categories=performance,accessibility,best-practices'
    const flags = ['--output=json', `--output-path=${output}`, '--quiet', '--chrome-flags=--headless=new --no-sandbox']
    spawnSync('npx', ['--yes', PACKAGE, url, categories, `--throttling-method=${throttling}`, ...flags], {
      env: { ...process.env, CHROME_PATH: findChromium() },
      timeout: 180_000,
    })
    return scoresOf(JSON.parse(readFileSync(output, 'utf8')) as Report)
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Report {
  categories: Record<string, { score: number }>
  audits: Record<string, { numericValue?: number }>
}

function scoresOf({ categories, audits }: Report): Scores {
  const score = (name: string) => Math.round(100 * (categories[name]?.score ?? Number.NaN))
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    'first-contentful-paint': value('first-contentful-paint'),
    'largest-contentful-paint': value('largest-contentful-paint'),
    'total-blocking-time': value('total-blocking-time'),
    interactive: value('interactive'),
  }
}
