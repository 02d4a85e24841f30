import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { scan } from '../../support/accounts/signIn.ts'
import { post, signIn, type Ask } from '../../support/api/portalClient.ts'
import { buildDirectory } from '../../support/browser/builds.ts'
import { watchPages } from '../../support/browser/fixtures.ts'
import { fireVisibilityChange } from '../../support/connectivity/connectivity.ts'
import { makeMerchant, makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { rowsOf } from '../../support/database/rows.ts'
import { allow } from '../../support/redemptions/acceptingTill.ts'
import { acceptCode, signInAndEnrol, untilItMayAccept } from '../../support/redemptions/allowancePage.ts'
import { inTray, verifySerial } from '../../support/redemptions/counterPage.ts'
import { redeemHeld, testTill } from '../../support/redemptions/testTill.ts'
import { desk, issueVouchers } from '../../support/server/desk.ts'
import { freePort } from '../../support/server/freePort.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer } from '../../support/server/serverProcess.ts'

// Server and desk are processes here, as an operator starts them, and the server is killed.

const ROOT = resolve(import.meta.dirname, '../../..')

/** The program beside its build, in a folder of its own. */
function installRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  for (const part of ['server', 'src', 'sw', 'package.json'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  cpSync(buildDirectory('1'), join(folder, 'dist'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** On the same database, at an address that the tablet does not know. */
async function atAnotherServer({ env }: ServerEnvironment, work: (ask: Ask) => Promise<void>) {
  const other = await startServer(env)
  await work((path, init) => fetch(other.url + path, init))
  await other.stop()
}

const nextVoucher = (page: Page) => page.getByRole('button', { name: 'Next customer' }).click()

async function expectRefused(page: Page, code: string, word: string) {
  await scan(page, code, inTray(page, word))
  await expect(page.getByRole('button', { name: /^(Accept|Redeem)/ })).toHaveCount(0)
  await nextVoucher(page)
}

test.use({ serviceWorkers: 'allow' })

test('offline 89: the server is killed: a till accepts what is signed and refuses the rest; what it accepted is won, lost or revoked when a server is back', async ({
  browser,
}) => {
  test.setTimeout(240_000)
  const at = await serverEnvironment()
  const release = installRelease()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const start = () => startServer({ ...at.env, PUBLIC_URL: url }, port, release)
  const database = await at.open()
  const { db } = database
  await desk(at.env, 'make-key')
  const [won, lost, revoked, late, last] = (await issueVouchers(at.env, 5)) as [Issued, Issued, Issued, Issued, Issued]
  const shop = await makeMerchant(db)
  const cashier = await makePosUser(db, shop)
  const rules = { voucher_cents: 1_000, till_cents: 5_000, day_cents: 20_000, hours: 4 }
  await allow(db, shop.branch, rules)
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'allow' })
  const watch = await watchPages(context, () => true)
  let server = await start()
  try {
    const page = await context.newPage()
    await signInAndEnrol(page, { database, clock: { now: () => new Date() } }, cashier)
    await untilItMayAccept(page)

    await server.kill()
    await acceptCode(page, won.code)
    await nextVoucher(page)
    await acceptCode(page, lost.code)
    await nextVoucher(page)
    await acceptCode(page, revoked.code)
    await nextVoucher(page)
    await expectRefused(page, forged(late.code), 'Not genuine')
    await expectRefused(page, won.code, 'Already used')
    const { serial: unsigned } = await makeVoucher(db)
    await verifySerial(page, unsigned)
    await expect(inTray(page, 'Cannot be checked now')).toBeVisible()
    await nextVoucher(page)
    await expect(page.getByText('3 vouchers, $30.00, were accepted at your shop’s risk.')).toBeVisible()

    const elsewhere = await makePosUser(db)
    await atAnotherServer(at, async (ask) => {
      const till = await testTill(ask, elsewhere)
      await redeemHeld(ask, await till.hold(lost.serial))
    })
    await desk(at.env, `revoke ${revoked.serial}`)
    await acceptCode(page, late.code)
    await nextVoucher(page)

    server = await start()
    await fireVisibilityChange(page)
    await expect(page.getByText(/^Lost: used elsewhere/)).toBeVisible({ timeout: 60_000 })
    await expect(page.getByText(/^Lost: revoked/)).toBeVisible()
    await expect(page.getByText('at your shop’s risk,')).toBeHidden()
    for (const each of [won, late]) expect(await redemptionsOf(each)).toEqual([cashier.id])
    expect(await redemptionsOf(lost)).toEqual([elsewhere.id])
    expect(await redemptionsOf(revoked)).toEqual([])

    await server.kill()
    await acceptCode(page, last.code)
    await nextVoucher(page)
    await atAnotherServer(at, async (ask) => {
      const [till] = await rowsOf(db, 'till', { branchId: shop.branch.id })
      const { token } = await signIn(ask, shop.main)
      expect((await post(ask, `/api/device/${till!['guid'] as string}/revoke`, { remove: false }, token)).status).toBe(
        200,
      )
    })
    server = await start()
    await fireVisibilityChange(page)
    await expect(page.getByText('This till was revoked before it was uploaded.')).toBeVisible({ timeout: 60_000 })
    expect(await redemptionsOf(last)).toEqual([])
    expect(watch.complaints()).toEqual([])
  } finally {
    await context.close()
    await server.kill()
    await database.close()
    await at.remove()
    rmSync(release, { recursive: true, force: true })
  }

  async function redemptionsOf({ serial }: Issued) {
    const [voucher] = await rowsOf(db, 'voucher', { serial })
    return (await rowsOf(db, 'redemption', { voucherId: voucher!['id'] })).map(({ posUserId }) => posUserId)
  }
})

type Issued = Awaited<ReturnType<typeof issueVouchers>>[number]

/** One character of it is another. */
const forged = (code: string) => code.slice(0, 30) + (code[30] === 'A' ? 'B' : 'A') + code.slice(31)
