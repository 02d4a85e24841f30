import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright'
import { chromiumLaunch } from '../../support/browser/chromium.ts'
import { median } from '../../support/server/responseTimes.ts'
import { buildBoth, ROOT } from '../accounts/loginJavaScript.ts'
import type { Comparison } from '../comparison.ts'
import { starts, type Start, type Starts } from './starts.ts'

export const HELLO = join(import.meta.dirname, 'hello')

const AGAINST = {
  hello: 'a static page and a worker of ten lines',
  still: 'the drawn login without a script, that worker',
  stack: 'React + TanStack Router, one form',
}

/** How /login starts, beside the least that a page, a page of this design and one of this stack can do (rules 18.3 and 18.4). */
export async function compareStarts({ runs }: { runs: number }): Promise<Comparison[]> {
  const { product, baseline } = buildBoth()
  const directories = { hello: HELLO, still: scriptlessLogin(product), stack: baseline, product }
  const browser = await chromium.launch(chromiumLaunch())
  try {
    const measured = await inTurns(browser, directories, runs)
    return [...times(measured), ...bytes(measured, precachedBytes(product))]
  } finally {
    await browser.close()
  }
}

type Measured = Record<keyof typeof AGAINST | 'product', Starts[]>

async function inTurns(browser: Browser, directories: Record<keyof Measured, string>, runs: number): Promise<Measured> {
  const measured: Measured = { hello: [], still: [], stack: [], product: [] }
  for (let run = 0; run < runs; run++) {
    for (const name of Object.keys(measured) as (keyof Measured)[]) {
      measured[name].push(await starts(browser, directories[name]))
    }
  }
  return measured
}

function times({ product, ...baselines }: Measured): Comparison[] {
  type Way = 'cold' | 'warm' | 'slowed' | 'offline'
  const of = (all: Starts[], way: Way, what: keyof Start) => median(all.map((one) => one[way][what]))
  const row = (
    words: string,
    way: Way,
    what: keyof Start,
    beside: keyof typeof AGAINST,
    goal?: string,
  ): Comparison => ({
    what: words,
    product: of(product, way, what),
    baseline: of(baselines[beside], way, what),
    unit: what === 'requests' ? 'requests' : 'ms',
    against: AGAINST[beside],
    goal,
  })
  return [
    row('cold start, first paint', 'cold', 'paint', 'hello'),
    row('cold start, ready', 'cold', 'ready', 'stack'),
    row('cold start, the app itself', 'cold', 'app', 'stack'),
    row('warm start, first paint', 'warm', 'paint', 'hello', '≤ 1.25'),
    row('warm start, first paint', 'warm', 'paint', 'still'),
    row('warm start, first paint at 4x CPU', 'slowed', 'paint', 'hello', '≤ 1.25'),
    row('warm start, first paint at 4x CPU', 'slowed', 'paint', 'still'),
    row('warm start, ready', 'warm', 'ready', 'stack'),
    row('warm start, ready at 4x CPU', 'slowed', 'ready', 'stack', '≤ 1.30'),
    row('warm start, the app itself at 4x CPU', 'slowed', 'app', 'stack'),
    row('warm start, requests (0 of 0)', 'warm', 'requests', 'hello'),
    row('offline start, first paint', 'offline', 'paint', 'hello', '≤ 1.30'),
    row('offline start, ready', 'offline', 'ready', 'stack'),
    row('offline start, the app itself', 'offline', 'app', 'stack'),
  ]
}

/** What an app of this kind that is known to be light moves, measured in November 2026. */
const PHANPY_BYTES = 605 * 1_024

function bytes({ product }: Measured, kept: number): Comparison[] {
  const weighed = { unit: 'bytes, brotli', baseline: kept, against: 'the worker and each precached file once' }
  const all = median(product.map((one) => one.bytes))
  const again = median(product.map((one) => one.secondVisitBytes))
  return [
    { what: 'first visit, everything', product: all, goal: '≤ 1.05', ...weighed },
    {
      what: 'first visit, until quiet',
      product: all,
      ...weighed,
      baseline: PHANPY_BYTES,
      against: 'Phanpy',
      goal: '≤ 1.00',
    },
    { what: 'second visit, files of the app (0)', product: again, ...weighed },
  ]
}

/** The compressed bytes of a build's worker, and of everything that it keeps. */
function precachedBytes(directory: string): number {
  const worker = readFileSync(join(directory, 'sw.js'), 'utf8')
  const names = [...worker.matchAll(/"?\burl"?:\s*["'`]([\w./-]+\.\w+)["'`]/g)].map(([, name = '']) => name)
  if (names.length === 0) throw new Error('the worker keeps nothing')
  // Counters alone have the barcode reader (sw/shell.ts).
  const ofAll = names.filter((name) => !/decoderWorker|zxing_reader/.test(name))
  return [...ofAll, 'sw.js'].reduce((sum, name) => sum + sizeOf(join(directory, name)), 0)
}

const sizeOf = (file: string) => statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size

/** What `boot.js` and the app do with it: what is not this visitor's goes, the rest is shown and can be pressed. */
const DONE_BY_SCRIPTS: [what: RegExp, instead: string][] = [
  [/<link rel="expect"[^>]*>/, ''],
  [/<template id="app">.*?<\/template>/s, ''],
  [/<script>.*?<\/script>/s, ''],
  [/<div[^>]*data-notice[^>]*>.*?<\/bdi><\/div><\/div>/s, ''],
  [/<div data-view="pos">.*(?=<\/div>\s*<div id="root")/s, ''],
  // Shown, and for good: no app takes its place.
  [/<div id="first" hidden/, '<div id="still"'],
]

/**
 * The login of a build as it is drawn, and nothing that runs: what painting its design takes, however little an app does before it.
 * Answers the folder; throws when the page is not what it was.
 */
function scriptlessLogin(product: string): string {
  let page = readFileSync(join(product, 'login.html'), 'utf8')
  for (const [what, instead] of DONE_BY_SCRIPTS) {
    if (!what.test(page)) throw new Error(`login.html has nothing like ${what}`)
    page = page.replace(what, instead)
  }
  const folder = join(ROOT, 'test-results/bench/still')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.html'), page)
  return folder
}
