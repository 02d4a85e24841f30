import { expect, type Page } from '@playwright/test'

/**
 * Holds back the stylesheet and every script except boot.ts until the returned function is called. For pages without a service worker. Removes the
 * text "Still loading", which a slow machine would show and which would move the things that a test compares. The typeface never
 * loads, so that the app's screen has the letters of the drawn one.
 */
export async function holdBackScripts(page: Page): Promise<() => void> {
  let release = () => undefined as void
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.addInitScript(() => {
    FontFace.prototype.load = () => new Promise(() => undefined)
    document.addEventListener('DOMContentLoaded', () => document.getElementById('start-news')?.remove())
  })
  await page.route(/\/assets\/.*\.(js|css)$/, async (route) => {
    await released
    await route.continue()
  })
  return release
}

export const firstScreen = (page: Page) => page.locator('#first')

/** Waits until the app has replaced the drawn screen. */
export async function expectAppTookOver(page: Page): Promise<void> {
  await expect(firstScreen(page)).toHaveCount(0)
  await expect(page.locator('#root')).toBeVisible()
}

/**
 * Returns the position and colours of everything visible below `within`, to find what would flash or jump. The link to the
 * device page is left out: it says whether the device is ready offline, and may appear later if it moves nothing else.
 */
export const visibleLayout = (page: Page, within: string) =>
  page.evaluate((selector) => {
    const all = document.querySelectorAll(`${selector} :is(a, button, h1, h2, label, input, p, svg, nav, form, small)`)
    return [...all]
      .filter((element) => element.getClientRects().length > 0 && !element.closest('a[href="/settings/device"]'))
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        const { color, backgroundColor, fontWeight } = getComputedStyle(element)
        const box = [x, y, width, height].map((side) => Math.round(side * 10) / 10).join(' ')
        return `${element.localName} ${box} ${color} ${backgroundColor} ${fontWeight}`
      })
  }, within)

/** Returns the sum of all layout shifts since the page began. */
export const layoutShift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        // The browser delivers buffered entries in a task of their own.
        requestAnimationFrame(() => setTimeout(() => resolve(sum)))
      }),
  )

/** Returns the time of the first paint, in milliseconds since the navigation began. The browser records it a moment after it is visible. */
export const firstPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          for (const { startTime } of list.getEntriesByName('first-contentful-paint')) resolve(startTime)
        }).observe({ type: 'paint', buffered: true })
      }),
  )
