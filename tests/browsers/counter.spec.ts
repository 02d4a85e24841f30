import type { PortalOrigin } from '../support/browser/portalOrigin.ts'
import { makePosUser, makeVoucher } from '../support/database/builders.ts'
import { expect, test } from '../support/engines/engineFixtures.ts'
import type { PortalTab } from '../support/engines/PortalTab.ts'
import { isRedemption, ledgerRows, sentRedemptions } from '../support/redemptions/counterPage.ts'

async function atTheCounter(portal: PortalTab, origin: PortalOrigin) {
  const { db } = origin.database
  const till = await makePosUser(db)
  await portal.logInAtCounter(till)
  return { till, voucher: await makeVoucher(db, { denominationCents: 1000 }) }
}

async function scan(portal: PortalTab, serial: string) {
  await portal.scan(`HRP1.${serial}`)
  await portal.expect('button', 'Redeem $10.00')
}

test(
  'a voucher is scanned, held and redeemed by keyboard, and one that was redeemed as the connection went is uploaded once when it is back',
  { tag: '@short' },
  async ({ portal, origin }) => {
    const { voucher } = await atTheCounter(portal, origin)
    const second = await makeVoucher(origin.database.db, { denominationCents: 1000 })
    await scan(portal, voucher.serial)
    await expect.poll(() => portal.focused()).toBe('Redeem $10.00')
    // No key of another scan may press the button: neither its digits nor its spaces nor its Enter.
    for (const code of ['12345', 'MEMBER 1234567']) {
      await portal.scan(code)
      await portal.expectText('Not a voucher of this programme')
    }
    expect(sentRedemptions(origin)).toEqual([])
    await portal.expect('button', 'Redeem $10.00')
    await portal.pressEnter()
    await portal.expect('heading', 'Redeemed')
    expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
    await portal.press('button', 'Next customer')

    await portal.readyOffline()
    await scan(portal, second.serial)
    await origin.setConnection({ kind: 'refuse' })
    await portal.press('button', 'Redeem $10.00')
    await portal.expect('heading', 'Redeemed – will upload')
    // Waiting redemptions outlive the page.
    await portal.open('/redeem')
    await portal.expectText('waits for the connection.')
    expect(await ledgerRows(origin, second.id)).toHaveLength(0)
    await origin.setConnection({ kind: 'up' })
    await portal.backOnline()
    await portal.expectNoText('Keep this device on.')
    expect(await ledgerRows(origin, second.id)).toHaveLength(1)
    expect(new Set(sentRedemptions(origin).map(({ id }) => id)).size).toBe(2)
  },
)

test.describe('with a camera that may not be used', () => {
  test.use({ settings: { refuseCamera: true } })

  test('the counter says so, and goes on by keyboard', async ({ engine, portal, origin }) => {
    const { voucher } = await atTheCounter(portal, origin)
    await portal.press('button', 'Use camera')
    // A driven WebKit allows every camera without asking. It has none here, which looks like a camera in use.
    await portal.expectText(
      engine === 'webkit'
        ? 'The camera is in use by another app.'
        : 'This browser does not let the portal use the camera.',
    )
    await portal.expect('button', 'Try again')
    await portal.fill('Or type the serial number', voucher.serial)
    await portal.press('button', 'Check voucher')
    await portal.expect('button', 'Redeem $10.00')
  })
})

test.describe('in a private window', () => {
  test.use({ settings: { privateMode: true } })

  test('a voucher is redeemed, and one that waits outlives a reload', async ({ portal, origin }) => {
    const { voucher } = await atTheCounter(portal, origin)
    await scan(portal, voucher.serial)
    await origin.setConnection({ kind: 'refuse' }, isRedemption)
    await portal.press('button', 'Redeem $10.00')
    await portal.expect('heading', 'Redeemed – uploading')
    await portal.tab.reload()
    await portal.expectText('Keep this device on.')
    await origin.setConnection({ kind: 'up' })
    await portal.backOnline()
    await portal.expectNoText('Keep this device on.')
    expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
  })
})
