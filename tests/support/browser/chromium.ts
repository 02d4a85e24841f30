import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Playwright's own list, which this one replaces. Then the suggestions below the address bar, which cost every new window two more pages and are
 * never seen.
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

/** Returns the browser to test with: CHROMIUM if it is set, or the one of this machine, or `undefined`. */
export const findChromium = (): string | undefined =>
  process.env['CHROMIUM'] || findProgram('chromium', 'chromium-browser', 'google-chrome')

/** Returns Chromium without windows, which does not draw for a screen and is a tenth faster. It has no camera and cannot install apps. */
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

/** Returns the launch options for a test that opens a browser of its own. */
export const chromiumLaunch = (): Launch => launchOf(findChromium())

/** Returns the launch options of the headless shell, or of the whole browser where there is no shell. */
export const headlessShellLaunch = (): Launch => launchOf(findHeadlessShell() ?? findChromium())

const launchOf = (executablePath: string | undefined): Launch => ({
  ...(executablePath ? { executablePath } : {}),
  args: CHROMIUM_ARGS,
})
