import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright'
import { chromiumLaunch } from '../../support/browser/chromium.ts'
import { median } from '../../support/server/responseTimes.ts'
import type { Comparison } from '../comparison.ts'
import { startBuildServer, sumBytes } from '../starts/buildServer.ts'

export const ROOT = resolve(import.meta.dirname, '../../..')

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

function vite(args: string[], given: Record<string, string>): void {
  const env = { ...process.env, NODE_ENV: 'production', ...given }
  const run = spawnSync(join(ROOT, 'node_modules/.bin/vite'), args, { cwd: ROOT, env, encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`vite build failed:\n${run.stdout}${run.stderr}`)
}

/** Brotli bytes of the scripts that /login of the build in `directory` asks for, in a fresh profile, until it is usable. */
async function loginJavaScript(directory: string): Promise<number> {
  const server = await startBuildServer(directory)
  const browser = await chromium.launch(chromiumLaunch())
  try {
    const page = await browser.newPage()
    await page.addInitScript(NOTE_WHEN_READY)
    await page.goto(`${server.url}/login`, { waitUntil: 'commit' })
    await page.waitForFunction(() => document.documentElement.dataset['appAt'])
    const appAt = Number(await page.evaluate(() => document.documentElement.dataset['appAt']))
    return sumBytes(server, ({ dest, at }) => dest === 'script' && at <= appAt)
  } finally {
    await browser.close()
    await server.stop()
  }
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
  for (let opening = 0; opening < OPENINGS; opening++) bytes.push(await loginJavaScript(directory))
  return median(bytes)
}
