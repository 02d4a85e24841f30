import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant, makeResource, type Resource } from '../../support/database/builders.ts'
import { changeRows, rowsOf } from '../../support/database/rows.ts'

const DOWNLOAD = '/api/resources/download_log'

/** Makes two files for this test and opens the list, which also has the files of other tests: the programme's files are shared. */
async function atResources(page: Page, origin: PortalOrigin) {
  const { db } = origin.database
  const guide = await makeResource(db, { content: new TextEncoder().encode('Scan, confirm.'), filename: 'guide.txt' })
  const form = await makeResource(db, { filename: 'form.txt' })
  const merchant = await makeMerchant(db)
  await logIn(page, merchant.main, '/resources')
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

test('SGN-06: a download gives the file and is written down once @short', async ({ page, origin }) => {
  const { guide, main } = await atResources(page, origin)
  const row = rowOf(page, guide)
  await expect(row).toContainText('14 bytes')
  await expect(row).toContainText('1 Nov 2026')
  expect(await saved(page, `Download ${guide.title}`)).toEqual({ name: 'guide.txt', text: 'Scan, confirm.' })
  // The file arrives before the server has logged the download.
  await expect.poll(() => logOf(origin, guide)).toMatchObject([{ userId: main.id }])
})

testWithWorker(
  'without a connection the list stays readable, and a download is refused before the tap',
  async ({ page, origin }) => {
    const { form } = await atResources(page, origin)
    await readyOffline(page)
    await origin.setConnection({ kind: 'refuse' })
    await page.reload()
    await expect(page.getByText(/This list is as of \d\d:\d\d today/)).toBeVisible()
    await expect(page.getByText('Downloading needs a connection.')).toBeVisible()
    await expect(button(page, `Download ${form.title}`)).toHaveAttribute('aria-disabled', 'true')
    await button(page, `Download ${form.title}`).click({ force: true })
    expect(origin.sent('POST', DOWNLOAD)).toHaveLength(0)
  },
)

test('a newer file than the one I have is marked in words', async ({ page, origin }) => {
  const { guide } = await atResources(page, origin)
  const row = rowOf(page, guide)
  await saved(page, `Download ${guide.title}`)
  await expect.poll(() => logOf(origin, guide)).toHaveLength(1)
  await expect(row.getByText('Updated', { exact: true })).toHaveCount(0)
  const newer = { updatedAt: '2027-11-15T00:00:00Z', content: Buffer.from('Scan, ask, confirm.') }
  await changeRows(origin.database.db, 'resource', { id: guide.id }, newer)
  await page.reload()
  await expect(row.getByText('Updated', { exact: true })).toBeVisible()
  await expectAccessibleAndFits(page)
  expect((await saved(page, `Download ${guide.title}`)).text).toBe('Scan, ask, confirm.')
})

test('a download that breaks off says so', async ({ page, origin }) => {
  const { guide } = await atResources(page, origin)
  // Repeated, because Chromium itself asks once more when a used connection is cut.
  void origin.loseAnswer(({ path }) => path === DOWNLOAD, 1_000)
  await button(page, `Download ${guide.title}`).click()
  await expect(page.getByText(`${guide.title} was not downloaded.`)).toBeVisible()
  await expect(button(page, `Download ${guide.title}`)).toBeEnabled()
})
