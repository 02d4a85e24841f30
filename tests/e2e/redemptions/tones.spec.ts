import type { Page } from '@playwright/test'
import { signIn } from '../../support/accounts/signIn.ts'
import { expect, test } from '../../support/browser/cameraFixtures.ts'
import { makePosUser, makeVoucher } from '../../support/database/builders.ts'

const LOW = 196

/** The pitch of every tone that was scheduled. */
const tones = (page: Page) => page.evaluate(() => (globalThis as unknown as { tones: number[] }).tones)

test('a verdict that left the screen before the page may sound stays silent', async ({ page, origin, camera }) => {
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
  await expect(page.getByRole('heading', { name: 'Expired' })).toBeVisible()
  expect(await tones(page)).toEqual([])
  const good = await makeVoucher(origin.database.db)
  await camera.shows({ codes: [{ kind: 'qrcode', text: `HRP1.${good.serial}` }] })
  await page.getByRole('button', { name: 'Next voucher' }).click()
  await page.getByRole('button', { name: /^Redeem/ }).click()
  await expect(page.getByRole('heading', { name: 'Redeemed', exact: true })).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('touched')))
  await expect.poll(async () => (await tones(page)).length).toBe(2)
  expect(await tones(page)).not.toContain(LOW)
})
