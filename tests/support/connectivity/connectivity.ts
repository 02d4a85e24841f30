import { expect, type Page } from '@playwright/test'

/** The connection banner below the header. */
export const connectionBanner = (page: Page) => page.getByRole('region', { name: 'Connection', exact: true })

/** Fires the browser's event that the network has changed, so that the portal checks the connection. */
export const fireOnline = (page: Page) => page.evaluate(() => dispatchEvent(new Event('online')))

/** Fires the event of a user who comes back to the tab: uploads that wait are tried now. The button "Upload now" might already be gone. */
export const fireVisibilityChange = (page: Page): Promise<unknown> =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

/** Makes the portal check its connection again and again, without a pause. */
export const probeWithoutEnd = (page: Page) =>
  page.evaluate(() => void setInterval(() => dispatchEvent(new Event('online')), 2))

/** From now on the page records what a screen reader is told about the connection. */
export async function recordAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await expect(page.locator('[data-connectivity]')).toBeAttached()
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, { said })
    const place = document.querySelector('[data-connectivity]')!
    new MutationObserver(() => void said.push(place.textContent ?? '')).observe(place, {
      childList: true,
      characterData: true,
      subtree: true,
    })
  })
  return () => page.evaluate(() => (window as never as { said: string[] }).said)
}

/** Makes navigator.onLine false for ever, as a broken driver does. */
export const pretendOffline = (page: Page) =>
  page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false }))

/** Makes a slow machine: each frame takes longer than it may, and no time is left for idle work. */
export const neverIdle = (page: Page) =>
  page.addInitScript(() => {
    const spend = () => {
      const until = performance.now() + 20
      while (performance.now() < until);
      requestAnimationFrame(spend)
    }
    requestAnimationFrame(spend)
  })
