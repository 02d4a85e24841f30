import { desc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { mfa } from '../../../server/db/schema/accounts.ts'
import { activity } from '../../../server/db/schema/activity.ts'
import { branch as branchTable } from '../../../server/db/schema/organisations.ts'
import { makeVoucherKey } from '../../../server/services/vouchers/voucherKeys.ts'
import type { DeviceRow } from '../../../src/contract/devices/devices.ts'
import { SUGGESTED_RULES } from '../../../src/contract/redemptions/allowance.ts'
import type { BranchAllowance } from '../../../src/contract/redemptions/allowanceEndpoints.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import { enrolMfa, type Enrolled } from '../../support/accounts/enrolMfa.ts'
import { encryptPassword, logIn, send, reply } from '../../support/api/portalClient.ts'
import { makePosUser, makeUser, PASSWORD } from '../../support/database/builders.ts'
import { acceptingTill } from '../../support/redemptions/acceptingTill.ts'
import { ask, db, main, merchant, merchantIt as it, server } from '../../support/server/serverTest.ts'

const START = '2026-11-21T02:00:00.000Z'

let phone: Enrolled
beforeEach(async () => {
  server.clock.set(START)
  phone = await enrolMfa(db(), merchant.main)
})

const code = () => phone.totp.generate({ timestamp: server.clock.now().getTime() })
const path = () => `/branch/allowance/${merchant.branch.id}`
const read = async () => (await main.get<BranchAllowance>(path())).data
const change = async (body: object = {}) =>
  main.put<BranchAllowance>(path(), {
    rules: SUGGESTED_RULES,
    encrypted_own_password: await encryptPassword(ask, PASSWORD),
    code: code(),
    ...body,
  })
const newTill = async (given = {}) => {
  const till = await acceptingTill(server, await makePosUser(db(), merchant), given)
  await till.renew()
  return till
}
const written = () =>
  db()
    .select({ action: activity.action, actor: activity.actor, branch: activity.branchId, details: activity.details })
    .from(activity)
    .where(eq(activity.organisationId, merchant.organisation.id))
    .orderBy(desc(activity.id))

describe('the allowance of a branch', () => {
  it('is off until the main account sets it with password and code, and is written down with its numbers', async () => {
    expect(await read()).toEqual({
      rules: null,
      blocked: 'no key',
      accepted_today_cents: 0,
      tills: [],
    })
    const { status, data } = await change()
    expect(status).toBe(200)
    expect(data).toMatchObject({ rules: SUGGESTED_RULES })
    expect((await written())[0]).toEqual({
      action: 'allowance.changed',
      actor: merchant.main.loginName,
      branch: merchant.branch.id,
      details: SUGGESTED_RULES,
    })
  })

  it.for([
    [
      'a wrong password',
      async () => ({ encrypted_own_password: await encryptPassword(ask, 'Wrong-Horse-2026!') }),
      422,
      'WRONG_PASSWORD',
    ],
    ['a wrong code', async () => ({ code: code() === '000000' ? '111111' : '000000' }), 400, 'MFA_CODE_WRONG'],
    ['no code', async () => ({ code: undefined }), 422, 'VALIDATION_FAILED'],
    [
      'more than the programme lets anybody lose',
      async () => ({ rules: { ...SUGGESTED_RULES, day_cents: 10_000_100 } }),
      422,
      'VALIDATION_FAILED',
    ],
    [
      'a day that is not longer than nothing',
      async () => ({ rules: { ...SUGGESTED_RULES, hours: 0 } }),
      422,
      'VALIDATION_FAILED',
    ],
  ] as const)('is not changed by %s', async ([, more, status, error]) => {
    expect(await change(await more())).toMatchObject({ status, error })
    expect((await read()).rules).toBeNull()
  })

  it('is not changed with one code twice, nor without an authenticator app', async () => {
    const used = code()
    await change({ code: used })
    expect(await change({ code: used })).toMatchObject({ status: 400, error: 'MFA_CODE_WRONG' })
    await db().delete(mfa).where(eq(mfa.userId, merchant.main.id))
    expect(await change({ code: used })).toMatchObject({ status: 403, error: 'REAUTH_REQUIRED' })
    expect((await read()).rules).toEqual(SUGGESTED_RULES)
  })

  it('is read by the master of the branch, who can neither change nor stop it', async () => {
    const master = await makeUser(db(), 'Additional Merchant', merchant)
    await db().update(branchTable).set({ masterUserId: master.id }).where(eq(branchTable.id, merchant.branch.id))
    await change()
    const { token } = await logIn(ask, master)
    const as = async (method: string, to = path()) =>
      (await reply(await send(ask, method, `/api${to}`, { token }))).status
    expect(await as('GET')).toBe(200)
    expect(await as('POST', `${path()}/stop`)).toBe(403)
    expect((await read()).rules).toEqual(SUGGESTED_RULES)
  })
})

describe('with a key of the programme', () => {
  it.beforeAll(async ({ server: { deps } }) => void (await makeVoucherKey(deps)))

  it('says what is out at each till, also after it was stopped', async () => {
    await change()
    const [first, second] = [await newTill(), await newTill({ name: 'Till 2' })]
    await first.take()
    await first.take()
    await first.upload()
    expect(await read()).toMatchObject({
      blocked: null,
      accepted_today_cents: 2_000,
      tills: [
        { guid: second.row.guid, name: 'Till 2', cents: 5_000, ends_at: '2026-11-21T06:00:00.000Z' },
        { guid: first.row.guid, name: 'Till 1', cents: 3_000 },
      ],
    })
    const stopped = await main.post<BranchAllowance>(`${path()}/stop`, undefined)
    expect(stopped.data).toMatchObject({ rules: null, tills: [{ cents: 5_000 }, { cents: 3_000 }] })
    expect((await written())[0]).toMatchObject({ action: 'allowance.stopped', details: {} })
    expect((await first.request()).data).toEqual({ grant: null, why: 'no rules' })
    await first.take()
    expect(await first.upload()).toMatchObject([{ state: 'redeemed' }])
  })

  it('is stopped once, however often somebody taps', async () => {
    await change()
    for (let each = 0; each < 3; each += 1) await main.post(`${path()}/stop`, undefined)
    expect((await written()).filter(({ action }) => action === 'allowance.stopped')).toHaveLength(1)
  })

  it('says at the devices how much a till may have accepted, before it is revoked', async () => {
    await change()
    const till = await newTill()
    const rows = async () =>
      (await main.post<TablePage<DeviceRow>>('/device/datatable', { start: 0, limit: 10 })).data.rows
    expect(await rows()).toMatchObject([{ guid: till.row.guid, allowance_out_cents: 5_000 }])
    await main.post(`/device/${till.row.guid}/revoke`, { remove: false })
    expect((await read()).tills).toEqual([])
  })
})
