import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { chromium } from 'playwright'
import { layoutFile } from '../../../src/domain/paths.ts'
import { chromiumLaunch } from '../../support/browser/chromium.ts'
import { median } from '../../support/server/responseTimes.ts'
import type { Comparison } from '../comparison.ts'

export const ROOT = resolve(import.meta.dirname, '../../..')

const VITE = join(ROOT, 'node_modules/.bin/vite')

const READY = 'button[type=submit]:not([disabled])'

/**
 * Runs in the page: notes the wall times of the first frame in which the button can be pressed, and of the first in which it is
 * the app's own: the drawn one takes the press and leaves it to the app. Asking from outside would be late by a poll, and count
 * what the page fetches when idle. A text, since the TypeScript runner marks functions with a helper that the page does not have.
 */
export const NOTE_WHEN_READY = `
  const look = () => {
    const noted = document.documentElement.dataset
    const shown = [...document.querySelectorAll('${READY}')].filter((button) => button.getClientRects().length > 0)
    const now = String(performance.timeOrigin + performance.now())
    if (shown.length > 0) noted.readyAt ??= now
    if (shown.some((button) => !button.closest('#first'))) noted.appAt = now
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
`

const MIME: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

interface LoginJavaScript {
  /** Brotli bytes of the scripts the page had asked for when the app's own submit button could be pressed. */
  bytes: number
  requests: number
}

/** Builds the product and the baseline with this Vite; answers where they are. */
export function buildBoth(): { product: string; baseline: string } {
  const product = join(ROOT, 'test-results/bench/product')
  vite(['build', '--logLevel', 'warn'], { BUILD_ID: 'bench', OUT_DIR: product })
  return { product, baseline: buildBaseline() }
}

export function buildBaseline(): string {
  const baseline = join(ROOT, 'test-results/bench/baseline')
  const config = join(ROOT, 'tests/bench/baseline/baseline.config.ts')
  vite(['build', '--logLevel', 'warn', '--config', config, '--outDir', baseline], {})
  return baseline
}

function vite(args: string[], env: Record<string, string>, cwd = ROOT): void {
  const run = spawnSync(VITE, args, {
    cwd,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    encoding: 'utf8',
  })
  if (run.status !== 0) throw new Error(`vite build failed:\n${run.stdout}${run.stderr}`)
}

/** Opens /login of the build in `directory` in a fresh profile and weighs the scripts the page asks for until it is usable. */
async function loginJavaScript(directory: string): Promise<LoginJavaScript> {
  const asked: { at: number; bytes: number }[] = []
  const server = serve(directory, (bytes) => asked.push({ at: Date.now(), bytes }))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const browser = await chromium.launch(chromiumLaunch())
  try {
    const page = await browser.newPage()
    await page.addInitScript(NOTE_WHEN_READY)
    await page.goto(`http://127.0.0.1:${port}/login`, { waitUntil: 'commit' })
    await page.waitForFunction(() => document.documentElement.dataset['appAt'])
    const appAt = Number(await page.evaluate(() => document.documentElement.dataset['appAt']))
    const scripts = asked.filter(({ at }) => at <= appAt)
    return { bytes: scripts.reduce((sum, { bytes }) => sum + bytes, 0), requests: scripts.length }
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
}

/** The product has an HTML file for each layout, the baseline one for all. */
function screen(directory: string, path: string): string {
  const own = join(directory, layoutFile(path))
  return existsSync(own) ? own : join(directory, 'index.html')
}

/** Serves a build with brotli 11 and the SPA fallback. Only what a page asks for as a script or module preload is reported. */
export function serve(directory: string, onScript: (bytes: number) => void = () => undefined): Server {
  return createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname
    const asked = join(directory, path)
    const file = extname(path) ? asked : screen(directory, path)
    if (!file.startsWith(directory) || !existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
    const body = brotliCompressSync(readFileSync(file), quality)
    if (request.headers['sec-fetch-dest'] === 'script') onScript(body.length)
    const type = MIME[extname(file)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'br', 'cache-control': 'no-cache' }).end(body)
  })
}

/** What /login asks for before it can be used, against the least a page of this stack can ask for. */
export async function compareLoginJavaScript(): Promise<Comparison[]> {
  const { product, baseline } = buildBoth()
  const ours = await middle(product)
  const least = await middle(baseline)
  return [
    {
      what: 'JavaScript before /login is usable',
      product: ours,
      baseline: least,
      unit: 'bytes, brotli',
      goal: '≤ 1.35',
      against: 'React + TanStack Router, one form',
    },
  ]
}

const OPENINGS = 5

/** A script asked for in the very frame the button appears falls on either side, so the middle one of several openings counts. */
async function middle(directory: string): Promise<number> {
  const bytes: number[] = []
  for (let opening = 0; opening < OPENINGS; opening++) bytes.push((await loginJavaScript(directory)).bytes)
  return median(bytes)
}
