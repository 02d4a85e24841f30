import { expect, type Page } from '@playwright/test'

/**
 * Holds the stylesheet and every script but boot.ts back, until the returned function lets them through. For pages without a
 * worker. On a slow machine that takes long enough for "Still loading", which would move what a test compares: its words are
 * taken away.
 */
export async function holdBackScripts(page: Page): Promise<() => void> {
  let release = () => undefined as void
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => document.getElementById('start-news')?.remove())
  })
  await page.route(/\/assets\/.*\.(js|css)$/, async (route) => {
    await released
    await route.continue()
  })
  return release
}

export const firstScreen = (page: Page) => page.locator('#first')

/** Until the app stands where the drawn screen did. */
export async function expectAppTookOver(page: Page): Promise<void> {
  await expect(firstScreen(page)).toHaveCount(0)
  await expect(page.locator('#root')).toBeVisible()
}

/**
 * Where everything that can be seen stands below `within`, and its colours: what would flash or jump if it changed. Whether the
 * device is ready offline is only known once it was looked at; that may come, as long as nothing moves for it.
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

/** The sum of all layout shifts since the page began. */
export const layoutShift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        // Buffered entries are delivered in a task of their own.
        requestAnimationFrame(() => setTimeout(() => resolve(sum)))
      }),
  )

/** When something was first painted, in milliseconds since the navigation began. The browser notes it a moment after it can be seen. */
export const firstPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          for (const { startTime } of list.getEntriesByName('first-contentful-paint')) resolve(startTime)
        }).observe({ type: 'paint', buffered: true })
      }),
  )
