import type { Page } from '@playwright/test'
import { logIn } from '../../support/accounts/logIn.ts'
import { makeEnrolled, logInWithCode } from '../../support/accounts/mfaPage.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import { makeBranch, makeMerchant, makePosUser, makeVoucher, PASSWORD } from '../../support/database/builders.ts'
import { acceptingTill, allow } from '../../support/redemptions/acceptingTill.ts'
import { makeVoucherKey } from '../../support/redemptions/allowancePage.ts'

const panel = (page: Page) => page.getByRole('region', { name: 'Vouchers without a connection' })

test('a main account sets, changes and stops what the tills of a branch may accept @short', async ({
  page,
  origin,
}) => {
  await makeVoucherKey(origin)
  const person = await makeEnrolled(origin)
  const { db } = origin.database
  const organisation = { id: person.user.organisationId } as never
  const branch = await makeBranch(db, organisation, { name: 'East Coast' })
  const till = await acceptingTill(origin, await makePosUser(db, { organisation, branch }))
  await logInWithCode(page, person)
  await page.goto(`/branches/${branch.id}/view`)
  await expect(panel(page)).toContainText('Off. Without a connection your tills take only vouchers')
  await panel(page).getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Accept without a check at East Coast' })
  await dialog.getByLabel('Limit per day ($)').fill('150')
  await expect(dialog).toContainText(
    'Your tills may accept vouchers of up to $10.00 without a check: at most $50.00 each and $150.00 a day. You lose what was used elsewhere.',
  )
  await dialog.getByLabel('Limit per voucher ($)').fill('2000')
  await dialog.getByRole('button', { name: 'Save limits' }).click()
  await expect(dialog).toContainText('must be $1000 or less')
  await dialog.getByLabel('Limit per voucher ($)').fill('10')
  await dialog.getByLabel('Your own password').fill('Wrong-Horse-2026!')
  await dialog.getByLabel('Code', { exact: true }).fill(person.phone.nextCode())
  await dialog.getByRole('button', { name: 'Save limits' }).click()
  await expect(dialog).toContainText('is incorrect')
  await expectAccessibleAndFits(page)
  await dialog.getByLabel('Your own password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Save limits' }).click()
  await expect(panel(page)).toContainText('at most $50.00 each and $150.00 a day')
  await till.renew()
  await page.reload()
  await expect(panel(page)).toContainText('Till 1: up to $50.00, until')
  await expectAccessibleAndFits(page)
  await panel(page).getByRole('button', { name: 'Stop' }).click()
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await expect(question).toContainText('Tills that are offline keep theirs until')
  await question.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(panel(page)).toContainText('Off. Without a connection')
  await expect(panel(page)).toContainText('Till 1: up to $50.00, until')
})

test('losses are listed with their till', async ({ page, origin }) => {
  await makeVoucherKey(origin)
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  await allow(db, merchant.branch)
  const [first, second] = [
    await acceptingTill(origin, await makePosUser(db, merchant)),
    await acceptingTill(origin, await makePosUser(db, merchant), { name: 'Till 2' }),
  ]
  await logIn(page, merchant.main, '/reports')
  await expect(page.getByRole('link', { name: 'Monthly Report' }).last()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Losses' })).toHaveCount(0)
  await page.goto(`/branches/${merchant.branch.id}/view`)
  await page.getByRole('link', { name: 'Losses' }).click()
  await expect(page.getByText('No losses')).toBeVisible()
  const voucher = await makeVoucher(db)
  for (const each of [first, second]) {
    await each.renew()
    await each.accept(voucher)
    await each.upload()
  }
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: 'Till 2' })
  await expect(row).toContainText('Lost: used elsewhere')
  await expect(row).toContainText(`Till 2, ${merchant.branch.name}`)
  await expectAccessibleAndFits(page)
  await page.getByRole('button', { name: /^Notices/ }).click()
  await expect(page.getByRole('dialog', { name: 'Notices' })).toContainText('Till 2: 1 voucher lost, $10.00')
  await page.getByRole('link', { name: 'View: Till 2' }).click()
  await expect(row).toContainText('Lost: used elsewhere')
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Reports', exact: true }).first().click()
  await page.getByRole('link', { name: 'Losses' }).click()
  await expect(row).toContainText('Lost: used elsewhere')
  await expect(page.getByText('Offline.').first()).toBeVisible()
})
