import type { Page } from '@playwright/test'
import { signIn } from '../../support/accounts/signIn.ts'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { followAnnouncements } from '../../support/browser/announcements.ts'
import { expect, test } from '../../support/browser/cameraFixtures.ts'
import { makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { inTray, signInAtCounter, verdict, verifySerial } from '../../support/redemptions/counterPage.ts'

const LOW = 220

/** The pitch of every tone that was scheduled. */
const tones = (page: Page) => page.evaluate(() => (globalThis as unknown as { tones: number[] }).tones)

test('an answer that left the screen before the page may sound stays silent', async ({ page, origin, camera }) => {
  // As on a device that lets no page sound before somebody has touched it: until then the clock stands.
  await page.addInitScript(() => {
    const scheduled: number[] = []
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (this: OscillatorNode, when) {
      scheduled.push(this.frequency.value)
      start.call(this, when)
    }
    const { resume } = AudioContext.prototype
    const touched = new Promise((resolve) => addEventListener('touched', resolve))
    AudioContext.prototype.resume = async function (this: AudioContext) {
      await touched
      await resume.call(this)
    }
    Object.assign(globalThis, { tones: scheduled })
  })
  const expired = await makeVoucher(origin.database.db, { expiresOn: '2026-01-31' })
  await camera.shows({ codes: [{ kind: 'qrcode', text: `HRP1.${expired.serial}` }] })
  await signIn(page, await makePosUser(origin.database.db))
  await page.getByRole('button', { name: 'Use camera' }).click()
  await expect(inTray(page, 'Expired')).toBeVisible()
  expect(await tones(page)).toEqual([])
  await page.getByRole('button', { name: 'Next customer' }).click()
  // The camera sees the new picture when it is opened again.
  await page.getByRole('button', { name: 'Turn off' }).click()
  const good = await makeVoucher(origin.database.db)
  await camera.shows({ codes: [{ kind: 'qrcode', text: `HRP1.${good.serial}` }] })
  await page.getByRole('button', { name: 'Use camera' }).click()
  await page.getByRole('button', { name: /^Redeem/ }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('touched')))
  await expect.poll(async () => (await tones(page)).length).toBe(2)
  expect(await tones(page)).not.toContain(LOW)
})

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
