import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright'
import { NOTE_WHEN_READY } from '../accounts/loginJavaScript.ts'
import { waitForQuietMachine } from '../quietMachine.ts'
import { startBuildServer, sumBytes, type BuildServer } from './buildServer.ts'

/** One way of starting; milliseconds. */
export interface Start {
  paint: number
  /** The submit button can be pressed: the drawn one keeps the press for the app. */
  ready: number
  /** The button is the app's own. */
  app: number
  /** Asked of the server until then. */
  requests: number
}

export interface Starts {
  cold: Start
  warm: Start
  /** The same on a processor a quarter as fast. */
  slowed: Start
  offline: Start
  /** Compressed bytes of everything a first visit moved, the worker's files included. */
  bytes: number
  /** Of the app's own files in a second visit; the worker's script is looked at anew by every browser. */
  secondVisitBytes: number
}

const QUIET_MS = 1_000

/** A first visit in a fresh profile, then starts with the worker: with the connection, slowed, and with the server gone. */
export async function starts(browser: Browser, directory: string): Promise<Starts> {
  const server = await startBuildServer(directory)
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } })
  try {
    await waitForQuietMachine()
    const { start: cold, page } = await open(context, server)
    await workerReady(page)
    await untilServerIsQuiet(server)
    const bytes = sumBytes(server)
    await page.close()
    const warm = await again(context, server)
    await untilServerIsQuiet(server)
    const secondVisitBytes = sumBytes(server, ({ path }) => path !== '/sw.js')
    const slowed = await again(context, server, 4)
    await context.setOffline(true)
    await server.stop()
    return { cold, warm, slowed, offline: await again(context, server), bytes, secondVisitBytes }
  } finally {
    await context.close()
    await server.stop().catch(() => undefined)
  }
}

async function again(context: BrowserContext, server: BuildServer, slowdown = 1): Promise<Start> {
  const { start, page } = await open(context, server, slowdown)
  await page.close()
  return start
}

async function open(context: BrowserContext, server: BuildServer, slowdown = 1): Promise<{ start: Start; page: Page }> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(NOTE_WHEN_READY)
  server.forget()
  await page.goto(`${server.url}/login`)
  await page.waitForFunction(
    () => document.documentElement.dataset['appAt'] && performance.getEntriesByType('paint')[1],
  )
  const start = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    readyAt: Number(document.documentElement.dataset['readyAt']),
    appAt: Number(document.documentElement.dataset['appAt']),
    origin: performance.timeOrigin,
  }))
  const requests = server.asked.filter(({ at, path }) => at <= start.appAt && path !== '/favicon.ico').length
  const { paint, origin, readyAt, appAt } = start
  return { page, start: { paint, ready: readyAt - origin, app: appAt - origin, requests } }
}

/** The baselines do not bring a worker along: theirs is registered here. */
const workerReady = (page: Page) =>
  page.evaluate(async () => {
    if (!document.documentElement.dataset['build']) await navigator.serviceWorker.register('/sw.js')
    await navigator.serviceWorker.ready
  })

/** Until nothing was asked of the server for a while. */
async function untilServerIsQuiet({ asked }: BuildServer): Promise<void> {
  for (let before = -1; before !== asked.length;) {
    before = asked.length
    await sleep(QUIET_MS)
  }
}
