import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { IS_SHORT_FORM } from './accessibility.ts'

/** A tablet on its side in light colours, and a phone in dark ones. The short form takes the first. */
const SIZES = [
  { name: 'tablet', width: 1280, height: 800, colorScheme: 'light' },
  { name: 'phone', width: 390, height: 844, colorScheme: 'dark' },
] as const

const TYPEFACE = import.meta
  .resolve('@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2')
/** The portal's typeface, also for texts in the machine's own: each machine has another one. */
const FONT = readFileSync(fileURLToPath(TYPEFACE)).toString('base64')

/**
 * Compares the screen with its pictures in `tests/e2e/shell/pictures`. Digits in texts become 0 and digits in fields are hidden, since ids and times
 * differ from run to run. Plots and codes to scan are covered. `--update-snapshots` takes the pictures again.
 */
export async function expectPicture(page: Page, name: string): Promise<void> {
  for (const { name: size, width, height, colorScheme } of IS_SHORT_FORM ? SIZES.slice(0, 1) : SIZES) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    await page.evaluate(useTestFont, FONT)
    await page.evaluate(blankNumbers)
    await expect.soft(page).toHaveScreenshot(`${name}-${size}.png`, { mask: [page.locator('canvas, img')] })
    await page.evaluate(bringNumbersBack)
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize({ width: 1280, height: 800 })
}

// The following functions run in the page.

/** Loads the font from its bytes and sets it in the page's style declaration: the portal's policy allows both. */
async function useTestFont(bytes: string): Promise<void> {
  if (![...document.fonts].some(({ family }) => family === 'Pictures')) {
    const data = Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))
    document.fonts.add(await new FontFace('Pictures', data, { weight: '200 800' }).load())
  }
  for (const family of ['--font', '--mono']) document.documentElement.style.setProperty(family, 'Pictures')
}

declare global {
  interface Window {
    blanked?: [Text, string][]
  }
}

function blankNumbers(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  window.blanked = []
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (!/\d/.test(node.data)) continue
    window.blanked.push([node, node.data])
    node.data = node.data.replaceAll(/\d+/g, '0')
  }
  // Each select is drawn again: it would keep the width of its longest choice, which other tests may have made longer.
  for (const select of document.querySelectorAll('select')) {
    select.style.display = 'none'
    void select.offsetWidth
    select.style.display = ''
  }
  // The text is only hidden, because React controls the values of fields.
  for (const field of document.querySelectorAll('input'))
    field.style.color = /\d/.test(field.value) ? 'transparent' : ''
}

function bringNumbersBack(): void {
  for (const [node, text] of window.blanked ?? []) node.data = text
  for (const field of document.querySelectorAll('input')) field.style.color = ''
}
