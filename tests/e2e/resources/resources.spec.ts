import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { readyOffline, signIn } from '../../support/accounts/signIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant, makeResource, type Resource } from '../../support/database/builders.ts'
import { changeRows, rowsOf } from '../../support/database/rows.ts'
import { OF_USER, storedRows } from '../../support/devices/storage.ts'

const DOWNLOAD = '/api/resources/download_log'

/** Two files of this test alone: the programme's files are the same for everyone, so others of this server are here too. */
async function atResources(page: Page, origin: PortalOrigin) {
  const { db } = origin.database
  const guide = await makeResource(db, { content: new TextEncoder().encode('Scan, confirm.'), filename: 'guide.txt' })
  const form = await makeResource(db, { filename: 'form.txt' })
  const merchant = await makeMerchant(db)
  await signIn(page, merchant.main, '/resources')
  await expect(rowOf(page, guide)).toBeVisible()
  return { ...merchant, guide, form }
}

const rowOf = (page: Page, { title }: Resource) => page.getByRole('row').filter({ hasText: title })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const logOf = ({ database }: PortalOrigin, { id }: Resource) => rowsOf(database.db, 'activity', { subjectId: id })

async function saved(page: Page, name: string) {
  const downloading = page.waitForEvent('download')
  await button(page, name).click()
  const download = await downloading
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

test('SGN-06: a download gives the file, keeps it on the device and is written down once @short', async ({
  page,
  origin,
}) => {
  const { guide, main } = await atResources(page, origin)
  const row = rowOf(page, guide)
  await expect(row).toContainText('14 bytes')
  await expect(row).toContainText('1 Nov 2026')
  await expect(row).toContainText('Not kept')
  expect(await saved(page, `Download ${guide.title}`)).toEqual({ name: 'guide.txt', text: 'Scan, confirm.' })
  await expect(row).toContainText(/Kept on this device, as of \d\d:\d\d today/)
  // The file is here before the server has written it down.
  await expect.poll(() => logOf(origin, guide)).toMatchObject([{ userId: main.id }])
  // From the device: the server has nothing to write down.
  expect(await saved(page, `Save ${guide.title}`)).toEqual({ name: 'guide.txt', text: 'Scan, confirm.' })
  expect(await logOf(origin, guide)).toHaveLength(1)
  await button(page, `Remove ${guide.title} from this device`).click()
  await expect(row).toContainText('Not kept')
  await expect(button(page, `Download ${guide.title}`)).toBeVisible()
})

testWithWorker(
  'without a connection what is kept can be saved, and the rest is refused before the tap, with the reason',
  async ({ page, origin }) => {
    const { guide, form } = await atResources(page, origin)
    await saved(page, `Download ${guide.title}`)
    await expect(rowOf(page, guide)).toContainText('Kept on this device')
    await readyOffline(page)
    await origin.line({ kind: 'refuse' })
    await page.reload()
    await expect(page.getByText(/This list is as of \d\d:\d\d today/)).toBeVisible()
    expect(await saved(page, `Save ${guide.title}`)).toEqual({ name: 'guide.txt', text: 'Scan, confirm.' })
    await expect(rowOf(page, form)).toContainText('Not kept: needs a connection')
    await expect(button(page, `Download ${form.title}`)).toHaveAttribute('aria-disabled', 'true')
    await button(page, `Download ${form.title}`).click({ force: true })
    expect(origin.sent('POST', DOWNLOAD)).toHaveLength(1)
  },
)

testWithWorker('the list is there without a connection even if nobody has opened it', async ({ page, origin }) => {
  const { db } = origin.database
  const guide = await makeResource(db)
  const { main } = await makeMerchant(db)
  await signIn(page, main, '/vouchers')
  await readyOffline(page)
  const asked = () => origin.requests.filter(({ path, query }) => path.startsWith('/api/resources') && query === '')
  // The worker controls the page from here on: what is asked now is kept.
  await page.reload()
  await expect.poll(() => asked().at(-1)?.status).toBe(200)
  await expect.poll(() => keptLists(page)).toContain('resources')
  await origin.line({ kind: 'refuse' })
  await page.getByRole('link', { name: 'Resources', exact: true }).click()
  await expect(rowOf(page, guide)).toBeVisible()
  await expect(page.getByText(/This list is as of \d\d:\d\d today/)).toBeVisible()
})

/** The reference lists that lie in the database of the person. */
const keptLists = async (page: Page) => (await storedRows(page, OF_USER, 'lists')).map(({ key }) => key)

test('a newer file than the one I have is marked in words, and takes its place', async ({ page, origin }) => {
  const { guide } = await atResources(page, origin)
  const row = rowOf(page, guide)
  await expect(row).not.toContainText('Updated')
  await saved(page, `Download ${guide.title}`)
  const newer = {
    updatedAt: '2026-11-15T00:00:00Z',
    content: Buffer.from('Scan, ask, confirm.'),
  }
  await changeRows(origin.database.db, 'resource', { id: guide.id }, newer)
  await page.reload()
  await expect(row).toContainText('Updated')
  await expect(row).toContainText('An older one, as of')
  await expectAccessibleAndFits(page)
  expect((await saved(page, `Download ${guide.title}`)).text).toBe('Scan, ask, confirm.')
  await expect(row).toContainText('Kept on this device')
  await expect(row).not.toContainText('Updated')
  expect((await saved(page, `Save ${guide.title}`)).text).toBe('Scan, ask, confirm.')
})

test('on a slow connection the download shows how far it is, and can be cancelled; nothing is kept or written down', async ({
  page,
  origin,
}) => {
  const big = await makeResource(origin.database.db, { content: new Uint8Array(2_000_000).fill(7) })
  await atResources(page, origin)
  await origin.line({ kind: 'slow', bytesPerSecond: 200_000 }, ({ path }) => path === DOWNLOAD)
  await button(page, `Download ${big.title}`).click()
  const bar = page.getByRole('progressbar', { name: `Downloading ${big.title}` })
  await expect.poll(() => bar.evaluate((element) => (element as HTMLProgressElement).value)).toBeGreaterThan(0)
  await expect(rowOf(page, big)).toContainText(/\d+ KB of 2\.0 MB/)
  await button(page, `Cancel the download of ${big.title}`).click()
  await expect(button(page, `Download ${big.title}`)).toBeVisible()
  await expect(rowOf(page, big)).toContainText('Not kept')
  expect(await logOf(origin, big)).toEqual([])
})

test('a download that breaks off says so and is not kept', async ({ page, origin }) => {
  const { guide } = await atResources(page, origin)
  // Chromium asks once more by itself when a used connection is cut.
  void origin.loseAnswer(({ path }) => path === DOWNLOAD, 1_000)
  await button(page, `Download ${guide.title}`).click()
  await expect(page.getByText(`${guide.title} was not downloaded.`)).toBeVisible()
  await expect(rowOf(page, guide)).toContainText('Not kept')
})
