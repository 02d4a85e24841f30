import { logIn } from '../../support/accounts/logIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import { makeHold, makeMerchant, makePosUser, makeTill } from '../../support/database/builders.ts'

const HOUR_MS = 3_600_000

test('a manager settles by hand what a lost till held, and is told when it is too late @short', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const cashier = await makePosUser(db, merchant)
  const { id: tillId } = await makeTill(db, cashier, { name: 'Front counter' })
  const held = (hoursAgo: number, denominationCents: number) =>
    makeHold(db, cashier, new Date(Date.now() - hoursAgo * HOUR_MS), { denominationCents, hold: { tillId } })
  const { voucher } = await held(1, 2_000)
  await held(25, 1_000)
  await logIn(page, merchant.main)
  await page.goto('/devices')
  const row = page.getByRole('row').filter({ hasText: 'Front counter' })
  await expect(row).toContainText('2 held, $30.00, not settled')

  await row.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  const question = page.getByRole('alertdialog', { name: 'Revoke Front counter?' })
  await expect(question).toContainText('It holds 2 vouchers, $30.00, that nobody has settled.')
  await question.getByRole('button', { name: 'Keep' }).click()

  await page.getByRole('button', { name: 'Front counter', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Front counter' })
  const items = dialog.getByRole('region', { name: 'Held and not settled' }).getByRole('listitem')
  await expect(items).toHaveCount(2)
  await expect(items.first()).toContainText('Its time is over: nobody can settle it by hand.')
  await expect(items.first().getByRole('button', { name: 'Release hold' })).toBeVisible()
  await expect(items.last()).toContainText(cashier.loginName)
  await expectAccessibleAndFits(page)

  await items.last().getByRole('button', { name: 'Settle by hand…' }).press('Enter')
  const settle = page.getByRole('dialog', { name: 'Settle this voucher by hand?' })
  const reason = settle.getByLabel('Reason')
  await expect(reason).toBeFocused()
  await settle.getByRole('button', { name: 'Settle by hand' }).press('Enter')
  await expect(reason).toHaveAttribute('aria-invalid', 'true')
  await expectAccessibleAndFits(page)
  await settle.getByRole('button', { name: 'The customer paid with it' }).press('Enter')
  await expect(reason).toHaveValue('The customer paid with it')
  await settle.getByRole('button', { name: 'Settle by hand' }).press('Enter')

  await expect(dialog).toContainText('1 held, $10.00, not settled')
  await expect(dialog).toContainText('1 late upload to review, $20.00')
  await expect(dialog).toContainText(`${merchant.main.loginName}: “The customer paid with it”`)
  await expectAccessibleAndFits(page)

  await page.goto(`/vouchers?voucher=${voucher.id}`)
  await expect(page.getByRole('dialog')).toContainText(
    `Settled by hand, by ${merchant.main.loginName}: “The customer paid with it”. Not reviewed yet.`,
  )
  await expectAccessibleAndFits(page)
})
