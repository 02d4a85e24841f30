import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const CHROMIUM_ARGS = [
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
