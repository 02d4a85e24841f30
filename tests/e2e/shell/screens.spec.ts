import type { Locator, Page } from '@playwright/test'
import { logIn } from '../../support/accounts/logIn.ts'
import { expectShippable } from '../../support/browser/everyWidth.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import { fireVisibilityChange } from '../../support/connectivity/connectivity.ts'
import { makeMerchant, makeSerial, makeVoucher, makeVouchers } from '../../support/database/builders.ts'
import { LONG_NAME, makeDevices, merchantWithPast } from '../../support/merchants/merchantWithPast.ts'
import { confirmDialog, reviewButton, submitOnboarding } from '../../support/merchants/reviewPage.ts'
import { inTray, verdict, verifySerial, WILL_UPLOAD } from '../../support/redemptions/counterPage.ts'

// Every route, and each state of the counter between two vouchers, at every width, for eyes and for screen readers.

async function expectAllShippable(page: Page, routes: Record<string, string>) {
  for (const [name, path] of Object.entries(routes)) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectShippable(page, name)
  }
}

test('every screen of a main account fits, and is accessible @short', async ({ page, origin }) => {
  test.slow()
  const { main, branch, master } = await merchantWithPast(origin)
  await logIn(page, main)
  await expectAllShippable(page, {
    dashboard: '/dashboard',
    vouchers: '/vouchers',
    branches: '/branches',
    branch: `/branches/${branch.id}/view`,
    'edit branch': `/branches/${branch.id}/edit`,
    'create branch': '/branches/create',
    masters: '/masters',
    'edit master': `/masters/${master.id}/edit`,
    'create master': '/masters/create',
    profile: '/profile',
    'edit profile': '/profile/edit',
  })
})

test('every dialog of a main account fits, and is accessible', async ({ page, origin }) => {
  test.slow()
  const merchant = await merchantWithPast(origin)
  const { main, branch } = merchant
  await makeDevices(origin, merchant)
  await logIn(page, main)
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
  const choose = async (menu: string, item: string) => {
    await press(menu)
    await page.getByRole('menuitem', { name: item }).click()
  }
  const dialogs: [name: string, path: string, open: () => Promise<unknown>][] = [
    ['palette', '/dashboard', () => page.keyboard.press('Control+k')],
    ['notices', '/dashboard', () => page.getByRole('button', { name: /^Notices/ }).click()],
    ['voucher', '/vouchers', () => page.locator('tbody td a').first().click()],
    ['redemption in the activity', '/activity', () => page.locator('tbody td button').first().click()],
    ['device', '/devices', () => page.locator('tbody td button').first().click()],
    ['deactivate branch', `/branches/${branch.id}/view`, () => press('Deactivate')],
    ['set password', `/branches/${branch.id}/view`, () => choose('More actions', 'Set password')],
    ['change login email', `/branches/${branch.id}/view`, () => choose('More actions', 'Change login email')],
    ['change password', '/profile', () => press('Change password')],
  ]
  for (const [name, path, open] of dialogs) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[aria-busy=true], [data-skeleton]')).toHaveCount(0)
    await open()
    await expect(dialog).toBeVisible()
    await expectShippable(page, `dialog ${name}`)
  }
})

test('every screen of reports, files and the device fits, and is accessible', async ({ page, origin }) => {
  test.slow()
  const merchant = await merchantWithPast(origin)
  await makeDevices(origin, merchant)
  await logIn(page, merchant.main)
  await expectAllShippable(page, {
    reports: '/reports',
    'monthly report': '/reports/monthly-report',
    'transaction report': '/reports/transaction-report',
    'daily report': '/reports/daily-report',
    losses: '/reports/losses',
    resources: '/resources',
    downloads: '/downloads',
    activity: '/activity',
    devices: '/devices',
    'import branches': '/imports/branches',
    'import pos users': '/imports/pos-users',
    device: '/settings/device',
    'not found': '/404',
  })
})

test('every screen that a master sees otherwise than a main account fits, and is accessible', async ({
  page,
  origin,
}) => {
  test.slow()
  const { master } = await merchantWithPast(origin)
  await logIn(page, master)
  await expectAllShippable(page, {
    'dashboard of a master': '/dashboard',
    'branches of a master': '/branches',
    'create branch of a master': '/branches/create',
    'profile of a master': '/profile',
    'edit profile of a master': '/profile/edit',
  })
})

test('every screen that a branch sees otherwise than a main account fits, and is accessible', async ({
  page,
  origin,
}) => {
  test.slow()
  const { login } = await merchantWithPast(origin)
  await logIn(page, login)
  await expectAllShippable(page, {
    'dashboard of a branch': '/dashboard',
    'profile of a branch': '/profile',
    'transaction report of a branch': '/reports/transaction-report',
    'import pos users of a branch': '/imports/pos-users',
  })
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Create POS user' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectShippable(page, 'dialog create pos user')
})

test('the desk of the provider fits, and is accessible, before a decision and after it', async ({ page, origin }) => {
  test.slow()
  const { link } = await submitOnboarding(origin, { organisation_name: LONG_NAME })
  await page.goto(link)
  await expect(reviewButton(page, 'Approve')).toBeVisible()
  await expectShippable(page, 'review of an onboarding')
  await page.getByLabel('Reason, if rejected').fill(`The agreement is not of ${LONG_NAME}.`)
  await reviewButton(page, 'Reject').click()
  await expect(confirmDialog(page)).toBeVisible()
  await expectShippable(page, 'dialog reject')
  await confirmDialog(page).getByRole('button', { name: 'Reject' }).click()
  await expect(page.getByText(/^Rejected on/)).toBeVisible()
  await expectShippable(page, 'review decided')
})

test('every screen of a visitor and of an applicant fits, and is accessible', async ({ page, origin }) => {
  test.slow()
  await expectAllShippable(page, {
    login: '/login',
    'login of a till': '/login?as=pos',
    'login after a multiple login': '/login?multiLogin=1',
    'forgot password': '/login?step=forgot',
    register: '/register?type=hrp',
    help: '/help',
    review: '/review',
  })
  const { db } = origin.database
  const { main: applicant } = await makeMerchant(db, 'HRP Merchant', 'Pending Activation')
  await logIn(page, applicant)
  await expectAllShippable(page, { onboarding: '/onboarding' })
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  const { main: waiting } = await makeMerchant(db, 'HRP Merchant', 'Pending Authorisation')
  await logIn(page, waiting)
  await expectAllShippable(page, {
    'onboarding submitted': '/onboarding-submitted',
    'pending authorisation': '/pending-authorisation',
  })
})

test('a toast that stays covers no link and no button of a page without the frame', async ({ page, origin }) => {
  test.slow()
  const { main } = await merchantWithPast(origin)
  await logIn(page, main)
  // As if the device had slept beyond the limit.
  await page.addInitScript(() => localStorage.setItem('last-action', '1'))
  await page.goto('/dashboard')
  const ended = page.getByText('You were logged out because you were inactive.')
  await expect(ended).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await expectShippable(page, 'login with a toast')
  await page.getByRole('link', { name: 'Help', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible()
  await expect(ended).toBeVisible()
  await expectShippable(page, 'help with a toast')
})

test('a toast covers no row of a list, no foot of a form and no button of a dialog', async ({ page, origin }) => {
  test.slow()
  const { main } = await merchantWithPast(origin)
  await logIn(page, main)
  await page.goto('/vouchers?view=all')
  await expect(page.locator('tbody td a').first()).toBeVisible()
  await origin.setConnection({ kind: 'unavailable' }, ({ path }) => path === '/api/voucher/export')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const failed = page.getByText('The list was not exported.')
  await expect(failed).toBeVisible()
  await expectShippable(page, 'list with a toast')
  await page.locator('tbody td a').first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectShippable(page, 'dialog with a toast')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'Profile' }).first().click()
  await page.getByRole('link', { name: 'Edit profile' }).click()
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeVisible()
  await expect(failed).toBeVisible()
  await expectShippable(page, 'form with a toast')
  await page.getByRole('link', { name: 'Masters' }).first().click()
  await page.getByRole('link', { name: 'Create master' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Create master' })).toBeVisible()
  await expect(failed).toBeVisible()
  await expectShippable(page, 'short form with a toast')
})

test('a toast covers no key and no button of the counter @short', async ({ page, origin }) => {
  test.slow()
  const { till } = await merchantWithPast(origin)
  await logIn(page, till)
  const redeem = async () => {
    const voucher = await makeVoucher(origin.database.db, { denominationCents: 1_000 })
    await verifySerial(page, voucher.serial)
    await page.getByRole('button', { name: 'Redeem $10.00' }).click()
    await expect(verdict(page, 'Redeemed')).toBeVisible()
  }
  // One to void here, and one in My day, where a redemption that is being voided has no button.
  await redeem()
  await page.getByRole('button', { name: 'Next customer' }).click()
  await redeem()
  await origin.setConnection({ kind: 'refuse' })
  const press = () => confirmDialog(page).getByRole('button', { name: 'Void redemption' }).click()
  await page.getByRole('button', { name: 'Void this redemption' }).click()
  await press()
  const unanswered = page.getByText('No answer from the server.')
  await expect(unanswered).toBeVisible()
  await expectShippable(page, 'verdict with a toast')
  await page.getByRole('button', { name: 'Next customer' }).click()
  await expect(unanswered).toHaveCount(0)
  await page.getByRole('link', { name: 'My day' }).click()
  await page.getByRole('button', { name: 'Void' }).click()
  await press()
  await expect(unanswered).toBeVisible()
  await expectShippable(page, 'my day with a toast')
  await page.getByRole('link', { name: 'Counter' }).click()
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  await expect(unanswered).toBeVisible()
  await expectShippable(page, 'counter with a toast')
  await origin.setConnection({ kind: 'up' })
  await fireVisibilityChange(page)
  const seen = page.getByRole('button', { name: 'Mark as seen' })
  await expect(seen).toHaveCount(2, { timeout: 20_000 })
  await seen.first().click()
  await expect(seen).toHaveCount(1)
  await seen.click()
  await expect(seen).toHaveCount(0)
  await expect(unanswered).toBeVisible()
  // On a phone the button is visible without scrolling.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBe(844)
})

test('every text to agree to fits, and is accessible', async ({ page }) => {
  await expectAllShippable(page, {
    'terms of use': '/terms-of-use',
    'terms and conditions': '/terms-and-conditions',
    guidelines: '/voucher-management-guidelines',
  })
})

/** Expects the button to be visible without scrolling, however many vouchers are in the tray. */
async function expectActInView(page: Page, act: string) {
  for (const [width, height] of [
    [320, 640],
    [390, 844],
    [768, 1024],
    [1180, 820],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    const boxOf = async (element: Locator) => (await element.boundingBox())!
    const room = async () => {
      const { y, height: tall } = await boxOf(page.getByRole('button', { name: act }))
      return (await boxOf(page.getByRole('region', { name: /^Today/ }))).y - y - tall
    }
    await expect.poll(room, `${act} above the bar at ${width}×${height}`).toBeGreaterThanOrEqual(0)
  }
}

test('every screen of the counter fits, and is accessible @short', async ({ page, origin }) => {
  test.slow()
  const { till } = await merchantWithPast(origin)
  const { db } = origin.database
  const voucher = await makeVoucher(db, { denominationCents: 1_000 })
  await logIn(page, till)
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  await expectShippable(page, 'counter')
  await verifySerial(page, voucher.serial)
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
  await expectShippable(page, 'good voucher')
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expectShippable(page, 'redeemed')
  await page.getByRole('button', { name: 'Next customer' }).click()
  await verifySerial(page, voucher.serial)
  await expect(inTray(page, 'Already used')).toBeVisible()
  await expectShippable(page, 'already used')
  await page.getByRole('button', { name: 'Next customer' }).click()
  const fifty = await makeVoucher(db, { denominationCents: 5_000 })
  await verifySerial(page, fifty.serial)
  await expect(inTray(page, 'Good')).toBeVisible()
  await page.getByLabel('Bill').fill('32.50')
  await expect(page.getByText('The customer loses $17.50: no change is given.')).toBeVisible()
  await expectShippable(page, 'good voucher worth more than the bill')
  await page.getByRole('button', { name: 'Redeem $50.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expectShippable(page, 'redeemed for a bill')
  await page.getByRole('button', { name: 'Receipt' }).click()
  await expect(page.getByRole('dialog', { name: 'Receipt' })).toContainText('Lost, no change given')
  await expectShippable(page, 'receipt of a bill')
  await page.getByRole('dialog', { name: 'Receipt' }).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Next customer' }).click()
  await page.getByRole('link', { name: 'My day' }).click()
  await expect(page.getByRole('heading', { name: 'My day' })).toBeVisible()
  await expectShippable(page, 'my day')
  await page.goto('/redeem')
  const held = await makeVoucher(db, { denominationCents: 1_000 })
  await verifySerial(page, held.serial)
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
  await origin.setConnection({ kind: 'refuse' })
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, WILL_UPLOAD)).toBeVisible()
  await expectShippable(page, 'redeemed and uploading')
  await page.getByRole('button', { name: 'Next customer' }).click()
  await verifySerial(page, makeSerial())
  await expect(inTray(page, 'Cannot be checked now')).toBeVisible()
  await expectShippable(page, 'cannot be checked')
})

test('the tray of three and of twelve vouchers fits, and is accessible', async ({ page, origin }) => {
  test.slow()
  const { till } = await merchantWithPast(origin)
  const { db } = origin.database
  await logIn(page, till)
  const good = (count: number) => makeVouchers(db, count, () => ({ denominationCents: 1_000 }))
  const expired = await makeVoucher(db, { denominationCents: 1_000, expiresOn: '2020-12-31' })
  const fill = async (serials: string[]) => {
    for (const [n, serial] of serials.entries()) {
      await verifySerial(page, serial)
      await expect(page.getByRole('list', { name: 'Vouchers in the tray' }).getByRole('listitem')).toHaveCount(n + 1)
    }
    await expect(inTray(page, 'Checking…')).toHaveCount(0)
  }
  const three = await good(2)
  await fill([...three.map(({ serial }) => serial), expired.serial])
  await expect(inTray(page, 'Expired')).toContainText('Tell the customer')
  await page.getByLabel('Bill').fill('thirty')
  await page.getByRole('button', { name: 'Redeem 2 vouchers, $20.00' }).click()
  await expect(page.getByText('The bill must be an amount such as 32.50')).toBeVisible()
  await expectShippable(page, 'three vouchers, one expired')
  await page.getByLabel('Bill').fill('')
  await page.getByRole('button', { name: 'Show customer' }).click()
  await expect(page.getByRole('dialog', { name: 'For the customer' })).toBeVisible()
  await expectShippable(page, 'expired voucher for the customer')
  await page.getByRole('button', { name: 'Back to the till' }).click()
  await page.getByRole('button', { name: 'Type a number' }).click()
  await expect(page.getByLabel('Or type the serial number')).toBeFocused()
  await expectShippable(page, 'keypad beside a tray')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: 'Redeem 2 vouchers, $20.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expectShippable(page, 'two vouchers redeemed')
  await page.getByRole('button', { name: 'Next customer' }).click()

  const many = await good(9)
  const used = three[0]!
  await fill([expired.serial, ...many.map(({ serial }) => serial), used.serial, makeSerial()])
  await expect(inTray(page, 'Unknown voucher')).toContainText('Tell the customer')
  await page.getByLabel('Bill').fill('75.00')
  await expect(inTray(page, 'Not needed')).toHaveCount(1)
  await expect(page.getByText('The customer loses $5.00: no change is given.')).toBeVisible()
  await expectActInView(page, 'Redeem 8 vouchers, $80.00')
  await expectShippable(page, 'twelve vouchers')
  await page.getByRole('button', { name: 'Redeem 8 vouchers, $80.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expectShippable(page, 'eight vouchers redeemed')
})
