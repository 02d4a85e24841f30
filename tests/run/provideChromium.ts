import { findChromium } from '../support/browser/chromium.ts'
import { installDebianPackages } from './installDebianPackages.ts'

/** Finds Chromium or installs it; answers what is missing otherwise. */
export async function provideChromium(): Promise<string | undefined> {
  if (findChromium()) return undefined
  const failure = await installDebianPackages('chromium')
  return failure && `Chromium: ${failure} Or set CHROMIUM to the path of a browser.`
}
