import { existsSync } from 'node:fs'
import { versionOf } from '../../run/versionOf.ts'
import { findChromium } from '../browser/chromium.ts'
import type { Device, DeviceOptions } from './Tab.ts'

interface Engine {
  name: string
  /** The packages of Debian that have it. Not set for a browser that the caller names. */
  packages?: string[]
  /** Returns the version that is installed. */
  version: () => string | undefined
  /** Returns the path of its program if it is installed. */
  find: () => string | undefined
  open: (program: string, options: DeviceOptions) => Promise<Device>
}

// Loaded only when a browser is started: every worker of Playwright reads this list.
const openChromium: Engine['open'] = async (...given) => (await import('./puppeteerDevice.ts')).openChromium(...given)
const openFirefox: Engine['open'] = async (...given) => (await import('./puppeteerDevice.ts')).openFirefox(...given)
const openWebKit: Engine['open'] = async (...given) => (await import('./webkitDevice.ts')).openWebKit(...given)

const firstThat = (...paths: string[]) => paths.find((path) => existsSync(path))

const olderChromium = () => process.env['OLDER_CHROMIUM']
const firefox = () => process.env['FIREFOX'] || firstThat('/usr/bin/firefox-esr', '/usr/bin/firefox')

const LIBRARIES = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`
/** The files that gjs needs for the window of webkitBrowser.js. */
const WEBKIT = ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb', `${LIBRARIES}/girepository-1.0/WebKit2-4.1.typelib`]
const webKit = () => (WEBKIT.every((path) => existsSync(path)) ? firstThat('/usr/bin/gjs') : undefined)

/** Returns the engines that are installed here. */
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
    // The library has no program that prints its version.
    version: () => webKit() && versionOf('dpkg-query', ['-W', '-f=${Version}', 'webkit2gtk-driver']),
    find: webKit,
    open: openWebKit,
  },
]
