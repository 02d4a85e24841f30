import { join } from 'node:path'
import type { Browser } from 'playwright'
import { build, type Plugin } from 'vite'
import type { Comparison } from './comparison.ts'
import { ROOT } from './accounts/loginJavaScript.ts'
import { precachedBytes } from './precached.ts'
import { startBuildServer } from './starts/buildServer.ts'
import { untilServerIsQuiet, sumBytes, workerReady } from './starts/starts.ts'

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
