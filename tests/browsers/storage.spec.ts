import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PortalOrigin } from '../support/browser/portalOrigin.ts'
import { makePosUser } from '../support/database/builders.ts'
import { expect, test } from '../support/engines/engineFixtures.ts'
import type { PortalTab } from '../support/engines/PortalTab.ts'
import type { Device } from '../support/engines/Tab.ts'
import { nginxBinary } from '../support/operations/nginx.ts'
import { merchantWithRedemptions } from '../support/reports/reportPage.ts'

const TITLE = 'Transaction Report, 2026-10-01 to 2026-10-31.csv'
const REPORT = '/reporting/report/merchant/transaction_report'

/** Opens the transaction report of a merchant with one redemption, and fills in its days. */
async function atTheReport(portal: PortalTab, origin: PortalOrigin, ready = 'Ready offline') {
  const { main, vouchers } = await merchantWithRedemptions(origin, ['2026-10-05'])
  await portal.logIn(main)
  await portal.expect('heading', 'Dashboard')
  await portal.expectText(ready)
  await portal.open('/reports/transaction-report')
  await portal.fill('From', '2026-10-01')
  await portal.fill('To', '2026-10-31')
  return vouchers[0]!
}

async function expectFile(device: Device, words: string) {
  const saved = () => readdirSync(device.downloads).filter((name) => name === TITLE)
  await expect.poll(saved).toEqual([TITLE])
  await expect.poll(() => readFileSync(join(device.downloads, TITLE), 'utf8')).toContain(words)
}

test('a report is asked for without a connection, and saved when there is one', async ({ device, portal, origin }) => {
  const { serial } = await atTheReport(portal, origin)
  await portal.readyOffline()
  await origin.setConnection({ kind: 'refuse' })
  // This message moves the page when it comes.
  await portal.expectText('Our service cannot be reached.')
  await portal.press('button', 'Download CSV')
  await portal.expectText('Downloads 1')
  await portal.open('/downloads')
  await portal.expectText(TITLE)
  await portal.expectText('Waiting for connection. Starts automatically.')
  await origin.setConnection({ kind: 'up' })
  await portal.backOnline()
  await portal.expectText('Ready, ')
  await portal.press('button', 'Save file')
  await expectFile(device, serial)
  await portal.expectText('Save started ')
})

test.describe('with IndexedDB switched off', () => {
  test.use({ settings: { noDatabase: true } })

  test('the portal says that it stores nothing, and downloads at once', async ({ device, portal, origin }) => {
    const { serial } = await atTheReport(portal, origin, 'Nothing is stored')
    await portal.expectText('This browser stores nothing on this device')
    await portal.press('button', 'Download CSV')
    await expectFile(device, serial)
  })
})

test.describe('with little room', () => {
  test.use({ settings: { quota: 16_000 } })

  test('a file that does not fit is said, and loses no row', async ({ portal, origin }) => {
    await atTheReport(portal, origin)
    const body = randomBytes(10_000_000).toString('hex')
    const headers = { 'content-disposition': 'attachment; filename="report.csv"', 'x-file-size': String(body.length) }
    await origin.setConnection(
      { kind: 'answer', status: 200, type: 'text/csv', headers, body },
      ({ path }) => path === REPORT,
    )
    await portal.press('button', 'Download CSV')
    await portal.expect('heading', 'This device is full')
    await portal.open('/downloads')
    await portal.expectText('This device has no room for the file')
    await portal.expectText(TITLE)
  })
})

test.describe('over https', () => {
  test.use({ settings: { https: true } })
  test.skip(({ engine }) => engine !== 'webkit' || nginxBinary() === undefined, 'only WebKit has this fault')

  test('a page that is left while it stores does not hold up the next one', async ({ portal, origin }) => {
    const till = await makePosUser(origin.database.db)
    await portal.logInAtCounter(till)
    for (const path of ['/redeem', '/redeem?view=day', '/redeem']) {
      await portal.tab.evaluate(beginToStore)
      await portal.open(path)
      await portal.tab.evaluate(store)
    }
  })
})

/** Runs in the page: begins to store more than can be finished before the page is left. */
async function beginToStore() {
  const opening = indexedDB.open('left')
  opening.onupgradeneeded = () => opening.result.createObjectStore('rows')
  await new Promise((resolve) => (opening.onsuccess = resolve))
  for (let row = 0; row < 50; row++) {
    opening.result.transaction('rows', 'readwrite').objectStore('rows').put('x'.repeat(100_000), row)
  }
}

/** Runs in the page, and resolves when everything is stored. */
async function store() {
  const opening = indexedDB.open('left')
  await new Promise((resolve) => (opening.onsuccess = resolve))
  const work = opening.result.transaction('rows', 'readwrite')
  work.objectStore('rows').put('next', 0)
  await new Promise((resolve, reject) => {
    work.oncomplete = resolve
    work.onabort = reject
  })
}
