import { fillLogin, readyOffline, logInByHand } from '../../support/accounts/logIn.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import { makeBranch, makeMerchant, makePosUser, PASSWORD } from '../../support/database/builders.ts'

/** The sidebars of the other types are tested in src/domain/sidebar.test.ts. */
const SIDEBAR =
  'Profile Masters Branches Vouchers Reports Transaction Report Monthly Report Resources Payments Tills Activity'

test('a main account lands on the dashboard with exactly its sidebar, open @short', async ({ page, origin }) => {
  await logInByHand(page, (await makeMerchant(origin.database.db)).main)
  await expect(page).toHaveURL('/dashboard')
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await expect(sidebar.getByRole('link', { name: 'Profile', exact: true })).toBeVisible()
  const shown = await sidebar.locator('a, summary').allInnerTexts()
  expect(shown.map((text) => text.trim()).join(' ')).toBe(SIDEBAR)
})

test('a POS user lands at the counter, without a sidebar', async ({ page, origin }) => {
  const till = await makePosUser(origin.database.db)
  await logInByHand(page, till)
  await expect(page).toHaveURL('/redeem')
  await expect(page.getByText(till.branch.name)).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
})

test('a till finds the login of the point of sale again: after a logout, an ousting and a start of the app', async ({
  page,
  browser,
  origin,
}) => {
  const till = await makePosUser(origin.database.db)
  const here = page.getByRole('navigation', { name: 'Who logs in' }).locator('[aria-current]')
  await page.goto('/redeem')
  await expect(here).toHaveText('Point of sale')
  await fillLogin(page, till)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login?as=pos')
  await page.goto('/?source=pwa')
  await expect(here).toHaveText('Point of sale')
  await fillLogin(page, till)
  await expect(page).toHaveURL('/redeem')

  const elsewhere = await browser.newContext({ baseURL: origin.url })
  await logInByHand(await elsewhere.newPage(), till)
  await elsewhere.close()
  await page.reload()
  await expect(page.getByText('Multiple Login Detected')).toBeVisible()
  await expect(here).toHaveText('Point of sale')
  await page.getByRole('link', { name: 'Merchant', exact: true }).click()
  await page.reload()
  await expect(here).toHaveText('Merchant')
})

test('AUT-03: a gated main merchant meets its status page, and nothing else @short', async ({ page, origin }) => {
  const pending = await makeMerchant(origin.database.db, 'HRP Merchant', 'Pending Activation')
  await logInByHand(page, pending.main)
  await expect(page).toHaveURL('/onboarding')
  await page.goto('/vouchers')
  await expect(page).toHaveURL('/onboarding')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
})

test('AUT-01: a wrong password is said at the field, tells nothing about the account, and loses nothing typed @short', async ({
  page,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  for (const email of [main.loginName, 'nobody@test.example']) {
    await page.goto('/login')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('Not-The-Password-1!')
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page.getByText('Email or password is incorrect.')).toBeVisible()
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('Not-The-Password-1!')
  }
})

test('fields say what is wrong with them on submit, in the words of the spec', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText('Password is required.').first()).toBeVisible()
  await page.getByLabel('Email').fill('not an email')
  await page.getByLabel('Password', { exact: true }).fill('x')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText('Invalid email.')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
})

test('AUT-08: the password leaves the browser encrypted @short', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await logInByHand(page, main)
  const [login] = origin.sent('POST', '/api/auth/login')
  expect(login?.body).toContain('encrypted_password')
  expect(origin.requests.some(({ body, query }) => (body + query).includes(PASSWORD))).toBe(false)
})

const KEY = '/api/auth/encryption_public_key'
const keyExpired = {
  status: 400,
  json: { message: 'Please try again.', error: 'KEY_EXPIRED', data: {}, request_id: 'r' },
}

test('AUT-09: a key that was rotated is fetched anew, once, and the person does not notice', async ({
  page,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await page.route('**/api/auth/login', (route) => route.fulfill(keyExpired), { times: 1 })
  await logInByHand(page, main)
  await expect(page).toHaveURL('/dashboard')
  expect(origin.sent('GET', KEY)).toHaveLength(2)
})

test('AUT-09: a server that calls every key expired is not asked without end', async ({ page, origin }) => {
  let logins = 0
  await page.route('**/api/auth/login', (route) => {
    logins += 1
    return route.fulfill(keyExpired)
  })
  await page.goto('/login')
  await page.getByLabel('Email').fill('main@test.example')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText('Please try again.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
  expect(logins).toBe(2)
  expect(origin.sent('GET', KEY)).toHaveLength(2)
})

test('the sidebar folds away and stays so after a reload', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await logInByHand(page, main)
  await page.getByRole('button', { name: 'Hide sidebar' }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await page.reload()
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Vouchers', exact: true })).toBeVisible()
})

test('on a phone the sidebar is a sheet that closes behind the chosen page', async ({ page, origin }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { main } = await makeMerchant(origin.database.db)
  await logInByHand(page, main)
  await expect(page.getByRole('link', { name: 'Vouchers', exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page).toHaveURL('/vouchers')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})

testWithWorker('logging in without a connection says so and keeps what was typed @short', async ({ page, origin }) => {
  const branchOwner = await makeMerchant(origin.database.db)
  await makeBranch(origin.database.db, branchOwner.organisation)
  await page.goto('/login')
  await page.getByLabel('Email').fill(branchOwner.main.loginName)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await readyOffline(page)
  await origin.setConnection({ kind: 'refuse' })
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByText('Logging in needs a connection. What you typed is kept.')).toBeVisible()
  await origin.setConnection({ kind: 'up' })
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL('/dashboard')
})
