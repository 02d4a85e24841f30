import { expect, type Page } from '@playwright/test'

/** The banner of the connection, under the header. */
export const connectionBanner = (page: Page) => page.getByRole('region', { name: 'Connection', exact: true })

/** The browser thinks that something about the network has changed, and the portal looks. */
export const fireOnline = (page: Page) => page.evaluate(() => dispatchEvent(new Event('online')))

/** As a person does who looks at the tab again: what rests is tried now. A press of "Upload now" might find it gone already. */
export const fireVisibilityChange = (page: Page): Promise<unknown> =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

/** The portal finds reason after reason to ask its server how the connection is: one question follows upon the other. */
export const probeWithoutEnd = (page: Page) =>
  page.evaluate(() => void setInterval(() => dispatchEvent(new Event('online')), 2))

/** From here on the page remembers what a screen reader was told of the line. */
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

/** navigator.onLine as a broken driver tells it: for ever false. */
export const pretendOffline = (page: Page) =>
  page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false }))

/** A machine that is always behind: each frame takes longer than it may, and nothing is left of it for idle work. */
export const neverIdle = (page: Page) =>
  page.addInitScript(() => {
    const spend = () => {
      const until = performance.now() + 20
      while (performance.now() < until);
      requestAnimationFrame(spend)
    }
    requestAnimationFrame(spend)
  })
