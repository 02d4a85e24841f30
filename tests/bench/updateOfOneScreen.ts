import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import type { Comparison } from './comparison.ts'
import { ROOT, vite } from './loginJavaScript.ts'
import { precached } from './precached.ts'
import { startServer } from './startServer.ts'
import { quiet, sum, workerReady } from './starts.ts'

const SOURCES = [
  'src',
  'sw',
  'public',
  'prerender',
  'index.html',
  'package.json',
  'tailwind.config.ts',
  'vite.config.ts',
]
const SCREEN = 'src/features/resources/ResourcesPage.tsx'

/** What a browser that has the product downloads for a release in which one screen says something else. */
export async function updateOfOneScreen(browser: Browser, product: string): Promise<Comparison> {
  const next = buildNext()
  const server = await startServer(product)
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(`${server.url}/login`)
    await workerReady(page)
    await quiet(server)
    server.deploy(next)
    server.forget()
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      await registration.update()
      while (!registration.waiting) await new Promise((later) => setTimeout(later, 50))
    })
    await quiet(server)
    const moved = sum(server, (path) => !path.startsWith('/api/'))
    const against = 'each precached file once'
    return {
      what: 'update that changes one screen',
      product: moved,
      baseline: precached(next),
      unit: 'bytes, brotli',
      against,
    }
  } finally {
    await context.close()
    await server.stop()
  }
}

function buildNext(): string {
  const copy = mkdtempSync(join(tmpdir(), 'bench-next-'))
  try {
    for (const name of SOURCES) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    const screen = join(copy, SCREEN)
    const text = readFileSync(screen, 'utf8')
    const changed = text.replace('title="Resources"', 'title="Resources, changed"')
    if (changed === text) throw new Error(`${SCREEN} has no word to change`)
    writeFileSync(screen, changed)
    const next = join(ROOT, 'test-results/bench/next')
    vite(['build', '--logLevel', 'warn'], { BUILD_ID: 'bench', OUT_DIR: next }, copy)
    return next
  } finally {
    rmSync(copy, { recursive: true })
  }
}
