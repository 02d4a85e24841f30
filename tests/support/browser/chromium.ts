import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Playwright's own list, which this one takes the place of, then what costs every new window two more pages: the suggestions below
 * an address bar that nobody sees.
 */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

const CHROMIUM_ARGS = [
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** The browser to test with: CHROMIUM when set, else the one of this machine, else `undefined`. */
export const findChromium = (): string | undefined =>
  process.env['CHROMIUM'] || findProgram('chromium', 'chromium-browser', 'google-chrome')

/** Chromium without windows, which draws nothing that nobody sees: a tenth faster. It has no camera, and installs nothing. */
export const findHeadlessShell = (): string | undefined =>
  process.env['CHROMIUM'] || findProgram('chromium-headless-shell')

function findProgram(...names: string[]): string | undefined {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)]
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path))
}

interface Launch {
  executablePath?: string
  args: string[]
}

/** What a test that opens a browser of its own launches it with. */
export const chromiumLaunch = (): Launch => launchOf(findChromium())

/** The same of the headless shell; of the whole browser where there is none. */
export const headlessShellLaunch = (): Launch => launchOf(findHeadlessShell() ?? findChromium())

const launchOf = (executablePath: string | undefined): Launch => ({
  ...(executablePath ? { executablePath } : {}),
  args: CHROMIUM_ARGS,
})
