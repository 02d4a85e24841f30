import { count, max, min } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError } from '../../server/config.ts'
import { ledgerCheck } from '../../server/db/ledgerCheck.ts'
import { redemption, voucher } from '../../server/db/schema.ts'
import { DEMO_PASSWORD } from '../../server/demo/demoMerchants.ts'
import type { Demo } from '../../server/demo/findDemo.ts'
import { prepareDemo } from '../../server/demo/prepareDemo.ts'
import { makeMerchant } from '../support/builders.ts'
import { type Ask, get, post, tryToSignIn } from '../support/portalClient.ts'
import { testServer, type TestServer } from '../support/testServer.ts'

let server: TestServer
let ask: Ask
let demo: Demo | undefined
beforeAll(async () => {
  server = await testServer()
  ask = (path, init) => server.app.request(path, init)
  demo = await prepareDemo(server.database, 'auto', server.clock.now())
})
afterAll(() => server.close())

const DAY_MS = 86_400_000

describe('the demo', () => {
  const ACCOUNTS = [
    ['main@demo.example', 'HRP Merchant', 'Active', null],
    ['master@demo.example', 'Additional Merchant', 'Active', null],
    ['adhoc@demo.example', 'ADHOC Merchant', 'Active', null],
    ['branch@demo.example', 'Branch Merchant', 'Active', 'Tampines Central'],
    ['pending@demo.example', 'HRP Merchant', 'Pending Activation', null],
    ['till-1', 'POS User', 'Active', 'Tampines Central'],
  ] as const
  it.each(ACCOUNTS)('%s signs in as %s, %s', async (loginName, type, status, branch_name) => {
    const loginKind = loginName.includes('@') ? 'merchant' : 'pos'
    const { data } = await tryToSignIn(ask, { loginKind, loginName }, DEMO_PASSWORD)
    const info = await get<{ user: object }>(ask, '/api/account/my_info', data.access_token)
    expect(info.data.user).toMatchObject({ type, status, login_name: loginName, branch_name })
  })

  it('has 2,000 vouchers, 14 months of redemptions, none in the future, and books that balance', async () => {
    const { db } = server.database
    expect(await db.select({ vouchers: count() }).from(voucher)).toEqual([{ vouchers: 2_000 }])
    const [span] = await db
      .select({ from: min(redemption.redeemedAt), to: max(redemption.redeemedAt) })
      .from(redemption)
    const now = server.clock.now().getTime()
    expect(span!.to!.getTime()).toBeLessThanOrEqual(now)
    expect(now - span!.to!.getTime()).toBeLessThan(3 * DAY_MS)
    expect(now - span!.from!.getTime()).toBeGreaterThan(400 * DAY_MS)
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
  })

  it('has a voucher of each kind to try at the counter', async () => {
    const { data } = await tryToSignIn(ask, { loginKind: 'pos', loginName: 'till-1' }, DEMO_PASSWORD)
    const verify = (serial: string | undefined) => post(ask, '/api/voucher/verify', { serial }, data.access_token)
    expect(await verify(demo?.active)).toMatchObject({ status: 200 })
    expect(await verify(demo?.used)).toMatchObject({ error: 'VOUCHER_ALREADY_USED' })
    expect(await verify(demo?.expired)).toMatchObject({ error: 'VOUCHER_EXPIRED' })
  })

  it('is seeded once, and never into other data', async () => {
    expect(await prepareDemo(server.database, 'auto', server.clock.now())).toEqual(demo)
    await server.database.reset()
    await makeMerchant(server.database.db)
    expect(await prepareDemo(server.database, 'auto', server.clock.now())).toBeUndefined()
    await expect(prepareDemo(server.database, 'on', server.clock.now())).rejects.toThrow(ConfigError)
    expect(await server.database.db.select({ vouchers: count() }).from(voucher)).toEqual([{ vouchers: 0 }])
  })
})
