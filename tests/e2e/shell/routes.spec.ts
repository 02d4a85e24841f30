import { logIn, logInByHand } from '../../support/accounts/logIn.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import { makeMerchant, makePosUser, makeUser } from '../../support/database/builders.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'

test('a visitor is sent to /login and lands, logged in, where they wanted to go @short', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await logInByHand(page, main, '/vouchers?size=25')
  await expect(page).toHaveURL('/vouchers?size=25')
})

test('WEB-10: a hostile redirect leads home @short', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await logInByHand(page, main, '/login?redirect=//evil.example')
  await expect(page).toHaveURL('/dashboard')
})

test('a shortcut and a password manager lead to their screen, or where this person may go @short', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const leads = async (from: string, to: string) => {
    await page.goto(from)
    await expect(page).toHaveURL(to)
  }
  await logIn(page, await makePosUser(db))
  await leads('/redeem?source=shortcut', '/redeem')
  await leads('/vouchers?source=shortcut', '/redeem')
  await leads('/.well-known/change-password', '/redeem?view=day')
  await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible()
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await logIn(page, (await makeMerchant(db)).main)
  await leads('/redeem?source=shortcut', '/dashboard')
  await leads('/vouchers?source=shortcut', '/vouchers')
  await leads('/.well-known/change-password', '/profile#security')
  await expect(page.getByRole('button', { name: 'Change password' })).toBeInViewport()
})

test('an unknown path leads to /404 with the words of the spec', async ({ page, origin }) => {
  for (const path of ['/nowhere', '/nowhere/at/all']) {
    await page.goto(path)
    await expect(page).toHaveURL('/404')
  }
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  await expect(page.getByText('We are sorry, the page you are looking for cannot be found.')).toBeVisible()
  await expect(page.getByText('Or your account may not open it.')).toBeVisible()
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  for (const path of [
    '/vouchers/nowhere',
    '/profile/create',
    `/masters/${ID}/view`,
    '/branches/detail/abc',
    '/reports/nowhere',
    '/reports/constructor',
    '/settings/device/more',
  ]) {
    await page.goto(path)
    await expect(page).toHaveURL('/404')
  }
})

test('sub-paths of the spec open', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  const paths = ['/profile/edit', '/masters/create', `/masters/${ID}/edit`, '/branches/adhoc', `/branches/${ID}/view`]
  for (const path of paths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveURL(path)
  }
})

test('imports have paths of their own', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  for (const [path, title] of [
    ['/imports/branches', 'Import branches'],
    ['/imports/pos-users', 'Import POS users'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page).toHaveURL(path)
  }
  for (const path of ['/imports', '/imports/masters']) {
    await page.goto(path)
    await expect(page).toHaveURL('/404')
  }
})

test('each type is kept from what the spec keeps from it', async ({ browser, origin }) => {
  const { db } = origin.database
  const hrp = await makeMerchant(db)
  const adhoc = await makeMerchant(db, 'ADHOC Merchant')
  const blocked = [
    {
      user: await makeUser(db, 'Additional Merchant', { organisation: hrp.organisation }),
      paths: ['/masters', '/redeem'],
    },
    { user: adhoc.main, paths: ['/masters', '/resources'] },
    { user: await makeUser(db, 'Branch Merchant', hrp), paths: ['/masters', '/branches', '/imports/branches'] },
    { user: await makePosUser(db, hrp), paths: ['/dashboard', '/vouchers', '/downloads', '/imports/pos-users'] },
  ]
  for (const { user, paths } of blocked) {
    const context = await browser.newContext({ baseURL: origin.url })
    const page = await context.newPage()
    await logIn(page, user)
    for (const path of paths) {
      await page.goto(path)
      await expect(page).toHaveURL('/404')
    }
    await context.close()
  }
})

test('public pages show their header, and the activity log what there is of it', async ({ page, origin }) => {
  for (const path of [
    '/help',
    '/terms-and-conditions',
    '/terms-of-use',
    '/voucher-management-guidelines',
    '/register',
    '/onboarding',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  await page.goto('/activity')
  await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Logged in', exact: true })).toBeVisible()
})

test('the sidebar offers nothing that the server’s map of rights does not have', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await page.route('**/api/account/my_info', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: { permissions: Record<string, unknown> } }
    delete body.data.permissions['vouchers']
    await route.fulfill({ response: answer, json: body })
  })
  await logIn(page, main)
  await page.goto('/dashboard')
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await expect(sidebar.getByRole('link', { name: 'Branches' })).toBeVisible()
  await expect(sidebar.getByRole('link', { name: 'Vouchers' })).toHaveCount(0)
})
