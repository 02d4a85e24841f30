import type { AddressInfo } from 'node:net'
import { chromium, type Browser, type CDPSession, type Page } from 'playwright'
import { build } from '../support/browser/builds.ts'
import { chromiumLaunch } from '../support/browser/chromium.ts'
import { startPortalOrigin, type PortalOrigin } from '../support/browser/portalOrigin.ts'
import { buildBaseline, serve } from './accounts/loginJavaScript.ts'
import type { Comparison } from './comparison.ts'

interface Measurements<P, B> {
  product: (page: Page, origin: PortalOrigin) => Promise<P>
  /** `url`: where the bare page lies. */
  bare: (page: Page, url: string) => Promise<B>
  /** 'block' where something stands in the place of the server's answers. */
  worker?: 'allow' | 'block'
}

/** The same in the product and in a bare page of the same stack, one after the other in one browser. */
export async function compareWithBareStack<P, B>({ product, bare, worker = 'allow' }: Measurements<P, B>) {
  await build('1')
  const baseline = buildBaseline()
  const browser = await chromium.launch(chromiumLaunch())
  try {
    const ours = await inProduct(browser, product, worker)
    return { ours, bare: await inBaseline(browser, baseline, bare) }
  } finally {
    await browser.close()
  }
}

async function inProduct<P>(
  browser: Browser,
  measure: Measurements<P, unknown>['product'],
  serviceWorkers: 'allow' | 'block',
) {
  const origin = await startPortalOrigin()
  const context = await browser.newContext({ baseURL: origin.url, serviceWorkers })
  try {
    return await measure(await context.newPage(), origin)
  } finally {
    await context.close()
    await origin.close()
  }
}

async function inBaseline<B>(browser: Browser, directory: string, measure: Measurements<unknown, B>['bare']) {
  const server = serve(directory)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const context = await browser.newContext()
  try {
    return await measure(await context.newPage(), `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    await context.close()
    server.closeAllConnections()
    server.close()
  }
}

const FRAME_MS = 1_000 / 60

/** Milliseconds beside one frame. */
export const inFrames = (what: string, product: number, goal?: string): Comparison => ({
  what,
  product,
  baseline: FRAME_MS,
  unit: 'ms',
  against: 'one frame of 60 a second',
  ...(goal ? { goal } : {}),
})

/** What the page's own thread has done so far, in milliseconds of the slowed processor: the same on a busy machine. */
export interface ThreadTime {
  /** Everything. */
  work: number
  /** Script, style and layout: without painting and the browser's own, and of this measuring only what runs in the page. */
  step: number
}

interface SlowedThread {
  time: () => Promise<ThreadTime>
  /** As fast again as it is. */
  release: () => Promise<void>
}

const STEP = new Set(['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'])

/** The thread of `page` on a processor a quarter as fast. */
export async function slowedThread(page: Page): Promise<SlowedThread> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return { time: () => timeOf(devtools), release: () => devtools.detach() }
}

async function timeOf(devtools: CDPSession): Promise<ThreadTime> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  const sum = (isMeant: (name: string) => boolean) =>
    metrics.filter(({ name }) => isMeant(name)).reduce((total, { value }) => total + 1_000 * value, 0)
  return { work: sum((name) => name === 'TaskDuration'), step: sum((name) => STEP.has(name)) }
}
