import { copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import sharp from 'sharp'
import { chromiumLaunch } from '../support/browser/chromium.ts'
import { drawIcons } from './drawIcons.ts'
import { takeGuidePictures } from './guidePictures.ts'
import { demoContext, logInToDemo, photograph, startDemo } from './startDemo.ts'

/**
 * `npm run screenshots`: takes the pictures that the manifest and docs/GUIDE.md name, of the last build with the demo data, and
 * draws the icons. Run `npm run build` before, and look at the pictures afterwards.
 */
const PUBLIC = join(import.meta.dirname, '../../public')
const MOST_BYTES = 150_000

const SHAPES = {
  wide: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
  narrow: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
} as const

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-screenshots-'))
  const demo = await startDemo(dataDir)
  const browser = await chromium.launch(chromiumLaunch())
  try {
    await drawIcons(PUBLIC)
    for (const shape of ['wide', 'narrow'] as const) await takeAll(browser, demo.url, shape)
    await takeGuidePictures(browser, demo, keep)
    await copyFile(join(PUBLIC, '../docs/guide/counter.png'), join(PUBLIC, 'screenshots/counter-wide.png'))
  } finally {
    await browser.close()
    await demo.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function takeAll(browser: Browser, baseURL: string, shape: keyof typeof SHAPES): Promise<void> {
  const context = await demoContext(browser, baseURL, SHAPES[shape])
  const page = await context.newPage()
  await logInToDemo(page, 'main@demo.example')
  for (const [name, path] of [
    ['dashboard', '/dashboard'],
    ['vouchers', '/vouchers'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('link', { name: 'This device: Ready offline' }).waitFor()
    await page.waitForLoadState('networkidle')
    await keep(await photograph(page), `${name}-${shape}.png`)
  }
  await context.close()
}

async function keep(picture: Buffer, name: string, folder = join(PUBLIC, 'screenshots')): Promise<void> {
  const file = join(folder, name)
  await writeFile(file, await sharp(picture).png({ palette: true, quality: 90, effort: 10 }).toBuffer())
  const { size } = await stat(file)
  if (size > MOST_BYTES) throw new Error(`${name} has ${size} bytes, ${MOST_BYTES} at most`)
}

await main()
