import type { Page } from '@playwright/test'
import { releaseAnyHold } from '../../../server/services/redemptions/holds.ts'
import { invite } from '../../support/accounts/invite.ts'
import { readyOffline, signIn } from '../../support/accounts/signIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { checkForUpdate, expectBuild, refreshButton, updatePrompt } from '../../support/browser/updates.ts'
import { connectionBanner, fireOnline } from '../../support/connectivity/connectivity.ts'
import { makeBranch, makeMerchant } from '../../support/database/builders.ts'
import { inTray, signInAtCounter, verifySerial } from '../../support/redemptions/counterPage.ts'
import { askForDays, merchantWithRedemptions, openReportForOffline } from '../../support/reports/reportPage.ts'

const bell = (page: Page) => page.getByRole('button', { name: /^Notices/ })
const list = (page: Page) => page.getByRole('dialog', { name: 'Notices' })
const items = (page: Page) => list(page).getByRole('listitem')
const daysAgo = (origin: PortalOrigin, days: number) => new Date(origin.clock.now().getTime() - days * 86_400_000)

/** Two branches whose invitations ran out one and two days ago. */
async function merchantWithExpired(origin: PortalOrigin) {
  const { db } = origin.database
  const { organisation, main } = await makeMerchant(db)
  const branches = []
  for (const days of [8, 9]) {
    const branch = await makeBranch(db, organisation)
    await invite(db, { organisation, branch }, daysAgo(origin, days))
    branches.push(branch)
  }
  return { main, branches }
}

test('the bell counts what is unread, leads to it, and what was read is read on every device of the person', async ({
  page,
  origin,
  browser,
}) => {
  const { main, branches } = await merchantWithExpired(origin)
  await signIn(page, main)
  await expect(bell(page)).toHaveAccessibleName('Notices, 2 unread')
  await bell(page).press('Enter')
  await expect(items(page)).toHaveCount(2)
  await expect(items(page).first()).toContainText(`${branches[0]!.name}: nobody followed the link`)
  await items(page).first().getByRole('link').click()
  await expect(page).toHaveURL(`/branches/${branches[0]!.id}/view`)
  await expect(list(page)).toHaveCount(0)
  await expect(bell(page)).toHaveAccessibleName('Notices, 1 unread')
  await bell(page).click()
  await list(page).getByRole('button', { name: 'Mark all as read' }).click()
  await expect(list(page).getByText('New', { exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(bell(page)).toBeFocused()
  await expect(bell(page)).toHaveAccessibleName('Notices')

  const elsewhere = await (await browser.newContext({ baseURL: origin.url })).newPage()
  await expect.poll(() => origin.sent('POST', '/api/notices/read').filter((one) => one.status === 200).length).toBe(2)
  await signIn(elsewhere, main)
  await bell(elsewhere).click()
  await expect(items(elsewhere)).toHaveCount(2)
  await expect(list(elsewhere).getByText('New', { exact: true })).toHaveCount(0)
  await elsewhere.context().close()
})

testWithWorker(
  'without a connection the list is as of then, and what is read there is told when the connection is back',
  async ({ page, origin }) => {
    const { main } = await merchantWithExpired(origin)
    await signIn(page, main)
    await readyOffline(page)
    await expect(bell(page)).toHaveAccessibleName('Notices, 2 unread')
    await origin.line({ kind: 'refuse' })
    await fireOnline(page)
    await expect(connectionBanner(page)).toBeVisible()
    await page.reload()
    await expect(bell(page)).toHaveAccessibleName('Notices, 2 unread')
    await bell(page).click()
    await expect(list(page).getByText(/as of/)).toBeVisible()
    await list(page)
      .getByRole('button', { name: /^Mark .* as read$/ })
      .first()
      .click()
    await page.keyboard.press('Escape')
    await expect(bell(page)).toHaveAccessibleName('Notices, 1 unread')
    await page.reload()
    await expect(bell(page)).toHaveAccessibleName('Notices, 1 unread')
    await origin.line({ kind: 'up' })
    await fireOnline(page)
    await expect.poll(() => origin.sent('POST', '/api/notices/read').filter((one) => one.status === 200).length).toBe(1)
  },
)

testWithWorker(
  'a report that is ready and an update that was installed are news of this device',
  async ({ page, origin }) => {
    const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
    await openReportForOffline(page, main, 'transaction')
    await askForDays(page, '2026-10-01', '2026-10-15')
    await expect(bell(page)).toHaveAccessibleName('Notices, 1 unread')
    origin.deploy('2')
    await checkForUpdate(page)
    await expect(updatePrompt(page)).toBeVisible()
    await refreshButton(page).click()
    await expectBuild(page, '2')
    await expect(bell(page)).toHaveAccessibleName('Notices, 2 unread')
    await bell(page).click()
    await expect(items(page).first()).toContainText('Update installed')
    await expect(items(page).last()).toContainText('Report ready')
    await items(page).last().getByRole('link', { name: 'Open downloads' }).click()
    await expect(page).toHaveURL('/downloads')
    await expect(bell(page)).toHaveAccessibleName('Notices, 1 unread')
  },
)

test('a till hears that the programme released its hold', async ({ page, origin }) => {
  const { voucher } = await signInAtCounter(page, origin)
  await expect(bell(page)).toHaveCount(0)
  await verifySerial(page, voucher.serial)
  await expect(inTray(page, 'Good')).toBeVisible()
  await releaseAnyHold(origin.deps, voucher.serial)
  await page.reload()
  await expect(bell(page)).toHaveAccessibleName('Notices, 1 unread')
  await bell(page).click()
  await expect(items(page)).toContainText('$10.00 voucher')
  await expect(items(page)).toContainText('released by the programme')
  await expect(items(page).getByRole('link')).toHaveCount(0)
})

test('the list is accessible and fits', async ({ page, origin }) => {
  const { main } = await merchantWithExpired(origin)
  await signIn(page, main)
  await bell(page).click()
  await expect(items(page)).toHaveCount(2)
  await expectAccessibleAndFits(page)
})

test('notices stand at the bell, and a press beside them or Escape leads back to it', async ({ page, origin }) => {
  const { main } = await merchantWithExpired(origin)
  await signIn(page, main)
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    // While the panel is open the page behind it is hidden, for who does not see it and for this test.
    const button = await bell(page).boundingBox()
    await bell(page).click()
    await expect(items(page)).toHaveCount(2)
    const panel = await list(page).boundingBox()
    expect(panel!.y).toBeGreaterThanOrEqual(button!.y + button!.height)
    expect(panel!.y).toBeLessThan(button!.y + button!.height + 16)
    expect(panel!.x).toBeGreaterThanOrEqual(0)
    expect(panel!.x + panel!.width).toBeLessThanOrEqual(viewport.width)
    await page.mouse.click(10, viewport.height - 10)
    await expect(list(page)).toHaveCount(0)
    await expect(bell(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(items(page)).toHaveCount(2)
    await page.keyboard.press('Escape')
    await expect(bell(page)).toBeFocused()
  }
})
