import type { Page } from '@playwright/test'

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
