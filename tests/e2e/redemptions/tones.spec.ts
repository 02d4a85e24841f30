import type { Page } from '@playwright/test'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { followAnnouncements } from '../../support/browser/announcements.ts'
import { expect, test } from '../../support/browser/cameraFixtures.ts'
import { makeVoucher } from '../../support/database/builders.ts'
import { inTray, signInAtCounter, verdict, verifySerial } from '../../support/redemptions/counterPage.ts'

/** A device with one voice of its own, or none; it keeps what was said. */
const giveVoices = (page: Page, voices: { lang: string; localService: boolean }[]) =>
  page.addInitScript((given) => {
    const spoken: string[] = []
    const speechSynthesis = Object.assign(new EventTarget(), {
      getVoices: () => given,
      cancel: () => undefined,
      speak: ({ text }: { text: string }) => spoken.push(text),
    })
    class SpeechSynthesisUtterance extends EventTarget {
      text: string
      constructor(text: string) {
        super()
        this.text = text
      }
    }
    for (const [name, value] of Object.entries({ speechSynthesis, SpeechSynthesisUtterance, spoken }))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }, voices)

const spoken = (page: Page) => page.evaluate(() => (globalThis as unknown as { spoken: string[] }).spoken)

test('each sound can be tried, and a voice says each answer once, instead of the screen reader', async ({
  page,
  origin,
}) => {
  await giveVoices(page, [
    { lang: 'en-US', localService: false },
    { lang: 'en_SG', localService: true },
  ])
  const { voucher } = await signInAtCounter(page, origin)
  await page.goto('/settings/device')
  const panel = page.getByRole('region', { name: 'Help and sounds' })
  await expect(panel.getByRole('button', { name: /^Test: / })).toHaveCount(7)
  await panel.getByLabel('Say each verdict aloud').check()
  await panel.getByLabel('High').check()
  await panel.getByRole('button', { name: 'Test: On hold' }).click()
  await expect.poll(() => spoken(page)).toEqual(['On hold'])
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: 'Counter' }).click()
  const said = await followAnnouncements(page)
  await verifySerial(page, voucher.serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expect.poll(() => spoken(page)).toEqual(['On hold', '10 dollars accepted'])
  // That a voucher is good says its sound.
  expect((await said()).map(({ text }) => text)).toContain('Good. $10.00.')
  await page.getByRole('button', { name: 'Next customer' }).click()
  const afterRedeemed = await followAnnouncements(page)
  // Two with the same answer are two answers.
  for (const times of [1, 2]) {
    const { serial } = await makeVoucher(origin.database.db, { expiresOn: '2026-01-31' })
    await verifySerial(page, serial)
    await expect(inTray(page, 'Expired')).toHaveCount(times)
    await expect
      .poll(() => spoken(page))
      .toEqual(['On hold', '10 dollars accepted', ...Array.from({ length: times }, () => 'Expired')])
  }
  expect((await afterRedeemed()).filter(({ text }) => text.startsWith('Expired'))).toEqual([])

  await page.goto('/settings/device')
  await expect(panel.getByLabel('High')).toBeChecked()
  await panel.getByLabel('Sounds, voice and vibration').uncheck()
  await expect(panel.getByRole('button')).toHaveCount(0)
  await page.getByRole('link', { name: 'Counter' }).click()
  const afterwards = await followAnnouncements(page)
  await verifySerial(page, voucher.serial)
  await expect(inTray(page, 'Already used')).toBeVisible()
  await expect
    .poll(async () => (await afterwards()).map(({ text }) => text))
    .toContainEqual(expect.stringMatching(/^Already used\./))
  expect(await spoken(page)).toEqual([])
})

test('a voice that needs a connection is not offered', async ({ page, origin }) => {
  await giveVoices(page, [{ lang: 'en-US', localService: false }])
  await signInAtCounter(page, origin)
  await page.goto('/settings/device')
  await expect(page.getByText('This device has no English voice that works offline')).toBeVisible()
  await expect(page.getByLabel('Say each verdict aloud')).toHaveCount(0)
})
