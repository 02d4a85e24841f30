import type { Page } from '@playwright/test'
import type { UserType } from '../../../src/contract/accounts/permissions.ts'
import { readyOffline, logInByHand } from '../../support/accounts/logIn.ts'
import { button, DESK, field, PHONE } from '../../support/accounts/loginPage.ts'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import {
  expectAppTookOver,
  firstPaint,
  firstScreen,
  holdBackScripts,
  layoutShift,
  visibleLayout,
} from '../../support/browser/firstScreen.ts'
import { expect, testFirstVisit as test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant, makePosUser, makeUser, PASSWORD } from '../../support/database/builders.ts'

const LOGIN = '/api/auth/login'
const FRAME = (within: string) => `${within} :is(header:not(main *), nav[aria-label=Main])`
/** Requested after the app has rendered. */
const AFTER_RENDER = /\/startOffline-/
const GROUND = { light: 'rgb(255, 255, 255)', dark: 'rgb(20, 25, 34)' }

/** Stores rows as an earlier visit left them. */
const store = (page: Page, rows: Record<string, string | undefined>) =>
  page.addInitScript((given) => {
    for (const [key, value] of Object.entries(given)) if (value !== undefined) localStorage.setItem(key, value)
  }, rows)

async function someone({ database: { db } }: PortalOrigin, type: UserType) {
  const merchant = await makeMerchant(db, type === 'ADHOC Merchant' ? type : 'HRP Merchant')
  if (type === 'HRP Merchant' || type === 'ADHOC Merchant') return merchant.main
  const { organisation, branch } = merchant
  return makeUser(db, type, type === 'Branch Merchant' ? { organisation, branch } : { organisation })
}

/** Makes the browser look too old: index.html tests for certain features by CSS rules, and one of these fails. */
async function makeTooOld(page: Page) {
  await page.route('**/*', async (route) => {
    if (!route.request().isNavigationRequest()) return route.continue()
    const response = await route.fetch()
    const html = await response.text()
    // Removed, because the policy names the rules by their hash.
    const { 'content-security-policy': _policy, ...headers } = response.headers()
    await route.fulfill({ response, headers, body: html.replaceAll('(color:color-mix(', '(color:unknown(') })
  })
}

test('a browser that is too old says so instead of any page, and opens it when asked', async ({ page }) => {
  await makeTooOld(page)
  for (const [path, heading] of [
    ['/login', 'Login'],
    ['/terms-of-use', 'Terms of use'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'This browser is too old' })).toBeVisible()
    await expectNoAxeViolations(page)
    await expect(page.locator('#root')).toBeEmpty()
    await page.getByRole('button', { name: 'Open the portal anyway' }).click()
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
    await expect(page.getByText('This browser is too old')).toHaveCount(0)
  }
})

test('a page that was opened by plain http asks for https, and not for patience', async ({ page, pageWatch }) => {
  pageWatch.forgive(/Cross-Origin-Opener-Policy header has been ignored/)
  // Browsers take http by a name for what it is; only 127.0.0.1 and localhost count as safe.
  const portal = await page.goto('/login')
  const { origin } = new URL(portal!.url())
  await page.route('http://portal.test/**', async (route) => {
    const { pathname, search } = new URL(route.request().url())
    await route.fulfill({ response: await route.fetch({ url: origin + pathname + search }) })
  })
  for (const path of ['/login?step=forgot', '/redeem', '/terms-of-use']) {
    await page.goto(`http://portal.test${path}`)
    expect(await page.evaluate(() => [isSecureContext, 'randomUUID' in crypto])).toEqual([false, false])
    await expect(page.getByRole('heading', { name: 'Open the portal by https' })).toBeVisible()
    const link = page.getByRole('link', { name: 'Open https://portal.test' })
    await expect(link).toHaveAttribute('href', `https://portal.test${path}`)
    await expectNoAxeViolations(page)
    await expect(page.locator('#root')).toBeEmpty()
    await expect(page.getByText('cannot be reached')).toHaveCount(0)
  }
})

test.describe('before any script of the app has run', () => {
  test('the login is painted and takes what is typed', async ({ page }) => {
    const release = await holdBackScripts(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await expect(firstScreen(page).getByRole('heading', { name: 'Login', exact: true })).toBeVisible()
    expect(await firstPaint(page)).toBeGreaterThan(0)
    await field(page, 'Email').fill('main@test.example')
    await field(page, 'Password').fill('half a pass')
    release()
    await expectAppTookOver(page)
    await expect(field(page, 'Email')).toHaveValue('main@test.example')
    await expect(field(page, 'Password')).toHaveValue('half a pass')
  })

  test('what was typed is the form’s own afterwards: it logs in @short', async ({ page, origin }) => {
    const { main } = await makeMerchant(origin.database.db)
    const release = await holdBackScripts(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await field(page, 'Email').fill(main.loginName)
    await field(page, 'Password').fill(PASSWORD)
    release()
    await expectAppTookOver(page)
    await field(page, 'Password').press('End')
    await button(page, 'Login').click()
    await expect(page).toHaveURL('/dashboard')
    expect(origin.sent('POST', '/api/auth/login')).toHaveLength(1)
  })

  for (const label of ['Email', 'Password']) {
    test(`the focus and the caret in ${label} survive, and typing goes on there`, async ({ page }) => {
      const release = await holdBackScripts(page)
      await page.goto('/login', { waitUntil: 'commit' })
      await field(page, label).focus()
      await page.keyboard.type('abcdef')
      for (let left = 0; left < 3; left++) await page.keyboard.press('ArrowLeft')
      release()
      await expectAppTookOver(page)
      await expect(field(page, label)).toBeFocused()
      await page.keyboard.type('-')
      await expect(field(page, label)).toHaveValue('abc-def')
    })
  }

  test('a word that an input method is at is finished first', async ({ page, context }) => {
    const release = await holdBackScripts(page)
    await page.goto('/login?as=pos', { waitUntil: 'commit' })
    const devtools = await context.newCDPSession(page)
    await field(page, 'Username').focus()
    await devtools.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 })
    const rendered = page.waitForRequest(AFTER_RENDER)
    release()
    // The app is rendered outside the page, and waits.
    await rendered
    await expect(page.locator('#root')).not.toBeAttached()
    await devtools.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 })
    await devtools.send('Input.insertText', { text: '日本' })
    await expectAppTookOver(page)
    await expect(field(page, 'Username')).toBeFocused()
    await expect(field(page, 'Username')).toHaveValue('日本')
    await page.keyboard.type('!')
    await expect(field(page, 'Username')).toHaveValue('日本!')
  })

  test('what a password manager filled in without an event survives', async ({ page }) => {
    const release = await holdBackScripts(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await firstScreen(page).locator('[data-view=merchant] input').first().waitFor()
    await page.evaluate(() => {
      const [name, password] = document.querySelectorAll<HTMLInputElement>('#first [data-view=merchant] input')
      name!.value = 'filled@test.example'
      password!.value = 'Filled-In-1!'
    })
    release()
    await expectAppTookOver(page)
    await expect(field(page, 'Email')).toHaveValue('filled@test.example')
    await expect(field(page, 'Password')).toHaveValue('Filled-In-1!')
  })

  for (const how of ['the button', 'Enter'] as const) {
    test(`a press by ${how} is carried out once the app is there, with what was typed${how === 'Enter' ? ' @short' : ''}`, async ({
      page,
      origin,
    }) => {
      const { main } = await makeMerchant(origin.database.db)
      const release = await holdBackScripts(page)
      await page.goto('/login', { waitUntil: 'commit' })
      expect(await firstScreen(page).locator('[name]').count()).toBe(0)
      await field(page, 'Email').fill(main.loginName)
      await field(page, 'Password').fill(PASSWORD)
      await (how === 'Enter' ? page.keyboard.press('Enter') : button(page, 'Login').click())
      await expect(button(page, 'Login')).toHaveAttribute('aria-busy', 'true')
      await expect(firstScreen(page).locator('[data-spinner]')).toBeVisible()
      await expect(page).toHaveURL('/login')
      release()
      await expect(page).toHaveURL('/dashboard')
      expect(origin.sent('POST', LOGIN)).toHaveLength(1)
    })
  }

  test('a button is not taken away from under the finger', async ({ page, origin }) => {
    const { main } = await makeMerchant(origin.database.db)
    const release = await holdBackScripts(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await field(page, 'Email').fill(main.loginName)
    await field(page, 'Password').fill(PASSWORD)
    await button(page, 'Login').hover()
    await page.mouse.down()
    const rendered = page.waitForRequest(AFTER_RENDER)
    release()
    await rendered
    await expect(firstScreen(page)).toBeVisible()
    await page.mouse.up()
    await expect(page).toHaveURL('/dashboard')
  })

  test('while a finger is down there is one login in the page, and the link under it works afterwards', async ({
    page,
  }) => {
    const release = await holdBackScripts(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await page.getByRole('link', { name: 'Forgot password?' }).hover()
    await page.mouse.down()
    const rendered = page.waitForRequest(AFTER_RENDER)
    release()
    await rendered
    await expect(field(page, 'Email')).toHaveCount(1)
    await page.mouse.up()
    await expect(field(page, 'Email')).toHaveCount(1)
    await expectAppTookOver(page)
    await expect(page).toHaveURL('/login?step=forgot')
    await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeFocused()
  })

  test('a press is taken back by typing on, and nothing is sent', async ({ page, origin }) => {
    const release = await holdBackScripts(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await field(page, 'Email').fill('main@test.example')
    await field(page, 'Password').fill('secre')
    await page.keyboard.press('Enter')
    await expect(button(page, 'Login')).toHaveAttribute('aria-busy', 'true')
    await page.keyboard.press('t')
    await expect(button(page, 'Login')).not.toHaveAttribute('aria-busy')
    await expect(firstScreen(page).locator('[data-spinner]')).toBeHidden()
    release()
    await expectAppTookOver(page)
    await expect(field(page, 'Password')).toHaveValue('secret')
    await expect(field(page, 'Password')).toBeFocused()
    expect(origin.sent('POST', LOGIN)).toEqual([])
  })

  test('a press without what is needed is answered at the fields once the app is there', async ({ page }) => {
    const release = await holdBackScripts(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await button(page, 'Login').click()
    await expect(button(page, 'Login')).toHaveAttribute('aria-busy', 'true')
    release()
    await expectAppTookOver(page)
    await expect(page.getByText('Email is required.').first()).toBeVisible()
    await expect(page.getByText('Password is required.').first()).toBeVisible()
  })

  test('a press of “Forgot password?” takes the email that was typed along', async ({ page }) => {
    const release = await holdBackScripts(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await field(page, 'Email').fill('main@test.example')
    await page.getByRole('link', { name: 'Forgot password?' }).click({ noWaitAfter: true })
    release()
    await expect(page).toHaveURL('/login?step=forgot')
    await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeFocused()
    await expect(field(page, 'Email')).toHaveValue('main@test.example')
  })

  test('the tabs are links that work', async ({ page }) => {
    await holdBackScripts(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await page.getByRole('link', { name: 'Point of sale' }).click({ noWaitAfter: true })
    await expect(field(page, 'Username')).toBeVisible()
    await expect(page).toHaveURL('/login?as=pos')
  })

  const OUSTED = {
    pageTitle: '',
    isSidebarOpen: true,
    multiLoginMessage: 'Somebody "else" is in.',
    successRegisterMessage: '',
  }
  for (const [what, path, ui] of [
    ['the login', '/login', undefined],
    ['the login of a till', '/login?as=pos', undefined],
    ['the login after a multiple login', '/login?multiLogin=1', OUSTED],
    ['the same with nothing stored', '/login?multiLogin=1', undefined],
  ] as const) {
    for (const [viewport, theme] of [
      [DESK, 'light'],
      [PHONE, 'dark'],
    ] as const) {
      test(`${what}, ${viewport.width} wide and ${theme}, is drawn as the app draws it`, async ({ page }) => {
        await page.setViewportSize(viewport)
        await store(page, { ui: ui && JSON.stringify(ui), theme })
        const release = await holdBackScripts(page)
        await page.goto(path, { waitUntil: 'commit' })
        await expect(firstScreen(page).getByRole('heading', { name: 'Login', exact: true })).toBeVisible()
        await expect(page.locator('body')).toHaveCSS('background-color', GROUND[theme])
        await expectNoAxeViolations(page)
        const before = await visibleLayout(page, '#first')
        expect(before.length).toBeGreaterThan(15)
        release()
        await expectAppTookOver(page)
        expect(await visibleLayout(page, '#root')).toEqual(before)
        expect(await layoutShift(page)).toBe(0)
      })
    }
  }

  for (const type of ['HRP Merchant', 'Additional Merchant', 'ADHOC Merchant', 'Branch Merchant'] as const) {
    test(`${type}: the frame is drawn for who is logged in, to the pixel${type === 'HRP Merchant' ? ' @short' : ''}`, async ({
      page,
      origin,
    }) => {
      await logInByHand(page, await someone(origin, type))
      for (const viewport of [DESK, PHONE]) {
        await page.setViewportSize(viewport)
        const release = await holdBackScripts(page)
        await page.goto('/vouchers', { waitUntil: 'commit' })
        await expect(firstScreen(page).getByRole('banner')).toBeVisible()
        const before = await visibleLayout(page, FRAME('#first'))
        expect(before.length).toBeGreaterThan(5)
        release()
        await expectAppTookOver(page)
        expect(await visibleLayout(page, FRAME('#root'))).toEqual(before)
        await page.unrouteAll({ behavior: 'wait' })
      }
    })
  }

  test('the drawn login and the one of the app are never in the page together, for a password manager @short', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const isTwice = () => document.querySelector('#first input') && document.querySelector('#root input')
      const look = () => isTwice() && document.documentElement.setAttribute('data-twice', '')
      new MutationObserver(look).observe(document, { childList: true, subtree: true })
    })
    await page.goto('/login')
    await expectAppTookOver(page)
    await expect(page.locator('html')).not.toHaveAttribute('data-twice')
  })

  test('a visitor never sees the frame, nor a logged-in person the login @short', async ({ page, origin }) => {
    const release = await holdBackScripts(page)
    await page.goto('/vouchers', { waitUntil: 'commit' })
    await expect(page.locator('#root')).toBeAttached()
    await expect(firstScreen(page)).toBeAttached()
    await expect(firstScreen(page).getByRole('banner')).toHaveCount(0)
    release()
    await expect(page).toHaveURL('/login?redirect=%2Fvouchers')
    await expectAppTookOver(page)
    await page.unrouteAll({ behavior: 'wait' })
    await logInByHand(page, (await makeMerchant(origin.database.db)).main)
    const releaseAgain = await holdBackScripts(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await expect(firstScreen(page)).toBeAttached()
    await expect(firstScreen(page).getByRole('heading', { name: 'Login', exact: true })).toHaveCount(0)
    releaseAgain()
    await expect(page).toHaveURL('/dashboard')
    await expectAppTookOver(page)
  })

  test('a device left past the idle limit shows nothing of the person @short', async ({ page, origin }) => {
    await logInByHand(page, (await makeMerchant(origin.database.db)).main)
    await page.evaluate(() => localStorage.setItem('last-action', String(Date.now() - 86_400_000)))
    await holdBackScripts(page)
    await page.goto('/vouchers', { waitUntil: 'commit' })
    await expect(firstScreen(page)).toBeAttached()
    await expect(firstScreen(page).getByRole('banner')).toHaveCount(0)
  })

  test('a POS user sees no frame, and the counter comes without one', async ({ page, origin }) => {
    await logInByHand(page, await makePosUser(origin.database.db))
    const release = await holdBackScripts(page)
    await page.goto('/dashboard', { waitUntil: 'commit' })
    await expect(firstScreen(page)).toBeAttached()
    await expect(firstScreen(page).getByRole('banner')).toHaveCount(0)
    release()
    await expect(page).toHaveURL('/404')
    await page.goto('/redeem')
    await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  })
})

/** Milliseconds from the first frame to the first request for a file of the app; negative when the request came first. */
async function askedAfterFrame(page: Page) {
  await page.addInitScript(() =>
    requestAnimationFrame(() => (document.documentElement.dataset['frame'] = String(performance.now()))),
  )
  await page.goto('/login')
  await expectAppTookOver(page)
  return page.evaluate(() => {
    const files = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'))
    return Math.min(...files.map(({ startTime }) => startTime)) - Number(document.documentElement.dataset['frame'])
  })
}

testWithWorker('a device that has the app paints first, and reads its files after that', async ({ page, context }) => {
  await page.goto('/login')
  await readyOffline(page)
  expect(await askedAfterFrame(await context.newPage())).toBeGreaterThan(0)
})

test('the HTML of a login has no main, no id twice and no field with the focus before boot.ts chooses its screen', async ({
  page,
  origin,
}) => {
  const html = await (await origin.ask('/login')).text()
  // On an empty page, which has no policy against the styles in it.
  const counted = await page.evaluate((text) => {
    const parsed = Document.parseHTMLUnsafe(text)
    const ids = [...parsed.querySelectorAll('[id]')].map(({ id }) => id)
    return {
      logins: parsed.querySelectorAll('#first > template').length,
      mains: parsed.querySelectorAll('main').length,
      focused: parsed.querySelectorAll('[autofocus]').length,
      twice: ids.filter((id, at) => ids.indexOf(id) !== at),
    }
  }, html)
  expect(counted).toEqual({ logins: 2, mains: 0, focused: 0, twice: [] })
})

testWithWorker(
  'each layout has its HTML in the cache, and the worker answers with it whatever the query',
  async ({ page, origin, pageWatch }) => {
    // The file of the terms is missing: it is fetched after a login only.
    pageWatch.forgive(/dynamically imported module/)
    await page.goto('/login')
    await readyOffline(page)
    await origin.setConnection({ kind: 'refuse' })
    const views = (path: string) =>
      page.evaluate(async (asked) => {
        const html = await (await caches.match(asked, { ignoreSearch: true }))?.text()
        return [...(html ?? '').matchAll(/data-view="(\w+)"/g)].map(([, view]) => view)
      }, path)
    expect(await views('/login.html')).toEqual(['merchant', 'pos'])
    expect(await views('/app.html')).toEqual(['app'])
    expect(await views('/index.html')).toEqual([])
    for (const path of ['/login?as=pos&multiLogin=1', '/login?redirect=%2Fvouchers']) {
      const response = await page.goto(path)
      expect(response?.fromServiceWorker()).toBe(true)
      expect(await response?.text()).toContain('data-view="merchant"')
    }
    expect(await (await page.goto('/vouchers?page=2'))?.text()).toContain('data-view="app"')
    expect(await (await page.goto('/terms-of-use?from=mail'))?.text()).not.toContain('data-view="')
  },
)

testWithWorker(
  'offline 71: the installed app starts without a connection, its shell within two seconds @short',
  async ({ page, context, origin }) => {
    await logInByHand(page, (await makeMerchant(origin.database.db)).main)
    await readyOffline(page)
    const { start_url: start } = (await (await page.request.get('/manifest.webmanifest')).json()) as {
      start_url: string
    }
    await page.close()
    await origin.setConnection({ kind: 'refuse' })
    await context.setOffline(true)
    const launched = await context.newPage()
    await launched.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }))
    await launched.goto(start)
    await expect(launched.getByRole('banner')).toBeVisible()
    await expect(launched).toHaveURL('/dashboard')
    expect(await firstPaint(launched)).toBeLessThan(2_000)
  },
)
