import { randomUUID } from 'node:crypto'
import { count, max, min } from 'drizzle-orm'
import { describe, expect } from 'vitest'
import { ConfigError } from '../../../server/config.ts'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { voucher } from '../../../server/db/schema/vouchers.ts'
import { DEMO_PASSWORD } from '../../../server/demo/demoMerchants.ts'
import { prepareDemo, type Demo } from '../../../server/demo/prepareDemo.ts'
import type { BranchRow } from '../../../src/contract/branches.ts'
import type { MasterRow } from '../../../src/contract/masters.ts'
import type { Payments } from '../../../src/contract/payments.ts'
import type { ResourceRow } from '../../../src/contract/resources.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import { addMonths } from '../../../src/domain/months.ts'
import { addDays, singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { loggedInClient } from '../../support/api/loggedInClient.ts'
import { get, send, tryToLogIn } from '../../support/api/portalClient.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { newHoldKey, verifyAt } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let demo: Demo | undefined
it.beforeAll(async () => {
  demo = await prepareDemo(server.database, 'auto', server.clock.now())
})
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
  it.each(ACCOUNTS)('%s logs in as %s, %s', async (loginName, type, status, branch_name) => {
    const loginKind = loginName.includes('@') ? 'merchant' : 'pos'
    const { data } = await tryToLogIn(ask, { loginKind, loginName }, DEMO_PASSWORD)
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

  it('has masters, branches and files in every state that a screen shows', async () => {
    const main = await loggedInClient(ask, { loginKind: 'merchant', loginName: 'main@demo.example' }, DEMO_PASSWORD)
    const page = { start: 0, limit: 100 }
    const masters = await main.post<TablePage<MasterRow>>('/merchant/additional/datatable', page)
    expect(new Set(masters.data.rows.map(({ status }) => status))).toEqual(
      new Set(['Active', 'Inactive', 'Pending Activation']),
    )
    const { rows } = (await main.post<TablePage<BranchRow>>('/branch/datatable', page)).data
    expect(new Set(rows.map(({ status, account_status, kind }) => `${kind} ${status} ${account_status}`))).toEqual(
      new Set([
        'permanent Active Active',
        'permanent Active Pending Activation',
        'permanent Inactive Active',
        'adhoc Active Pending Activation',
      ]),
    )
    for (const { guid } of rows) expect((await main.get(`/branch/get/${guid}`)).status).toBe(200)
  })

  it('has a statement of each closed month, those that were due paid', async () => {
    const main = await loggedInClient(ask, { loginKind: 'merchant', loginName: 'main@demo.example' }, DEMO_PASSWORD)
    const { statements, next } = (await main.get<Payments>('/payments')).data
    expect(statements.length).toBeGreaterThanOrEqual(13)
    expect(statements[0]?.month).toBe(addMonths(next.month, -1))
    const today = singaporeDay(server.clock.now())
    for (const { due_on, paid_on, corrections_cents } of statements) {
      expect(corrections_cents).toBe(0)
      expect(paid_on !== null).toBe(addDays(due_on!, -2) < today)
    }
  })

  it('has files to download, a sheet of usable vouchers among them', async () => {
    const main = await loggedInClient(ask, { loginKind: 'merchant', loginName: 'main@demo.example' }, DEMO_PASSWORD)
    const { data } = await main.get<TablePage<ResourceRow>>('/resources/datatable/merchant')
    const names = data.rows.map(({ filename }) => filename)
    expect(names).toEqual(['demo-vouchers.pdf', 'voucher-management-guidelines.pdf'])
    for (const { guid } of data.rows) {
      const { text } = await main.file('/resources/download_log', { guid })
      expect(text.startsWith('%PDF-')).toBe(true)
    }
  })

  it('has a voucher of each kind to try at the counter', async () => {
    const { data } = await tryToLogIn(ask, { loginKind: 'pos', loginName: 'till-1' }, DEMO_PASSWORD)
    const id = randomUUID()
    await send(ask, 'PUT', `/api/till/${id}`, { token: data.access_token, body: { name: 'Till 9' } })
    const verify = (serial = '') => verifyAt({ ask, token: data.access_token, till: id }, serial, newHoldKey())
    expect(await verify(demo?.active)).toMatchObject({ status: 200 })
    expect(await verify(demo?.used)).toMatchObject({ error: 'VOUCHER_ALREADY_USED' })
    expect(await verify(demo?.expired)).toMatchObject({ error: 'VOUCHER_EXPIRED' })
  })

  it('is seeded once, and never into other data', async () => {
    expect(await prepareDemo(server.database, 'auto', server.clock.now())).toEqual(demo)
    await server.database.reset()
    await makeMerchant(db())
    expect(await prepareDemo(server.database, 'auto', server.clock.now())).toBeUndefined()
    await expect(prepareDemo(server.database, 'on', server.clock.now())).rejects.toThrow(ConfigError)
    expect(await db().select({ vouchers: count() }).from(voucher)).toEqual([{ vouchers: 0 }])
  })
})
