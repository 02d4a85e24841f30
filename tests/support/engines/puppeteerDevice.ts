import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import puppeteer, { type Browser, type ConsoleMessage, type Page } from 'puppeteer-core'
import { chromiumLaunch } from '../browser/chromium.ts'
import type { Device, DeviceOptions, Tab } from './Tab.ts'

const VIEWPORT = { width: 1280, height: 800 }

/** Opens Firefox with WebDriver BiDi, which Firefox supports itself. */
export async function openFirefox(executablePath: string, options: DeviceOptions): Promise<Device> {
  const downloads = join(options.folder, 'downloads')
  mkdirSync(downloads)
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    userDataDir: join(options.folder, 'profile'),
    defaultViewport: VIEWPORT,
    extraPrefsFirefox: {
      'browser.download.dir': downloads,
      'browser.download.folderList': 2,
      'browser.privatebrowsing.autostart': options.privateMode ?? false,
      // Firefox gives one origin a fifth of this limit.
      ...(options.quota ? { 'dom.quotaManager.temporaryStorage.fixedLimit': options.quota * 5 } : {}),
      'media.navigator.streams.fake': true,
      'permissions.default.camera': options.refuseCamera ? 2 : 1,
    },
  })
  return deviceOf(browser, downloads, (page) => refuseDatabase(page, options))
}

export async function openChromium(executablePath: string, options: DeviceOptions): Promise<Device> {
  const downloads = join(options.folder, 'downloads')
  mkdirSync(downloads)
  const browser = await puppeteer.launch({
    executablePath,
    headless: true,
    userDataDir: join(options.folder, 'profile'),
    defaultViewport: VIEWPORT,
    downloadBehavior: { policy: 'allow', downloadPath: downloads },
    args: [
      ...chromiumLaunch().args,
      ...(options.privateMode ? ['--incognito'] : []),
      '--use-fake-device-for-media-stream',
      ...(options.refuseCamera ? ['--deny-permission-prompts'] : []),
    ],
  })
  return deviceOf(browser, downloads, async (page) => {
    await refuseDatabase(page, options)
    // Chromium has no switch for the limit.
    if (!options.quota) return
    const session = await page.createCDPSession()
    await session.send('Storage.overrideQuotaForOrigin', { origin: options.origin, quotaSize: options.quota * 1_024 })
  })
}

/** Blocks IndexedDB in the page but not in its worker: neither Chromium nor Firefox (153) has a switch for it. */
async function refuseDatabase(page: Page, { noDatabase }: DeviceOptions) {
  if (!noDatabase) return
  await page.evaluateOnNewDocument(() => {
    indexedDB.open = () => {
      throw new DOMException('refused', 'SecurityError')
    }
  })
}

type Prepare = (page: Page) => Promise<void>

function deviceOf(browser: Browser, downloads: string, prepare: Prepare = async () => undefined): Device {
  const heard: string[] = []
  return {
    downloads,
    complaints: () => heard,
    async newTab() {
      const page = await browser.newPage()
      await prepare(page)
      page.on('pageerror', (error) => void heard.push(`page error: ${String(error)}`))
      page.on('console', (message: ConsoleMessage) => {
        if (message.type() === 'error') heard.push(`console error: ${message.text()} (${message.location().url ?? ''})`)
      })
      return tabOf(page)
    },
    close: () => browser.close(),
  }
}

const tabOf = (page: Page): Tab => ({
  goto: async (url) => void (await page.goto(url)),
  reload: async () => void (await page.reload()),
  evaluate: <A, R>(work: (given: A) => R | Promise<R>, given?: A) =>
    page.evaluate(work as (given: unknown) => Promise<R>, given),
  click: (x, y) => page.mouse.click(x, y),
  type: (keys) => page.keyboard.type(keys),
  screenshot: async () => Buffer.from(await page.screenshot()),
})
