import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { testWithOrigin } from '../browser/fixtures.ts'
import { startNginx } from '../operations/nginx.ts'
import { freePort } from '../server/freePort.ts'
import { ENGINES } from './engines.ts'
import { PortalTab } from './PortalTab.ts'
import type { Device, DeviceOptions } from './Tab.ts'
import { TranslatedTab } from './TranslatedTab.ts'

interface TestFixtures {
  /** The address of the pages: the origin, or nginx in front of it. */
  url: string
  /** A browser that is started for the test. */
  device: Device
  /** The first tab of the browser. */
  portal: PortalTab
  /** The same tab with a translator, which must not break what React has rendered. */
  translated: TranslatedTab
  settings: Omit<DeviceOptions, 'folder' | 'origin'>
}

export const test = testWithOrigin.extend<TestFixtures, { engine: string }>({
  engine: ['', { scope: 'worker', option: true }],
  settings: [{}, { option: true }],

  url: async ({ origin, settings }, use) => {
    if (!settings.https) return use(origin.url)
    const { host } = new URL(origin.url)
    const nginx = await startNginx(await freePort(), [host, host])
    await use(nginx.url)
    await nginx.stop()
  },

  device: async ({ engine, origin, url, settings }, use) => {
    await origin.reset()
    const { find, open } = ENGINES.find(({ name }) => name === engine)!
    const folder = join(tmpdir(), `browser-${randomUUID()}`)
    mkdirSync(folder)
    const device = await open(find()!, { folder, origin: url, ...settings })
    await use(device)
    await origin.restore()
    await device.close()
    await rm(folder, { recursive: true, force: true })
    expect(origin.serverErrors, 'errors of the server').toEqual([])
  },

  portal: async ({ device, url }, use, testInfo) => {
    const portal = new PortalTab(await device.newTab(), url)
    await use(portal)
    if (testInfo.status === testInfo.expectedStatus) return
    writeFileSync(testInfo.outputPath('screen.png'), await portal.tab.screenshot())
    writeFileSync(testInfo.outputPath('complaints.txt'), device.complaints().join('\n'))
  },

  translated: async ({ device, portal, url }, use) => {
    const translated = new TranslatedTab(portal.tab, url)
    await use(translated)
    await translated.expectNoText('This screen could not be shown')
    expect(device.complaints().filter((text) => /not a child|NotFoundError/.test(text))).toEqual([])
  },
})

export { expect }
