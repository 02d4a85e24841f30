import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { fillLogin, readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { expect, testOnDisk, testWithWorker as test } from '../../support/browser/fixtures.ts'
import { makeMerchant, type User } from '../../support/database/builders.ts'
import { holdDatabaseOpen, limitStorage, ofUser, storedRows } from '../../support/devices/storage.ts'
import {
  askForDays,
  merchantWithRedemptions,
  openDownloads,
  openReportForOffline,
  REPORTS,
} from '../../support/reports/reportPage.ts'

/** A failed download, which is not tried again automatically. */
const leftBehind = (owner: string) => ({
  id: 'left-1',
  owner,
  intent: { report: 'daily', params: { day: '2026-10-05', format: 'csv' } },
  title: 'Daily Report, 2026-10-05.csv',
  state: 'failed',
  createdAt: 1,
  attempts: 1,
  nextAt: 0,
  leaseUntil: 0,
  received: 0,
  trouble: 'Gone.',
})

const OPEN_ONE = { name: 'Downloads, 1 open' }
const broken = (page: Page) => page.getByRole('heading', { name: 'The offline data of this device cannot be opened' })
const full = (page: Page) => page.getByRole('heading', { name: 'This device is full' })
const blocked = (page: Page) => page.getByRole('heading', { name: 'Close other windows of the portal' })

/** A page of this origin without any code of the portal: /login would upgrade the database to count its waiting rows. */
const NO_PORTAL = '/sw.js'
/** The browser asks for this icon where a page names none. */
const NO_ICON = /favicon\.ico/

/** Makes the database of `user` look as before an upgrade: below version 1, and without one of its tables. */
async function beforeUpgrade(page: Page, user: User) {
  await page.goto(NO_PORTAL)
  const table = (name: string, keyPath: string, index?: string, rows: object[] = []) => ({
    name,
    keyPath,
    autoIncrement: false,
    indexes: index === undefined ? [] : [{ name: index, keyPath: index, unique: false, multiEntry: false }],
    records: rows.map((value) => ({ value })),
  })
  const stores = [
    table('lists', 'key'),
    table('reads', 'key', 'fetchedAt'),
    table('outbox', 'id', 'createdAt', [leftBehind(user.id)]),
    table('drafts', 'key'),
  ]
  const indexedDB = [{ name: ofUser(user.id), version: 1, stores }]
  const stored = { origin: new URL(page.url()).origin, localStorage: [], indexedDB }
  await page.context().setStorageState({ cookies: [], origins: [stored] })
}

test('offline 55: an upgrade that throws is said, leaves what is stored as it was, and works when it is tried again', async ({
  page,
  origin,
  pageWatch,
}) => {
  pageWatch.forgive(NO_ICON)
  const { main } = await makeMerchant(origin.database.db)
  await page.addInitScript(() => {
    const make = IDBDatabase.prototype.createObjectStore
    Object.assign(window, { upgradesThrow: true })
    IDBDatabase.prototype.createObjectStore = function (this: IDBDatabase, ...given) {
      const throws = (window as never as { upgradesThrow: boolean }).upgradesThrow
      if (throws && given[0] === 'files') throw new DOMException('No.', 'ConstraintError')
      return make.apply(this, given)
    }
  })
  await beforeUpgrade(page, main)
  await page.goto('/login')
  await fillLogin(page, main)
  await expect(broken(page)).toBeVisible()
  expect(await storedRows(page, ofUser(main.id), 'outbox')).toMatchObject([{ id: 'left-1', state: 'failed' }])
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(broken(page)).toBeVisible()
  await page.evaluate(() => Object.assign(window, { upgradesThrow: false }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(broken(page)).toHaveCount(0)
  await expect(page.getByRole('link', OPEN_ONE)).toBeVisible()
  await openDownloads(page)
  await expect(page.getByText('Daily Report, 2026-10-05.csv')).toBeVisible()
})

test('offline 56: an upgrade that another window blocks says so within three seconds, and goes on when that is closed @short', async ({
  page,
  context,
  origin,
  pageWatch,
}) => {
  pageWatch.forgive(NO_ICON)
  const { main } = await makeMerchant(origin.database.db)
  // Time counts from the request to open the database, however late that is on a busy machine.
  await page.addInitScript((title) => {
    const times = { asked: 0, said: 0 }
    Object.assign(window, { times })
    const open = IDBFactory.prototype.open
    IDBFactory.prototype.open = function (this: IDBFactory, ...given) {
      // Before the login it is opened only to count waiting rows.
      const isLoggedIn = (localStorage.getItem('token') ?? 'null') !== 'null'
      if (isLoggedIn && given[0].startsWith('mp-u-')) times.asked ||= performance.now()
      return open.apply(this, given)
    }
    new MutationObserver(() => {
      if (document.body?.textContent.includes(title)) times.said ||= performance.now()
    }).observe(document, { childList: true, subtree: true })
  }, 'Close other windows of the portal')
  await beforeUpgrade(page, main)
  const other = await context.newPage()
  await other.goto(NO_PORTAL)
  await holdDatabaseOpen(other, main.id)
  await page.bringToFront()
  await page.goto('/login')
  await fillLogin(page, main)
  await expect(blocked(page)).toBeVisible()
  const { asked, said } = await page.evaluate(
    () => (window as never as { times: { asked: number; said: number } }).times,
  )
  expect(asked).toBeGreaterThan(0)
  expect(said - asked).toBeLessThanOrEqual(3_000)
  await other.close()
  await expect(blocked(page)).toHaveCount(0)
  await expect(page.getByRole('link', OPEN_ONE)).toBeVisible()
})

test('a logout is not held up by another window that does not let go, and the data goes when it does', async ({
  page,
  context,
  origin,
  pageWatch,
}) => {
  pageWatch.forgive(NO_ICON)
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  await readyOffline(page)
  const other = await context.newPage()
  await other.goto(NO_PORTAL)
  await holdDatabaseOpen(other, main.id)
  await page.bringToFront()
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
  await other.close()
  const left = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  await expect.poll(left).not.toContain(`mp-u-${main.id}`)
})

test('offline 59: a connection that the browser closes is opened again by the next thing that needs it', async ({
  page,
  origin,
}) => {
  await page.addInitScript(() => {
    const connections: IDBDatabase[] = []
    Object.assign(window, { connections })
    const open = IDBFactory.prototype.open
    IDBFactory.prototype.open = function (this: IDBFactory, ...given) {
      const request = open.apply(this, given)
      request.addEventListener('success', () => connections.push(request.result))
      return request
    }
  })
  const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
  await openReportForOffline(page, main, 'transaction')
  const closeAll = (told: boolean) =>
    page.evaluate((tell) => {
      for (const connection of (window as never as { connections: IDBDatabase[] }).connections.splice(0)) {
        connection.close()
        if (tell) connection.dispatchEvent(new Event('close'))
      }
    }, told)
  for (const [told, days] of [
    [false, '2026-10-15'],
    [true, '2026-10-30'],
  ] as const) {
    await closeAll(told)
    await askForDays(page, '2026-10-01', days)
    await expect(page.getByText(/is ready\.$/)).toBeVisible()
  }
  await openDownloads(page)
  await expect(page.getByText(/^Ready, /)).toHaveCount(2)
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
})

const MB = 1_000_000

testOnDisk('a full device says that it has no room for a download; no row is lost', async ({ origin, openBrowser }) => {
  // About sixty megabytes pass through the test, the page and the disk: a busy machine needs its time.
  test.setTimeout(120_000)
  const page = await (await openBrowser()).newPage()
  // The shell takes about three of them.
  await limitStorage(page, origin.url, 40 * MB)
  const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
  await openReportForOffline(page, main, 'transaction')
  await readyOffline(page)
  const answerWith = (bytes: number) =>
    page.route(`**${REPORTS.transaction}`, (route) =>
      route.fulfill({
        contentType: 'text/csv',
        headers: { 'content-disposition': 'attachment; filename="report.csv"', 'x-file-size': String(bytes) },
        body: randomBytes(bytes),
      }),
    )
  await answerWith(12 * MB)
  await askForDays(page, '2026-10-01', '2026-10-15')
  await expect(page.getByText(/is ready\.$/)).toBeVisible({ timeout: 30_000 })
  await answerWith(30 * MB)
  await askForDays(page, '2026-10-01', '2026-10-30')
  await expect(full(page)).toBeVisible({ timeout: 30_000 })
  await openDownloads(page)
  await expect(page.getByText(/This device has no room for the file/)).toBeVisible()
  await expect(page.getByText(/^Ready, /)).toHaveCount(1)
  await limitStorage(page, origin.url)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText(/^Ready, /)).toHaveCount(2, { timeout: 30_000 })
  await expect(full(page)).toHaveCount(0)
})
