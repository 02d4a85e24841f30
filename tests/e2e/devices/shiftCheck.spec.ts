import type { Page } from '@playwright/test'
import { TEST_CODE } from '../../../src/domain/devices/shiftCheck.ts'
import { readyOffline, scan } from '../../support/accounts/signIn.ts'
import { expectAccessibleAndFits, expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { expect, testWithWorker as test } from '../../support/browser/cameraFixtures.ts'
import { fact, panel } from '../../support/devices/devicePage.ts'
import { connectFakePrinter, countPrints, pressByKeyboard } from '../../support/devices/fakePrinter.ts'
import { signInAtCounter } from '../../support/redemptions/counterPage.ts'

const RESULT = 'Check before opening'

/** What a person is asked now, which has the focus to be read out. */
const expectAsked = (page: Page, question: string) =>
  expect(page.getByRole('heading', { level: 2, name: question })).toBeFocused()

test('before opening a cashier checks the whole till by keyboard, and the result stands on This device @short', async ({
  page,
  origin,
  camera,
}) => {
  await camera.shows({})
  const prints = await countPrints(page)
  const { till } = await signInAtCounter(page, origin)
  await readyOffline(page)
  await pressByKeyboard(page, 'Check this till')
  await expect(page).toHaveURL('/settings/device/check')
  await pressByKeyboard(page, 'Start the check')
  await expectAsked(page, 'Do you see a live picture?')
  const found = { Connection: 'Online', Clock: 'Correct', Storage: 'Ready', 'Waiting uploads': 'None' }
  for (const [name, text] of Object.entries(found)) await expect(fact(page, name)).toHaveText(text)
  await expect(fact(page, 'Update')).toHaveText('Newest version')
  await pressByKeyboard(page, 'Yes')
  await expectAsked(page, 'Did you hear two tones?')
  await pressByKeyboard(page, 'Yes')
  await expectAsked(page, 'Does the printer print?')
  await pressByKeyboard(page, 'Print a test page')
  expect(await prints()).toBe(1)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('main')).toContainText(/Test page[\s\S]*This is no voucher/, { useInnerText: true })
  await page.emulateMedia({ media: null })
  await pressByKeyboard(page, 'Yes')
  await expectAsked(page, 'Scan this code')
  await scan(page, `HRP1.${TEST_CODE}`, page.getByRole('heading', { level: 2, name: 'All good' }))
  await expectAsked(page, 'All good')
  await page.goto('/settings/device')
  await expect(panel(page, RESULT)).toContainText(/Checked \d+ \w{3} \d{4}, \d\d:\d\d: all good/)
  await expect(panel(page, RESULT)).toContainText(`By ${till.loginName}`)
})

test('offline the check says what is wrong and how to put it right, on every width and in every look', async ({
  page,
  origin,
  camera,
}) => {
  await camera.goesMissing()
  await signInAtCounter(page, origin)
  await readyOffline(page)
  await origin.line({ kind: 'refuse' })
  await page.goto('/settings/device/check')
  const start = page.getByRole('button', { name: 'Start the check' })
  await expect(start).toBeVisible()
  await expectAccessibleAndFits(page, 'the start')
  await start.click()
  await expect(page.getByText('No camera was found.')).toBeVisible()
  await expectAccessibleAndFits(page, 'a camera that is missing')
  await page.getByRole('button', { name: 'Go on without it' }).click()
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await page.getByRole('button', { name: 'No printer here' }).click()
  await scan(page, '2004839201186', page.getByText('Another code arrived.'))
  await expectAccessibleAndFits(page, 'the code to scan')
  await page.getByRole('button', { name: 'It does not scan' }).click()
  await expectAsked(page, '4 things to fix')
  await expectAccessibleAndFits(page, 'the result')
  const fixes = [
    'Our service cannot be reached. Wait a few minutes, then check again. Until then no voucher can be checked.',
    'No camera was found. Connect one and try again, or use the hand scanner or the number.',
    'The sound was not heard. Turn up the volume, and turn off silent mode.',
    'The hand scanner sent another code. Scan the code on this page. If it was this one, give the scanner the keyboard language of this device.',
  ]
  for (const fix of fixes) await expect(page.getByRole('main')).toContainText(fix)
  await expect(fact(page, 'Update')).toHaveText('Needs a connection')
  await expect(fact(page, 'Printer')).toHaveText('This till has none')
  await page.goto('/settings/device')
  await expect(panel(page, RESULT)).toContainText('4 things to fix')
  for (const fix of fixes) await expect(panel(page, RESULT)).toContainText(fix)
  await expectNoAxeViolations(page)
})

test('the check prints its test page on the receipt printer of this device, and the browser prints none', async ({
  page,
  origin,
  camera,
}) => {
  await camera.shows({})
  const prints = await countPrints(page)
  const printer = await connectFakePrinter(page)
  await signInAtCounter(page, origin)
  await page.goto('/settings/device')
  await page.getByRole('button', { name: 'Connect by USB' }).click()
  await expect(panel(page, 'Receipt printer')).toContainText('USB, connected')
  await page.goto('/settings/device/check')
  await page.getByRole('button', { name: 'Start the check' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await printer.turn('unplugged')
  await page.getByRole('button', { name: 'Print a test page' }).click()
  await expect(page.getByRole('alert')).toContainText('The printer was not found')
  await expect(page.getByRole('button', { name: 'Yes' })).toHaveAttribute('aria-disabled', 'true')
  await expectNoAxeViolations(page)
  await printer.turn('on')
  await page.getByRole('button', { name: 'Print a test page' }).click()
  await expect(page.getByText('Sent to the printer.')).toBeVisible()
  const { lines } = printer.paper()
  expect(lines).toContain('Test page')
  expect(lines).toContain(`[square HRP1.${TEST_CODE}]`)
  expect(lines).toContain(`[bars ${TEST_CODE}]`)
  expect(await prints()).toBe(0)
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(fact(page, 'Printer')).toHaveText('Prints')
})
