import type { Page } from '@playwright/test'
import { invite } from '../../support/accounts/invite.ts'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { connectionBanner, fireOnline } from '../../support/connectivity/connectivity.ts'
import { makeBranch, makeHold, makeMerchant, makePosUser } from '../../support/database/builders.ts'
import { desk } from '../../support/server/desk.ts'

const bell = (page: Page) => page.getByRole('button', { name: /^Notices/ })
const list = (page: Page) => page.getByRole('dialog', { name: 'Notices' })
const items = (page: Page) => list(page).getByRole('listitem')
const isNew = (page: Page) => list(page).getByText('New', { exact: true })
const daysAgo = (origin: PortalOrigin, days: number) => new Date(origin.clock.now().getTime() - days * 86_400_000)

/** Makes a merchant with a branch and a master whose invitations have expired. */
async function merchantWithExpired(origin: PortalOrigin) {
  const { db } = origin.database
  const { organisation, main } = await makeMerchant(db)
  const branch = await makeBranch(db, organisation)
  await invite(db, { organisation, branch }, daysAgo(origin, 8))
  await invite(db, { organisation }, daysAgo(origin, 9))
  return { main, organisation, branch }
}

test('the bell counts what is new on this device, and each notice leads to where it is mended', async ({
  page,
  origin,
}) => {
  const { main, organisation, branch } = await merchantWithExpired(origin)
  await logIn(page, main)
  await expect(bell(page)).toHaveAccessibleName('Notices, 2 new')
  await bell(page).press('Enter')
  await expect(items(page)).toHaveCount(2)
  await expect(isNew(page)).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(bell(page)).toBeFocused()
  await page.reload()
  await expect(bell(page)).toHaveAccessibleName('Notices')

  const { db } = origin.database
  await invite(db, { organisation, branch: await makeBranch(db, organisation) }, daysAgo(origin, 7.5))
  await page.reload()
  await expect(bell(page)).toHaveAccessibleName('Notices, 1 new')
  await bell(page).click()
  await expect(items(page).filter({ has: page.getByText('New', { exact: true }) })).toContainText([
    '2 invitations expired',
  ])
  await items(page).filter({ hasText: '2 invitations expired' }).getByRole('link').click()
  await expect(list(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/branches\?.*Pending/)
  await expect(page.locator('tbody tr')).toHaveCount(2)
  await expect(page.getByRole('table')).toContainText(branch.name)
})

testWithWorker(
  'without a connection the list is as of then, and what was seen stays seen',
  async ({ page, origin }) => {
    const { main } = await merchantWithExpired(origin)
    await logIn(page, main)
    await readyOffline(page)
    await expect(bell(page)).toHaveAccessibleName('Notices, 2 new')
    await origin.setConnection({ kind: 'refuse' })
    await fireOnline(page)
    await expect(connectionBanner(page)).toBeVisible()
    await page.reload()
    await expect(bell(page)).toHaveAccessibleName('Notices, 2 new')
    await bell(page).click()
    await expect(list(page).getByText(/as of/)).toBeVisible()
    await page.keyboard.press('Escape')
    await page.reload()
    await expect(bell(page)).toHaveAccessibleName('Notices')
  },
)

test('what the provider did is told in the words of the activity log, and leads there', async ({ page, origin }) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const { voucher } = await makeHold(db, await makePosUser(db, merchant), origin.clock.now())
  await desk(origin.env, `release-hold ${voucher.serial}`)
  await logIn(page, merchant.main)
  await expect(bell(page)).toHaveAccessibleName('Notices, 1 new')
  await bell(page).click()
  await expect(items(page)).toContainText(`The programme released the hold on voucher …${voucher.serial.slice(-4)}`)
  await expect(items(page)).toContainText(`${merchant.branch.name}. Till: Till 1`)
  await items(page).getByRole('link').click()
  await expect(page).toHaveURL(/\/activity\?/)
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await expect(page.locator('tbody tr')).toContainText('Provider')
})

test('notices are accessible, and closing them leads back to the bell', async ({ page, origin }) => {
  const { main } = await merchantWithExpired(origin)
  await logIn(page, main)
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    await bell(page).click()
    await expect(items(page)).toHaveCount(2)
    await expectAccessibleAndFits(page)
    await page.setViewportSize(viewport)
    await page.keyboard.press('Escape')
    await expect(list(page)).toHaveCount(0)
    await expect(bell(page)).toBeFocused()
  }
})
