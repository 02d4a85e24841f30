import type { Page } from '@playwright/test'
import { logIn } from '../../support/accounts/logIn.ts'
import { expect, test, testFirstVisit } from '../../support/browser/fixtures.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { openSupport, panel } from '../../support/devices/devicePage.ts'
import { logInAtCounter } from '../../support/redemptions/counterPage.ts'

/*
 * Gives the page the things that an iPhone or iPad has and no engine here does: its property, its keyboard, its notch.
 * docs/BROWSERS.md has the sources.
 */

const PHONE = { width: 390, height: 844 }

/** Covers the page with a keyboard of this height from here on; the page itself stays as high as it is. */
const openKeyboard = (page: Page, height: number) =>
  page.evaluate((covered) => {
    Object.defineProperty(visualViewport, 'height', { value: innerHeight - covered, configurable: true })
    visualViewport?.dispatchEvent(new Event('resize'))
  }, height)

const BAR = 'section[aria-labelledby=today]'

async function bottomOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).boundingBox()
  return Math.round((box?.y ?? NaN) + (box?.height ?? NaN))
}

test('a keyboard on the screen does not cover the bar of the counter', async ({ page, origin }) => {
  await page.setViewportSize(PHONE)
  await logInAtCounter(page, origin)
  expect(await bottomOf(page, BAR)).toBe(PHONE.height)
  await openKeyboard(page, 300)
  await expect.poll(() => bottomOf(page, BAR)).toBe(PHONE.height - 300)
  await openKeyboard(page, 0)
  await expect.poll(() => bottomOf(page, BAR)).toBe(PHONE.height)
})

// Uses its own context: the next test would have the notch as well.
testFirstVisit(
  'beside the notch of a phone that lies on its side there is nothing to read or press',
  async ({ page, origin }) => {
    await page.setViewportSize({ width: PHONE.height, height: PHONE.width })
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { left: 59, right: 59, bottom: 21 } })
    await logInAtCounter(page, origin)
    for (const selector of ['header', BAR, 'main']) {
      const paddings = await page
        .locator(selector)
        .evaluate((element) => [getComputedStyle(element).paddingLeft, getComputedStyle(element).paddingRight])
      for (const padding of paddings) expect([selector, Number.parseFloat(padding) >= 51]).toEqual([selector, true])
    }
  },
)

test('a browser of an iPad is told what installing changes, and what does not come along', async ({ page, origin }) => {
  await page.addInitScript(() => Object.assign(navigator, { standalone: false }))
  await logIn(page, (await makeMerchant(origin.database.db)).main)
  await page.goto('/settings/device')
  await openSupport(page)
  await expect(panel(page, 'The portal')).toContainText(
    'deletes offline data after seven days of use without the portal',
  )
  await expect(panel(page, 'Install the portal')).toContainText('The app does not see what the browser keeps.')
})

test('in an app on the home screen a PDF goes to the share sheet', async ({ page }) => {
  await page.addInitScript(() => {
    const shared: string[] = []
    Object.assign(window, { shared })
    Object.assign(navigator, { standalone: true, canShare: () => true })
    navigator.share = async (data) => void shared.push(data?.files?.[0]?.name ?? 'nothing')
  })
  await page.goto('/terms-and-conditions')
  const shared = () => page.evaluate(() => (window as never as { shared: string[] }).shared)
  await page.getByRole('link', { name: 'Download PDF' }).click()
  await expect.poll(shared).toEqual([expect.stringMatching(/\.pdf$/)])
  await expect(page.getByText(/\.pdf saved$/)).toBeVisible()
})
