import type { Page } from '@playwright/test'
import { signIn } from '../../support/accounts/signIn.ts'
import { expect, test as base } from '../../support/browser/cameraFixtures.ts'
import { makePosUser, makeVoucher } from '../../support/database/builders.ts'

/** As on a device that lets no page sound before somebody has touched it. */
const test = base.extend<object>({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const args = [...(launchOptions.args ?? []), '--autoplay-policy=document-user-activation-required']
      await use({ ...launchOptions, args })
    },
    { scope: 'worker' },
  ],
})

const LOW = 196

/** Every tone that was scheduled, by its pitch, and whether the clock of its sounds stood. */
const tones = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { tones: { hertz: number; clock: string }[] }).tones)

test('a verdict that left the screen before the page could sound stays silent, and no tone waits for a clock that stands', async ({
  page,
  origin,
  camera,
}) => {
  await page.addInitScript(() => {
    const scheduled: { hertz: number; clock: string }[] = []
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (this: OscillatorNode, when) {
      scheduled.push({ hertz: this.frequency.value, clock: this.context.state })
      start.call(this, when)
    }
    Object.assign(globalThis, { tones: scheduled })
  })
  const used = await makeVoucher(origin.database.db, { status: 'Used' })
  await camera.shows({})
  await signIn(page, await makePosUser(origin.database.db))
  await page.getByRole('button', { name: 'Use camera' }).click()
  await camera.shows({ codes: [{ kind: 'qrcode', text: `HRP1.${used.serial}` }] })
  // The device remembers that the camera is on; nobody touches the page after this.
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Already used' })).toBeVisible()
  expect(await tones(page)).toEqual([])
  const good = await makeVoucher(origin.database.db)
  await camera.shows({ codes: [{ kind: 'qrcode', text: `HRP1.${good.serial}` }] })
  // Not by a person: as Escape, or a scan, leads on.
  await page.getByRole('button', { name: 'Next voucher' }).evaluate((button: HTMLElement) => button.click())
  await page.getByRole('button', { name: /^Redeem/ }).click()
  await expect(page.getByRole('heading', { name: 'Redeemed', exact: true })).toBeVisible()
  await expect.poll(async () => (await tones(page)).length).toBe(2)
  const heard = await tones(page)
  expect(heard.map(({ clock }) => clock)).toEqual(['running', 'running'])
  expect(heard.map(({ hertz }) => hertz)).not.toContain(LOW)
})
