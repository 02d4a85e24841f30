import { expect, type Locator, type Page } from '@playwright/test'

/** The fact about this device in the header, found by its whole name. */
export const devicePill = (page: Page): Locator => page.getByRole('link', { name: /^This device: / })

export const expectDevicePill = (page: Page, text: string): Promise<void> =>
  expect(devicePill(page)).toHaveAccessibleName(`This device: ${text}`)

export const panel = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true })

/** Opens the section for telephone support, which is folded. */
export const openSupport = (page: Page): Promise<void> => page.getByRole('heading', { name: 'For support' }).click()

/** The value next to the label `name`. */
export const fact = (page: Page, name: string): Locator =>
  page
    .locator('dt')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd[1]')

/** Sets the browser's answer to persistent storage: a headless browser never grants it. */
export async function givePersistence(page: Page, granted: boolean | 'when asked'): Promise<void> {
  await page.addInitScript((given) => {
    let kept = given === true
    navigator.storage.persisted = async () => kept
    navigator.storage.persist = async () => (kept ||= given !== false)
  }, granted)
}

/** Makes the browser deny the camera. */
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

/** Replaces the badge of an installed app. Returns a function that returns its last number; 0 means that there is no badge. */
export async function followBadge(page: Page): Promise<() => Promise<number | undefined>> {
  await page.addInitScript(() => {
    const badges: number[] = []
    Object.assign(window, { badges })
    navigator.setAppBadge = async (count) => void badges.push(count ?? -1)
    navigator.clearAppBadge = async () => void badges.push(0)
  })
  return () => page.evaluate(() => (window as never as { badges: number[] }).badges.at(-1))
}
