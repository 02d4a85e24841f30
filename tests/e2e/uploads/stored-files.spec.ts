import { findConfirmedUpload } from '../../../server/db/uploads.ts'
import { attachUpload, checkUpload, fileUrl } from '../../../server/services/uploads/uploads.ts'
import { signIn } from '../../support/accounts/signIn.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { makeImage } from '../../support/uploads/makeImage.ts'
import { makePdf } from '../../support/uploads/makePdf.ts'
import { makePresignedUpload } from '../../support/uploads/makeUpload.ts'

test('UPL-10: a page under our policy can put a file to its address, with neither token nor cookie @short', async ({
  page,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await signIn(page, main)
  const image = await makeImage({ width: 150, height: 100 })
  const { url, headers } = await makePresignedUpload(origin.deps, 'public', 'brand_logo', image)
  const status = await page.evaluate(
    async ({ address, sent, bytes }) => {
      const body = new Uint8Array(bytes)
      return (await fetch(address, { method: 'PUT', headers: sent, body, credentials: 'omit' })).status
    },
    { address: url, sent: headers, bytes: [...image] },
  )
  expect(status).toBe(200)
  const [put] = origin.sent('PUT', new URL(url).pathname)
  expect(put?.headers).toMatchObject({ 'content-type': 'image/png', 'content-length': String(image.length) })
  expect(put?.headers).not.toHaveProperty('authorization')
  expect(put?.headers).not.toHaveProperty('cookie')
})

testWithWorker(
  'UPL-08: a file opened by its address is shown in a sandbox or saved, worker or not, and never the app',
  async ({ page, origin, pageWatch }) => {
    // What the browser's own image viewer and this test's init script would like to do is what the sandbox is for.
    pageWatch.forgive(
      /^console error: (Applying inline style violates|Blocked script execution in) .*\/files\/stored\//,
    )
    const { deps } = origin
    const confirmed = async (kind: 'brand_logo' | 'merchant_agreement', bytes: Uint8Array<ArrayBuffer>) => {
      const { key, url, headers } = await makePresignedUpload(deps, 'public', kind, bytes)
      await fetch(url, { method: 'PUT', headers, body: bytes })
      const checked = await checkUpload(deps, 'public', { kind, key, path: 'file' })
      await attachUpload(origin.database.db, checked, 'file', origin.clock.now())
      return fileUrl(deps, (await findConfirmedUpload(origin.database.db, key))!)
    }
    await page.goto('/login')
    await page.evaluate(() => navigator.serviceWorker.ready)
    const shown = await page.goto(await confirmed('brand_logo', await makeImage({ width: 150, height: 100 })))
    expect(shown?.headers()).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    })
    // Of no origin at all: it cannot reach what the portal keeps.
    expect(await page.evaluate(() => window.origin)).toBe('null')
    const pdf = await confirmed('merchant_agreement', await makePdf())
    const download = page.waitForEvent('download')
    await page.goto(pdf).catch(() => undefined)
    expect((await download).suggestedFilename()).toBe('document.pdf')
  },
)
