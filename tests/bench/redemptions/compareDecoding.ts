import { resolve } from 'node:path'
import { chromium, type Page } from 'playwright'
import { build, preview } from 'vite'
import { chromiumLaunch } from '../../support/browser/chromium.ts'
import { drawScene, type Scene } from '../../support/browser/scene.ts'
import { median } from '../../support/server/responseTimes.ts'
import type { Comparison } from '../comparison.ts'
import { waitForQuietMachine } from '../quietMachine.ts'

const SERIAL = '2004839201186'
const TIMES = 60

type Way = 'bundled' | 'native' | 'library'
interface Measured {
  text?: string
  durations: number[]
}

const bars = { kind: 'ean13', text: SERIAL } as const
const square = { kind: 'qrcode', text: `HRP1.${SERIAL}` } as const
const FRAMES: Record<string, Scene> = {
  'EAN-13': { codes: [bars] },
  'QR code': { codes: [square] },
  'EAN-13, turned by 45°': { codes: [bars], rotate: 45 },
  'EAN-13, low light': { codes: [bars], light: 0.15 },
  'no code': {},
}

/**
 * A frame of 1280 × 720, from the camera to the text: what the counter does, with either reader, beside the plain library. The
 * library reads no bars at 45°; there its time is that of finding nothing.
 * @throws Error when a reader of the counter misses a code.
 */
export async function compareDecoding(): Promise<Comparison[]> {
  const root = resolve(import.meta.dirname, 'decoding')
  const outDir = resolve(import.meta.dirname, '../../../test-results/bench/decoding')
  const config = { root, configFile: false, logLevel: 'warn', worker: { format: 'es' } } as const
  await build({ ...config, build: { outDir, emptyOutDir: true, target: 'es2022' } })
  const server = await preview({ ...config, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } })
  const browser = await chromium.launch(chromiumLaunch())
  try {
    const page = await browser.newPage()
    await page.goto(server.resolvedUrls?.local[0] ?? '')
    await waitForQuietMachine()
    return await compareFrames(page)
  } finally {
    await browser.close()
    await server.close()
  }
}

async function compareFrames(page: Page): Promise<Comparison[]> {
  const rows: Comparison[] = []
  for (const [name, scene] of Object.entries(FRAMES)) {
    const jpeg = `data:image/jpeg;base64,${(await drawScene(scene)).toString('base64')}`
    const library = await measure(page, 'library', jpeg)
    for (const way of ['bundled', 'native'] as const) {
      const ours = await measure(page, way, jpeg)
      if (ours) rows.push(compare(`frame → decoded, ${way} reader, ${name}`, refuseMissed(ours, scene), library!))
      else if (rows.length === 1)
        console.log('This browser has no BarcodeDetector: only the bundled reader is measured.')
    }
  }
  return rows
}

const measure = (page: Page, way: Way, jpeg: string): Promise<Measured | undefined> =>
  page.evaluate(
    ([how, frame, times]) =>
      (
        globalThis as unknown as { measure(way: string, jpeg: string, times: number): Promise<Measured | undefined> }
      ).measure(how, frame, times),
    [way, jpeg, TIMES] as const,
  )

function refuseMissed(measured: Measured, { codes = [] }: Scene): Measured {
  if (measured.text === codes[0]?.text) return measured
  throw new Error(`The reader found ${measured.text ?? 'nothing'} in place of ${codes[0]?.text ?? 'nothing'}`)
}

const compare = (what: string, ours: Measured, library: Measured): Comparison => ({
  what,
  product: median(ours.durations),
  baseline: median(library.durations),
  unit: 'milliseconds',
  against: 'zxing-wasm with its own settings, in the page',
  p99: { product: p99(ours.durations), baseline: p99(library.durations) },
})

const p99 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN
