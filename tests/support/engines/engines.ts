import { existsSync } from 'node:fs'
import { versionOf } from '../../run/versionOf.ts'
import { findChromium } from '../browser/chromium.ts'
import type { Device, DeviceOptions } from './Tab.ts'

interface Engine {
  name: string
  /** Debian's, which have it; none for one that the caller names. */
  packages?: string[]
  /** Of what is installed. */
  version: () => string | undefined
  /** Its program, if it is installed. */
  find: () => string | undefined
  open: (program: string, options: DeviceOptions) => Promise<Device>
}

// Loaded where a browser is started only: every worker of Playwright reads this list.
const openChromium: Engine['open'] = async (...given) => (await import('./puppeteerDevice.ts')).openChromium(...given)
const openFirefox: Engine['open'] = async (...given) => (await import('./puppeteerDevice.ts')).openFirefox(...given)
const openWebKit: Engine['open'] = async (...given) => (await import('./webkitDevice.ts')).openWebKit(...given)

const firstThat = (...paths: string[]) => paths.find((path) => existsSync(path))

const olderChromium = () => process.env['OLDER_CHROMIUM']
const firefox = () => process.env['FIREFOX'] || firstThat('/usr/bin/firefox-esr', '/usr/bin/firefox')

const LIBRARIES = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`
/** What the window of webkitBrowser.js is made of, by gjs. */
const WEBKIT = ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb', `${LIBRARIES}/girepository-1.0/WebKit2-4.1.typelib`]
const webKit = () => (WEBKIT.every((path) => existsSync(path)) ? firstThat('/usr/bin/gjs') : undefined)

/** Those that tests can run in here. */
export const installedEngines = (): Engine[] => ENGINES.filter(({ find }) => find())

export const ENGINES: readonly Engine[] = [
  {
    name: 'chromium',
    packages: ['chromium'],
    version: () => versionOf(findChromium()),
    find: findChromium,
    open: openChromium,
  },
  { name: 'older chromium', version: () => versionOf(olderChromium()), find: olderChromium, open: openChromium },
  {
    name: 'firefox',
    packages: ['firefox-esr'],
    version: () => versionOf(firefox()),
    find: firefox,
    open: openFirefox,
  },
  {
    name: 'webkit',
    packages: ['webkit2gtk-driver', 'gir1.2-webkit2-4.1', 'gjs', 'xvfb'],
    // Its library has no program that says it.
    version: () => webKit() && versionOf('dpkg-query', ['-W', '-f=${Version}', 'webkit2gtk-driver']),
    find: webKit,
    open: openWebKit,
  },
]
