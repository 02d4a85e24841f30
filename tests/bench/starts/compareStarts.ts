import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright'
import { median } from '../../support/server/responseTimes.ts'
import { row, type Bench, type Comparison } from '../comparison.ts'
import { inTurns, waitForQuietMachine } from '../measure.ts'
import { startBuildServer, sumBytes, type BuildServer } from './buildServer.ts'
import { buildBoth, LOGIN_MARKS, openNoted, ROOT, withBrowser } from './openings.ts'

const HELLO = join(import.meta.dirname, 'hello')

const OPENINGS = 5

/** Compares the JavaScript that /login loads before it is usable with that of the smallest page of this stack. */
export async function compareLoginJavaScript(): Promise<Comparison[]> {
  const { product, baseline } = await buildBoth()
  const { ours, least } = await withBrowser((browser) =>
    inTurns(OPENINGS, {
      ours: () => loginJavaScript(browser, product),
      least: () => loginJavaScript(browser, baseline),
    }),
  )
  const beside = { baseline: median(least), unit: 'bytes, brotli', against: 'React + TanStack Router, one form' }
  // A script requested in the very frame the button appears falls on either side, so the median of several openings counts.
  return [row('JavaScript before /login is usable', median(ours), beside, '≤ 1.35')]
}

/** Brotli bytes of the scripts that /login of the build in `directory` asks for, in a fresh profile, until it is usable. */
async function loginJavaScript(browser: Browser, directory: string): Promise<number> {
  const server = await startBuildServer(directory)
  const context = await browser.newContext()
  const { origin, at } = await openNoted(context, `${server.url}/login`, LOGIN_MARKS)
  await context.close()
  await server.stop()
  return sumBytes(server, (asked) => asked.path.endsWith('.js') && asked.at <= origin + at('app'))
}

const AGAINST = {
  hello: 'a static page and a worker of ten lines',
  still: 'the drawn login without a script, that worker',
  stack: 'React + TanStack Router, one form',
}

/** Compares the start of /login with a minimal page, a page of this design and a page of this stack (rules 18.3 and 18.4). */
export async function compareStarts({ runs }: Bench): Promise<Comparison[]> {
  const { product, baseline } = await buildBoth()
  const still = scriptlessLogin(product)
  const measured = await withBrowser((browser) =>
    inTurns(runs, {
      hello: () => starts(browser, HELLO),
      still: () => starts(browser, still),
      stack: () => starts(browser, baseline),
      product: () => starts(browser, product),
    }),
  )
  return [...times(measured), ...bytes(measured.product, precachedBytes(product))]
}

type Measured = Record<keyof typeof AGAINST | 'product', Starts[]>

/** One way of starting; times in milliseconds. */
interface Start {
  paint: number
  ready: number
  app: number
  /** Number of requests to the server until then. */
  requests: number
}

interface Starts {
  cold: Start
  warm: Start
  /** A warm start on a processor a quarter as fast. */
  slowed: Start
  offline: Start
  /** Compressed bytes of all transfers of a first visit, including the worker's files. */
  bytes: number
  /** Bytes of the app's own files in a second visit; every browser fetches the worker's script again. */
  secondVisitBytes: number
}

/** Measures a first visit in a fresh profile, then starts with the worker: with the connection, slowed, and with the server gone. */
async function starts(browser: Browser, directory: string): Promise<Starts> {
  const server = await startBuildServer(directory)
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } })
  const start = async (slowdown = 1, look: (page: Page) => Promise<unknown> = async () => undefined) => {
    server.forget()
    const { page, origin, at } = await openNoted(context, `${server.url}/login`, LOGIN_MARKS, slowdown)
    const paint = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
    const early = server.asked.filter((one) => one.at <= origin + at('app') && one.path !== '/favicon.ico')
    const seen = { paint: (await paint.jsonValue())!, ready: at('ready'), app: at('app'), requests: early.length }
    await look(page)
    await page.close()
    return seen
  }
  try {
    await waitForQuietMachine()
    const cold = await start(1, async (page) => {
      await workerReady(page)
      await untilServerIsQuiet(server)
    })
    const bytes = sumBytes(server)
    const warm = await start()
    await untilServerIsQuiet(server)
    const secondVisitBytes = sumBytes(server, ({ path }) => path !== '/sw.js')
    const slowed = await start(4)
    await context.setOffline(true)
    await server.stop()
    return { cold, warm, slowed, offline: await start(), bytes, secondVisitBytes }
  } finally {
    await context.close()
    await server.stop().catch(() => undefined)
  }
}

/** Waits for the worker. The baselines do not register one, so theirs is registered here. */
const workerReady = (page: Page) =>
  page.evaluate(async () => {
    if (!document.documentElement.dataset['build']) await navigator.serviceWorker.register('/sw.js')
    await navigator.serviceWorker.ready
  })

const QUIET_MS = 1_000

/** Waits until the server had no request for a while. */
async function untilServerIsQuiet({ asked }: BuildServer): Promise<void> {
  for (let before = -1; before !== asked.length;) {
    before = asked.length
    await sleep(QUIET_MS)
  }
}

function times({ product, ...baselines }: Measured): Comparison[] {
  type Way = 'cold' | 'warm' | 'slowed' | 'offline'
  const middle = (all: Starts[], way: Way, what: keyof Start) => median(all.map((one) => one[way][what]))
  const start = (words: string, [way, what]: [Way, keyof Start], beside: keyof typeof AGAINST, goal?: string) => {
    const unit = what === 'requests' ? 'requests' : 'ms'
    const baseline = { baseline: middle(baselines[beside], way, what), unit, against: AGAINST[beside] }
    return row(words, middle(product, way, what), baseline, goal)
  }
  return [
    start('cold start, first paint', ['cold', 'paint'], 'hello'),
    start('cold start, ready', ['cold', 'ready'], 'stack'),
    start('cold start, the app itself', ['cold', 'app'], 'stack'),
    start('warm start, first paint', ['warm', 'paint'], 'hello', '≤ 1.25'),
    start('warm start, first paint', ['warm', 'paint'], 'still'),
    start('warm start, first paint at 4x CPU', ['slowed', 'paint'], 'hello', '≤ 1.25'),
    start('warm start, first paint at 4x CPU', ['slowed', 'paint'], 'still'),
    start('warm start, ready', ['warm', 'ready'], 'stack'),
    start('warm start, ready at 4x CPU', ['slowed', 'ready'], 'stack', '≤ 1.30'),
    start('warm start, the app itself at 4x CPU', ['slowed', 'app'], 'stack'),
    start('warm start, requests (0 of 0)', ['warm', 'requests'], 'hello'),
    start('offline start, first paint', ['offline', 'paint'], 'hello', '≤ 1.30'),
    start('offline start, ready', ['offline', 'ready'], 'stack'),
    start('offline start, the app itself', ['offline', 'app'], 'stack'),
  ]
}

/** The bytes of Phanpy, an app of this kind that is known to be light, measured in November 2026. */
const PHANPY = { baseline: 605 * 1_024, unit: 'bytes, brotli', against: 'Phanpy' }

function bytes(product: Starts[], kept: number): Comparison[] {
  const ofKept = { ...PHANPY, baseline: kept, against: 'the worker and each precached file once' }
  const all = median(product.map((one) => one.bytes))
  const again = median(product.map((one) => one.secondVisitBytes))
  return [
    row('first visit, everything', all, ofKept, '≤ 1.05'),
    row('first visit, until quiet', all, PHANPY, '≤ 1.00'),
    row('second visit, files of the app (0)', again, ofKept),
  ]
}

/** The compressed bytes of a build's worker and of all files that it precaches. */
function precachedBytes(directory: string): number {
  const worker = readFileSync(join(directory, 'sw.js'), 'utf8')
  const [list] = /\[\{"url":[^\]]*\]/.exec(worker) ?? []
  if (list === undefined) throw new Error('the worker keeps nothing')
  // A file with a part is loaded only when a device asks for it (sw/shell.ts).
  const files = (JSON.parse(list) as { url: string; part?: string }[]).filter(({ part }) => part === undefined)
  return [...files.map(({ url }) => url), 'sw.js'].reduce((sum, name) => sum + sizeOf(join(directory, name)), 0)
}

const sizeOf = (file: string) => statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size

/** The changes that `boot.ts` and the app make to the page: they remove what is not for this visitor, and show the rest. */
const DONE_BY_SCRIPTS: [what: RegExp, instead: string][] = [
  [/<link rel="expect"[^>]*>/, ''],
  [/<template id="app">.*?<\/template>/s, ''],
  [/<script>.*?<\/script>/s, ''],
  [/<div[^>]*data-notice[^>]*>.*?<\/bdi>(<\/\w+>)+/s, ''],
  [/<\/template><template><div data-view="pos">.*(?=<\/div>\s*<div id="root")/s, ''],
  [/<template>(?=<div data-view="merchant">)/, ''],
  // Shown permanently: no app takes its place.
  [/<div id="first" hidden/, '<div id="still"'],
]

/**
 * Writes the drawn login of a build without any script: the least time that painting its design takes.
 * Returns the folder; throws when the page has changed.
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
