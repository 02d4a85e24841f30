import type { Locator, Page } from '@playwright/test'
import { logIn } from '../../support/accounts/logIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeOrganisation, makeUser, NEW_PASSWORD, PASSWORD } from '../../support/database/builders.ts'
import { changeRows, rowsOf } from '../../support/database/rows.ts'
import { verdict } from '../../support/redemptions/counterPage.ts'
import { readQr } from '../accounts/readQr.ts'

/** Makes the owner of one stall, as the approval of application and onboarding leaves them. */
async function approvedOwner({ database: { db } }: PortalOrigin) {
  const organisation = await makeOrganisation(db, {
    name: 'Kopi & Grain',
    // The application's field has several lines.
    address: '4 Tampines Central 5\n#02-14, Singapore 529510',
    contactName: 'Tan Wei Ling',
    contactNumber: '+65 6555 0142',
    contactEmail: 'office@test.example',
  })
  return { organisation, owner: await makeUser(db, 'HRP Merchant', { organisation }) }
}

/** Counts taps, fields and scans while it does them. */
function countActs() {
  let acts = 0
  return {
    count: () => acts,
    press: async (target: Locator) => {
      acts += 1
      await target.click()
    },
    fill: async (field: Locator, text: string) => {
      acts += 1
      await field.fill(text)
    },
    scan: async (tablet: Page, link: string) => {
      acts += 1
      await tablet.goto(link)
    },
  }
}

const LIMIT = 12

test('the owner of one stall comes from the approval to a practice voucher in 12 taps and fields, with a cashier and a till @short', async ({
  page,
  browser,
  origin,
}) => {
  const { organisation, owner } = await approvedOwner(origin)
  const { press, fill, scan, count } = countActs()
  await page.goto('/login')
  await fill(page.getByLabel('Email'), owner.loginName)
  await fill(page.getByLabel('Password', { exact: true }), PASSWORD)
  await press(page.getByRole('button', { name: 'Login', exact: true }))
  const steps = page.getByRole('region', { name: 'First steps: 0 of 4 done' })
  await press(steps.getByRole('link', { name: 'Create branch' }))

  await expect(page.getByLabel('Branch name')).toHaveValue('Kopi & Grain')
  await expect(page.getByText('4 Tampines Central 5, #02-14', { exact: true })).toBeVisible()
  await expect(page.getByText('Tan Wei Ling')).toBeVisible()
  await expect(page.getByLabel('Login email')).toHaveCount(0)
  await expectAccessibleAndFits(page)
  await press(page.getByRole('button', { name: 'Create branch' }))

  const cashier = page.getByRole('dialog', { name: 'Create a POS user for Kopi & Grain' })
  const username = `cashier-${organisation.merchantId}`
  await fill(cashier.getByLabel('Username'), username)
  const password = await cashier.getByLabel('Suggested password', { exact: true }).inputValue()
  await expectAccessibleAndFits(page)
  await press(cashier.getByRole('button', { name: 'Create POS user' }))

  const till = page.getByRole('dialog', { name: 'Add a till' })
  await expect(till.getByLabel('Name')).toHaveValue('Front counter')
  await press(till.getByRole('button', { name: 'Make a code' }))
  const code = page.getByRole('img', { name: 'Code to scan' })
  await expect(code).toBeVisible()
  const link = await readQr(await code.screenshot())

  const tablet = await (await browser.newContext({ baseURL: origin.url })).newPage()
  await scan(tablet, link!)
  await expect(tablet.getByRole('heading', { name: 'This device is now Front counter' })).toBeVisible()
  await expect(tablet.getByRole('main')).toContainText('Branch: Kopi & Grain.')

  const enrolled = page.getByRole('dialog', { name: 'Front counter is enrolled' })
  await press(enrolled.getByRole('link', { name: 'Practise' }))
  await press(page.getByRole('button', { name: 'Good $10.00' }))
  await press(page.getByRole('button', { name: 'Redeem $10.00' }))
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  expect(count()).toBeLessThanOrEqual(LIMIT)

  await page.getByRole('link', { name: 'End practice' }).click()
  await expect(page.getByRole('region', { name: 'First steps: 4 of 4 done' })).toBeVisible()
  const [branch] = await rowsOf(origin.database.db, 'branch', { organisationId: organisation.id })
  expect(branch).toMatchObject({ name: 'Kopi & Grain', code: '01', pinHash: null })

  // The cashier's first login is at a till that has its name.
  await tablet.getByRole('button', { name: 'Log in as a cashier' }).click()
  await tablet.getByLabel('Username').fill(username)
  await tablet.getByLabel('Password', { exact: true }).fill(password)
  await tablet.getByRole('button', { name: 'Login', exact: true }).click()
  await tablet.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await tablet.getByLabel('Repeat new password').fill(NEW_PASSWORD)
  await tablet
    .getByRole('button', { name: /password/i })
    .last()
    .click()
  await expect(tablet.getByRole('banner')).toContainText(`Front counter · ${username}`)
  await tablet.context().close()
})

test('what is known of a first branch can be changed, and the PIN is asked for where vouchers need it', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const { organisation, owner } = await approvedOwner(origin)
  await changeRows(db, 'organisation', { id: organisation.id }, { verificationMethod: 'Serial and branch PIN' })
  await logIn(page, owner, '/branches/create')
  await expect(page.getByRole('textbox', { name: 'Branch PIN' })).toHaveValue(organisation.merchantId.slice(-3))
  await page.getByRole('button', { name: 'Create branch' }).click()
  await expect(page.getByRole('textbox', { name: 'Branch PIN' })).toHaveAttribute('aria-invalid', 'true')

  await page.getByRole('button', { name: 'Change these details' }).click()
  await expect(page.getByLabel('Address')).toHaveValue('4 Tampines Central 5, #02-14')
  await expect(page.getByLabel('Postal code')).toHaveValue('529510')
  await page.getByLabel('Branch code').fill('TPC')
  await page.getByLabel('Login email').fill(owner.loginName)
  await page.getByRole('textbox', { name: 'Branch PIN' }).fill('482913')
  await page.getByRole('button', { name: 'Create branch' }).click()
  await expect(page.getByText('This is your own login. The branch needs another email address, or none.')).toBeVisible()
  await expectAccessibleAndFits(page)
  await page.getByLabel('Login email').fill('')
  await page.getByRole('button', { name: 'Create branch' }).click()
  await expect(page.getByText('Kopi & Grain created')).toBeVisible()
  // No button opened this dialog: the focus goes to the title of the page.
  await expect(page.getByLabel('Username')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Kopi & Grain', level: 1 })).toBeFocused()
  const [branch] = await rowsOf(db, 'branch', { organisationId: organisation.id })
  expect(branch).toMatchObject({ code: 'TPC' })
  expect(branch!['pinHash']).not.toBeNull()
})
