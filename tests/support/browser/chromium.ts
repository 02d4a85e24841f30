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
export function findChromium(): string | undefined {
  if (process.env['CHROMIUM']) return process.env['CHROMIUM']
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)]
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path))
}

/** What a test that opens a browser of its own launches it with. */
export function chromiumLaunch(): { executablePath?: string; args: string[] } {
  const executablePath = findChromium()
  return { ...(executablePath ? { executablePath } : {}), args: CHROMIUM_ARGS }
}
