import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { build, type Plugin } from 'vite'
import { ROOT } from '../accounts/loginJavaScript.ts'
import type { Comparison } from '../comparison.ts'
import { startBuildServer } from './buildServer.ts'
import { sumBytes, untilServerIsQuiet, workerReady } from './starts.ts'

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

const SCREEN = 'src/features/resources/ResourcesPage.tsx'

/** What a browser that has the product downloads for a release in which one screen says something else. */
export async function bytesOfOneScreenUpdate(browser: Browser, product: string): Promise<Comparison> {
  const next = await buildNext()
  const server = await startBuildServer(product)
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(`${server.url}/login`)
    await workerReady(page)
    await untilServerIsQuiet(server)
    server.deploy(next)
    server.forget()
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      await registration.update()
      while (!registration.waiting) await new Promise((later) => setTimeout(later, 50))
    })
    await untilServerIsQuiet(server)
    const moved = sumBytes(server, (path) => !path.startsWith('/api/'))
    const against = 'each precached file once'
    return {
      what: 'update that changes one screen',
      product: moved,
      baseline: precachedBytes(next),
      unit: 'bytes, brotli',
      against,
    }
  } finally {
    await context.close()
    await server.stop()
  }
}

async function buildNext(): Promise<string> {
  const next = join(ROOT, 'test-results/bench/next')
  Object.assign(process.env, { OUT_DIR: next, BUILD_ID: 'bench', NODE_ENV: 'production' })
  await build({ root: ROOT, logLevel: 'error', plugins: [changeScreen()] })
  return next
}

function changeScreen(): Plugin {
  return {
    name: 'change-screen',
    enforce: 'pre',
    transform: (code, id) =>
      id.endsWith(SCREEN) ? code.replace('title="Resources"', 'title="Resources, changed"') : null,
  }
}

/** The compressed bytes of everything a build's worker keeps. */
export function precachedBytes(directory: string): number {
  const worker = readFileSync(join(directory, 'sw.js'), 'utf8')
  const names = [...worker.matchAll(/"?\burl"?:\s*["'`]([\w./-]+\.\w+)["'`]/g)].map(([, name = '']) => name)
  if (names.length === 0) throw new Error('the worker keeps nothing')
  return names.reduce((sum, name) => sum + sizeOf(join(directory, name)), 0)
}

const sizeOf = (file: string) => statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size
