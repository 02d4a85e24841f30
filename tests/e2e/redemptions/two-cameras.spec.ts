import { logIn } from '../../support/accounts/logIn.ts'
import { expect, test } from '../../support/browser/cameraFixtures.ts'
import { makePosUser } from '../../support/database/builders.ts'

test.use({ cameras: 2 })

test('on a device with two cameras the other one is a tap away, and remembered', async ({ page, origin }) => {
  const inUse = () =>
    page.evaluate(() => {
      const stream = document.querySelector('video')?.srcObject as MediaStream | null
      return stream?.getVideoTracks()[0]?.label
    })
  await logIn(page, await makePosUser(origin.database.db))
  await page.getByRole('button', { name: 'Use camera' }).click()
  await expect.poll(inUse).toBe('fake_device_0')
  await page.getByRole('button', { name: 'Other camera' }).click()
  await expect.poll(inUse).toBe('fake_device_1')
  await page.reload()
  await expect.poll(inUse).toBe('fake_device_1')
  await page.getByRole('button', { name: 'Other camera' }).click()
  await expect.poll(inUse).toBe('fake_device_0')
})
