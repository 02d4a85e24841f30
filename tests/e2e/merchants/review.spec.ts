import { logIn } from '../../support/accounts/logIn.ts'
import { mailsTo } from '../../support/api/mailbox.ts'
import { post } from '../../support/api/portalClient.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant, type Merchant } from '../../support/database/builders.ts'
import { rowsOf } from '../../support/database/rows.ts'
import { makeApplication, makeBrand, signupProof } from '../../support/merchants/application.ts'
import {
  approve,
  confirmDialog,
  newestReviewLink,
  PROVIDER,
  reviewButton,
  submitOnboarding,
} from '../../support/merchants/reviewPage.ts'

const decisions = (origin: PortalOrigin) => origin.sent('POST', '/api/review/decide')

async function statusOf({ database }: PortalOrigin, { organisation: { id } }: Merchant) {
  return (await rowsOf(database.db, 'organisation', { id }))[0]?.['status']
}

test('the link opens everything submitted; its token leaves the address and travels in bodies only', async ({
  page,
  origin,
}) => {
  const { merchant, link } = await submitOnboarding(origin)
  await page.goto(link)
  await expect(page).toHaveURL('/review')
  const visited = await page.evaluate(() => navigation.entries().map(({ url }) => url))
  expect(visited.filter((url) => url?.includes('token'))).toEqual([])

  await expect(page.getByRole('heading', { name: merchant.organisation.name })).toBeVisible()
  await expect(page.getByText(/^Link valid until \d+ \w{3} 20\d\d$/)).toBeVisible()
  await expect(page.getByText(`by ${merchant.main.loginName}`)).toBeVisible()
  for (const text of [
    '201834567W',
    'Mon–Fri 08:00–21:30, Sat 09:00–22:30, Sun closed',
    'Nadia Rahim',
    'Bank code 7171, branch code 001',
  ]) {
    await expect(page.getByRole('main')).toContainText(text)
  }
  const token = new URL(link).hash.replace('#token=', '')
  const told = origin.requests.filter(({ path, query, body }) => (path + query + body).includes(token))
  expect(told.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/review/get'])
  expect(told[0]?.query).toBe('')
})

test('a document opens in a tab of its own that cannot reach back', async ({ page, origin }) => {
  const { link } = await submitOnboarding(origin)
  await page.goto(link)
  const open = page.getByRole('link', { name: 'Open Merchant agreement in a new tab' })
  await expect(open).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(open).toHaveAttribute('target', '_blank')
  const address = new URL((await open.getAttribute('href'))!, origin.url)
  const answer = await fetch(address)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(answer.headers.get('content-security-policy')).toContain('sandbox')
})

test('an approval names its consequence, is made once however often it is pressed, and stays readable @short', async ({
  page,
  origin,
}) => {
  const { merchant, link } = await submitOnboarding(origin)
  await page.goto(link)
  await reviewButton(page, 'Approve').click()
  await expect(confirmDialog(page)).toContainText(`Approve ${merchant.organisation.name}?`)
  await expect(confirmDialog(page)).toContainText('The account becomes Active')
  await confirmDialog(page).getByRole('button', { name: 'Back' }).click()
  expect(decisions(origin)).toEqual([])

  await reviewButton(page, 'Approve').dblclick()
  await confirmDialog(page).getByRole('button', { name: 'Approve' }).dblclick()
  await expect(page.getByText(/^Approved on \d+ \w{3} 20\d\d, \d\d:\d\d$/)).toBeVisible()
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  expect(decisions(origin)).toHaveLength(1)
  expect(await statusOf(origin, merchant)).toBe('Active')
  const mails = await mailsTo(origin.database.db, merchant.main.loginName)
  expect(mails.filter(({ kind }) => kind === 'authorised')).toHaveLength(1)

  await page.goto(link)
  await expect(page.getByText(/^Approved on/)).toBeVisible()
  await expect(reviewButton(page, 'Approve')).toHaveCount(0)
})

test('a missing, cut or expired link says so', async ({ page, origin }) => {
  const { link } = await submitOnboarding(origin)
  await page.goto('/review')
  await expect(page.getByRole('heading', { name: 'Open the link again' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to the login' })).toHaveAttribute('href', '/login')
  await expectAccessibleAndFits(page)
  await page.goto('/review#token=cut')
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await page.goto(link.replace('#', '%23'))
  await expect(reviewButton(page, 'Approve')).toBeVisible()
  await expect(page).toHaveURL('/review')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Open the link again' })).toBeVisible()
  origin.clock.advance(60 * 86_400_000)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
})

test('who is logged in here does not matter, and neither kind of mailed link opens the page of the other', async ({
  page,
  origin,
}) => {
  const { link } = await submitOnboarding(origin)
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  await page.goto(link)
  await approve(page)
  await expect(page.getByText(/^Approved on/)).toBeVisible()
  for (const request of [...origin.sent('POST', '/api/review/get'), ...decisions(origin)]) {
    expect(request.headers['authorization']).toBeUndefined()
  }
  await page.goto('/login?step=reset')
  await expect(page.getByRole('heading', { name: 'Open the link again' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
})

const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

test('WEB-03: hostile text of an application is shown as text, and a link is a web page or no link @short', async ({
  page,
  origin,
}) => {
  const brand = await makeBrand(origin.deps, {
    name: HOSTILE,
    outlet_type: 'All except listed',
    non_participating_outlets: [HOSTILE, 'javascript:alert(1)'],
    website: 'https://brand.example/?q=javascript:alert(1)',
  })
  const application = await makeApplication(origin.deps, {
    role: 'adhoc',
    organisation_name: HOSTILE,
    office_address: HOSTILE,
    brands: [brand],
  })
  const body = { application, captcha_proof: await signupProof(origin.deps) }
  expect(await post(origin.ask, '/api/signup', body)).toMatchObject({ status: 200 })
  await expect.poll(async () => (await mailsTo(origin.database.db, PROVIDER)).at(-1)?.subject).toContain('Application')
  await page.goto(await newestReviewLink(origin))
  await expect(page.getByRole('heading', { name: HOSTILE, exact: true })).toBeVisible()
  await expect(page.locator('main :is(img, script, iframe)')).toHaveCount(0)
  const hrefs = await page.locator('main a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  for (const href of hrefs) expect(href).toMatch(/^(https?:)?\//)
  await expect(page).not.toHaveTitle(/^[12]$/)
  await expectAccessibleAndFits(page)
})

test('the desk is accessible in both themes, fits a phone, and works by keyboard alone', async ({ page, origin }) => {
  const one = await submitOnboarding(origin, { uen: '199912345R' })
  expect(one.link).toContain('/review#token=')
  const { link } = await submitOnboarding(origin, { uen: '199912345R' })
  await page.goto(link)
  await expect(page.getByText('Another organisation has this UEN')).toBeVisible()
  await expect(page.getByText(`merchant ID ${one.merchant.organisation.merchantId}`)).toBeVisible()
  await expectAccessibleAndFits(page)
  await reviewButton(page, 'Reject').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Reason, if rejected')).toBeFocused()
  await expectAccessibleAndFits(page)
  await page.keyboard.type('Page 14 is not signed.')
  await page.keyboard.press('Tab')
  await expect(reviewButton(page, 'Approve')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(confirmDialog(page).getByRole('button', { name: 'Approve' })).toBeFocused()
  await expectAccessibleAndFits(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Approved on/)).toBeVisible()
  await expectAccessibleAndFits(page)
})
