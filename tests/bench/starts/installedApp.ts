import type { Browser } from 'playwright'
import type { Comparison } from '../comparison.ts'
import { startBuildServer } from './buildServer.ts'
import { untilServerIsQuiet, workerReady } from './starts.ts'

/** One of each layout and of each way a path can be written; what a visitor sees there is theirs or /login. */
const ROUTES = [
  '/',
  '/login',
  '/login?as=pos',
  '/register',
  '/terms-of-use',
  '/404',
  '/vouchers',
  '/branches/adhoc',
  '/redeem',
  '/nowhere',
]

/** Every route started with the server process's port closed, after one visit of /login. */
export async function offlineRoutes(browser: Browser, product: string): Promise<Comparison> {
  const server = await startBuildServer(product)
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(`${server.url}/login`)
    await workerReady(page)
    await untilServerIsQuiet(server)
    await page.close()
    await server.stop()
    let started = 0
    for (const route of ROUTES) {
      const opened = await context.newPage()
      const stands = () => opened.locator('#root h1').waitFor({ timeout: 10_000 })
      await opened
        .goto(server.url + route)
        .then(stands)
        .then(
          () => (started += 1),
          () => undefined,
        )
      await opened.close()
    }
    return {
      what: 'offline starts, every route',
      product: started,
      baseline: ROUTES.length,
      unit: 'routes',
      against: 'routes',
      goal: '= 1',
    }
  } finally {
    await context.close()
    await server.stop().catch(() => undefined)
  }
}
