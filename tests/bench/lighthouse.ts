import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '../support/browser/chromium.ts'

/** Not a dependency: it wants a newer Node than the product does, and is large. */
const PACKAGE = 'lighthouse@12.8.2'

export type Throttling = 'simulate' | 'devtools'

export interface Scores {
  performance: number
  accessibility: number
  'best-practices': number
  'first-contentful-paint': number
  'largest-contentful-paint': number
  'total-blocking-time': number
  interactive: number
}

/** One run as a phone on a slow line; `undefined` where Lighthouse cannot be had or does not run. */
export function lighthouse(url: string, throttling: Throttling): Scores | undefined {
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
