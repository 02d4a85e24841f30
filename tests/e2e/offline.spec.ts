import { makeMerchant, makePosUser, makeRedemption } from '../support/builders.ts'
import { expect, test } from '../support/fixtures.ts'
import { readyOffline, signIn } from '../support/person.ts'

const ROUTES = [
  ['/dashboard', 'Dashboard'],
  ['/profile/edit', 'Edit profile'],
  ['/masters', 'Masters'],
  ['/branches/adhoc', 'Branches'],
  ['/vouchers', 'Vouchers'],
  ['/reports', 'Reports'],
  ['/reports/transaction-report', 'Transaction Report'],
  ['/reports/monthly-report', 'Monthly Report'],
  ['/reports/daily-report', 'Daily Report'],
  ['/resources', 'Resources'],
  ['/downloads', 'Downloads'],
  ['/settings/device', 'This device'],
  ['/404', 'Page Not Found'],
  ['/terms-of-use', 'Terms of use'],
] as const

test('denominations are kept by the worker and offered without a line', async ({ page, origin }) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  await makeRedemption(db, await makePosUser(db, merchant), '2026-10-01', { denominationCents: 500 })
  await signIn(page, merchant.main)
  await readyOffline(page)
  await page.goto('/vouchers')
  await expect(page.getByLabel('Denomination').getByRole('option', { name: '$5.00' })).toBeAttached()
  const kept = () =>
    page.evaluate(async (owner) => {
      const open = indexedDB.open(`mp-u-${owner}`)
      const database = await new Promise<IDBDatabase>((resolve) => {
        open.onsuccess = () => resolve(open.result)
      })
      const get = database.transaction('lists').objectStore('lists').get('denominations')
      return new Promise((resolve) => {
        get.onsuccess = () => resolve(get.result)
      })
    }, merchant.main.id)
  await expect.poll(kept).toMatchObject({ key: 'denominations' })
  await origin.line({ kind: 'refuse' })
  await page.goto('/reports/transaction-report')
  await expect(page.getByLabel('Denomination').getByRole('option', { name: '$5.00' })).toBeAttached()
  await expect(page.getByLabel('Denomination')).toHaveAccessibleDescription(/^As of \d\d:\d\d today$/)
})

test('Cache Storage holds the shell and nothing that anyone signed in for', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await signIn(page, main)
  await readyOffline(page)
  for (const [path] of ROUTES) await page.goto(path)
  const cached = await page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return all.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(cached.length).toBeGreaterThan(20)
  expect(cached.filter((path) => path.startsWith('/api') || path.startsWith('/reporting'))).toEqual([])
})
