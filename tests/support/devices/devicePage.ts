import { expect, type Locator, type Page } from '@playwright/test'

/** The fact about this device in the header, by all of its name. */
export const devicePill = (page: Page): Locator => page.getByRole('link', { name: /^This device: / })

export const expectDevicePill = (page: Page, text: string): Promise<void> =>
  expect(devicePill(page)).toHaveAccessibleName(`This device: ${text}`)

export const panel = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true })

/** What somebody who helps by telephone asks for stands folded. */
export const openSupport = (page: Page): Promise<void> => page.getByRole('heading', { name: 'For support' }).click()

/** What the page says of `name`. */
export const fact = (page: Page, name: string): Locator =>
  page
    .locator('dt')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd[1]')

/** A browser whose promise to keep what is stored is the test’s: the headless one never gives it. */
export async function givePersistence(page: Page, granted: boolean | 'when asked'): Promise<void> {
  await page.addInitScript((given) => {
    let kept = given === true
    navigator.storage.persisted = async () => kept
    navigator.storage.persist = async () => (kept ||= given !== false)
  }, granted)
}

/** A browser that was told never to give the camera. */
export async function denyCamera(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const query = navigator.permissions.query.bind(navigator.permissions)
    navigator.permissions.query = async (asked) => {
      const status = await query(asked)
      if (asked.name === ('camera' as string)) Object.defineProperty(status, 'state', { value: 'denied' })
      return status
    }
  })
}

/** Stands in for the badge of an installed app. Answers a look at the last number it was given; 0 is none. */
export async function followBadge(page: Page): Promise<() => Promise<number | undefined>> {
  await page.addInitScript(() => {
    const badges: number[] = []
    Object.assign(window, { badges })
    navigator.setAppBadge = async (count) => void badges.push(count ?? -1)
    navigator.clearAppBadge = async () => void badges.push(0)
  })
  return () => page.evaluate(() => (window as never as { badges: number[] }).badges.at(-1))
}
