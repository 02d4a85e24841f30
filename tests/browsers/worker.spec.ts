import { makeMerchant, makePosUser } from '../support/database/builders.ts'
import { expect, test } from '../support/engines/engineFixtures.ts'
import { PortalTab } from '../support/engines/PortalTab.ts'

const MERCHANT_SCREENS = {
  '/dashboard': 'Dashboard',
  '/vouchers': 'Vouchers',
  '/reports/monthly-report': 'Monthly Report',
  '/settings/device': 'This device',
}

const OFFER = 'New version available. Refresh now?'

test(
  'a person logs in, and after that four screens of a merchant start without a connection',
  { tag: '@short' },
  async ({ portal, origin }) => {
    const { main } = await makeMerchant(origin.database.db)
    await portal.logIn(main)
    await portal.expect('heading', 'Dashboard')
    await portal.readyOffline()
    await origin.setConnection({ kind: 'refuse' })
    for (const [path, title] of Object.entries(MERCHANT_SCREENS)) {
      await portal.open(path)
      await portal.expect('heading', title)
      await portal.expectPath(path)
    }
  },
)

test('the login, the counter and My day start without a connection', async ({ portal, origin }) => {
  const till = await makePosUser(origin.database.db)
  await portal.open('/login?as=pos')
  await portal.readyOffline()
  await origin.setConnection({ kind: 'refuse' })
  await portal.open('/login?as=pos')
  await portal.expect('field', 'Username')
  await origin.setConnection({ kind: 'up' })
  await portal.logInAtCounter(till)
  await origin.setConnection({ kind: 'refuse' })
  await portal.open('/redeem?view=day')
  await portal.expect('heading', 'My day')
  await portal.open('/redeem')
  await portal.expect('field', 'Or type the serial number')
})

for (const privateMode of [false, true]) {
  test.describe(privateMode ? 'in a private window' : 'in a window', () => {
    test.use({ settings: { privateMode } })

    test('nothing newer is offered on a first visit', async ({ portal, origin }) => {
      await portal.logInAtCounter(await makePosUser(origin.database.db))
      await portal.readyOffline()
      await portal.expectText('Ready offline')
      expect(await portal.sees(OFFER)).toBe(false)
      expect(await portal.sees('Update waiting')).toBe(false)
    })
  })
}

test('a newer release is offered in two tabs, and taken by both', async ({ device, portal, origin }) => {
  const second = new PortalTab(await device.newTab(), origin.url)
  for (const tab of [portal, second]) {
    await tab.open('/login')
    await tab.readyOffline()
    await tab.expectRelease('1')
  }
  origin.deploy('2')
  await portal.tab.evaluate(() => void dispatchEvent(new Event('focus')))
  for (const tab of [portal, second]) await tab.expectText(OFFER)
  await portal.press('button', 'Refresh')
  await portal.expectRelease('2')
  await portal.expectNoText(OFFER)
  await second.press('button', 'Refresh')
  await second.expectRelease('2')
  await second.expectNoText(OFFER)
})

test('a page that is left while it asks the server has not lost the connection', async ({ portal, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await portal.logIn(main)
  await portal.expect('heading', 'Dashboard')
  await origin.setConnection({ kind: 'slow', delayMs: 1_500 }, ({ path }) => path.startsWith('/api/'))
  for (const path of ['/vouchers', '/branches', '/dashboard', '/masters']) {
    await portal.open(path)
    await portal.expect('heading', path === '/dashboard' ? 'Dashboard' : `${path[1]!.toUpperCase()}${path.slice(2)}`)
  }
  await portal.open('/settings/device')
  await portal.press('heading', 'For support')
  await portal.expectText('No recent problems')
})
