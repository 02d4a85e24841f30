import type { Page } from '@playwright/test'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { expectAccessibleAndFits, expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import { makeBranch, makeMerchant, makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { panel } from '../../support/devices/devicePage.ts'
import { connectFakePrinter, countPrints, pressByKeyboard } from '../../support/devices/fakePrinter.ts'
import { pictureFile } from '../../support/devices/readEscPos.ts'
import { logInAtCounter, verdict, verifySerial } from '../../support/redemptions/counterPage.ts'

const printerPanel = (page: Page) => panel(page, 'Receipt printer')

const NOT_FOUND = 'The printer was not found'

testWithWorker(
  'a printer on USB is connected by keyboard, prints receipts offline after a reload, and tells when it is unplugged @short',
  async ({ page, origin }) => {
    const prints = await countPrints(page)
    const printer = await connectFakePrinter(page)
    const { till, voucher } = await logInAtCounter(page, origin)
    await readyOffline(page)
    await page.goto('/settings/device')
    await pressByKeyboard(page, 'Connect via USB')
    await expect(printerPanel(page)).toContainText('POS58 PrinterUSB')
    await page.getByRole('radio', { name: '58 mm' }).check()
    await pressByKeyboard(page, 'Print a test')
    await expect(printerPanel(page).getByText('Sent to the printer.')).toBeVisible()
    expect(printer.paper().lines).toContainEqual(expect.stringContaining('This is no voucher.'))

    await page.reload()
    await expect(page.getByRole('radio', { name: '58 mm' })).toBeChecked()
    await page.goto('/redeem')
    await verifySerial(page, voucher.serial)
    await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
    await origin.setConnection({ kind: 'refuse' })
    await page.getByRole('button', { name: 'Redeem $10.00' }).click()
    await expect(verdict(page, 'Redeemed – will upload')).toBeVisible()
    await page.getByRole('button', { name: 'Receipt' }).click()
    const receipt = page.getByRole('dialog', { name: 'Receipt' })
    await pressByKeyboard(page, 'Print')
    await expect(receipt.getByText('Sent to the printer.')).toBeVisible()
    const { lines } = printer.paper()
    expect(lines[0]?.trim()).toBe(till.organisation.name)
    expect(lines).toContain('Receipt')
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^Cashier +${till.loginName}$`)))
    expect(lines).toContainEqual(expect.stringMatching(/^Redeemed +\$10\.00$/))
    expect(lines).toContainEqual(expect.stringMatching(/^Receipt number +Follows after the$/))
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(32)

    await printer.turn('unplugged')
    await pressByKeyboard(page, 'Print')
    await expect(receipt.getByRole('alert')).toContainText(NOT_FOUND)
    await expectNoAxeViolations(page)
    expect(await prints()).toBe(0)
    await pressByKeyboard(page, 'Print with the browser')
    await expect.poll(prints).toBe(1)
    await page.emulateMedia({ media: 'print' })
    await expect(receipt.getByText('$10.00')).toBeVisible()
    await page.emulateMedia({ media: null })

    await printer.turn('on')
    await pressByKeyboard(page, 'Print')
    await expect(receipt.getByText('Sent to the printer.')).toBeVisible()
    expect(printer.paper().lines).toContain('Receipt')
  },
)

test('a printer on a serial port prints names of every script as pictures, at its own speed', async ({
  page,
  origin,
}, info) => {
  const printer = await connectFakePrinter(page)
  const merchant = await makeMerchant(origin.database.db)
  const branch = await makeBranch(origin.database.db, merchant.organisation, { name: '红山诊所 சுகாதார நிலையம் Klinik' })
  const till = await makePosUser(origin.database.db, { organisation: merchant.organisation, branch })
  const voucher = await makeVoucher(origin.database.db, { denominationCents: 1000 })
  await logIn(page, till)
  await page.goto('/settings/device')
  await page.getByRole('button', { name: 'Connect via serial port' }).click()
  await printerPanel(page).getByLabel('Speed').selectOption('115200')
  await page.goto('/redeem')
  await verifySerial(page, voucher.serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await page.getByRole('button', { name: 'Receipt' }).click()
  const receipt = page.getByRole('dialog', { name: 'Receipt' })
  await receipt.getByRole('button', { name: 'Print' }).click()
  await expect(receipt.getByText('Sent to the printer.')).toBeVisible()
  expect(printer.baud).toBe(115_200)
  const { lines, pictures } = printer.paper()
  expect(lines.join('\n')).not.toContain('?')
  expect(lines[1]).toMatch(/^\[picture 504 x \d+\]$/)
  expect(lines).toContainEqual(expect.stringMatching(/^Receipt number +R-\d{6}$/))
  const [picture] = pictures
  await pictureFile(picture!, info.outputPath('branch.png'))
  const ink = (from: number, to: number) => picture!.dots.filter((dot, at) => dot && at % 504 >= from && at % 504 < to)
  expect(ink(0, 15 * 12).length, 'ink of the name').toBeGreaterThan(100)
  expect(ink(15 * 12, 504).length, 'ink of the value').toBeGreaterThan(300)
})

test('This device says who has the printer, and gives it back', async ({ page, origin }) => {
  const printer = await connectFakePrinter(page)
  await logInAtCounter(page, origin)
  await page.goto('/settings/device')
  const connect = printerPanel(page).getByRole('button', { name: 'Connect via USB' })
  await expect(connect).toBeVisible()
  await expectAccessibleAndFits(page, 'no printer')
  printer.answer = 'close'
  await connect.click()
  await expect.poll(() => printer.asked).toBe(1)
  await expect(connect).toBeVisible()
  await expect(printerPanel(page).getByRole('alert')).toHaveCount(0)
  printer.answer = 'forbid'
  await connect.click()
  await expect(printerPanel(page).getByRole('alert')).toHaveText(
    'This browser does not let the portal use such a printer. Ask the person who manages it.',
  )
  printer.answer = 'choose'
  await connect.click()
  await expectAccessibleAndFits(page, 'a printer')
  printer.state = 'busy'
  await page.getByRole('button', { name: 'Print a test' }).click()
  await expect(printerPanel(page).getByRole('alert')).toContainText('The printer is in use')
  await expectAccessibleAndFits(page, 'a printer in use')
  await printer.turn('unplugged')
  await page.getByRole('button', { name: 'Print a test' }).click()
  await expect(printerPanel(page).getByRole('alert')).toContainText(NOT_FOUND)
  await printer.turn('on')
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await expect(connect).toBeFocused()
  await expect.poll(() => printer.isAllowed).toBe(false)
})

test('a browser that reaches no printer says so, and prints as always', async ({ page, origin }) => {
  await page.addInitScript(() => {
    for (const api of ['usb', 'serial', 'bluetooth'])
      delete (Navigator.prototype as never as Record<string, unknown>)[api]
  })
  await logInAtCounter(page, origin)
  await page.goto('/settings/device')
  await expect(printerPanel(page)).toContainText('This browser cannot reach a receipt printer by itself.')
  await expect(printerPanel(page).getByRole('button', { name: /^Connect/ })).toHaveCount(0)
})
