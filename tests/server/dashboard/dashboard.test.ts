import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { redemption, till as tillTable } from '../../../server/db/schema/redemptions.ts'
import { voucher as voucherTable } from '../../../server/db/schema/vouchers.ts'
import type { BusyHours, Dashboard } from '../../../src/contract/dashboard.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import { makeActors, type Actors, type Signed } from '../../support/api/actors.ts'
import { get, post, logIn, send } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeHold,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeUser,
  makeVoided,
} from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let actors: Actors
beforeEach(async () => {
  // This is 09:41 in Singapore.
  server.clock.set('2026-11-21T01:41:00Z')
  actors = await makeActors(db())
})

const take = (at: string, cents = 1_000, till = actors.till) =>
  makeRedemption(db(), till, at, { denominationCents: cents })

async function dashboardOf(who: Signed | { loginName: string; loginKind: 'merchant' | 'pos' }): Promise<Dashboard> {
  const { token } = await logIn(ask, typeof who === 'string' ? actors.users[who] : who)
  const { status, data } = await get<Dashboard>(ask, '/api/dashboard', token)
  expect(status).toBe(200)
  return data
}

describe('whose figures', () => {
  it('the main account sees the organisation, a master its branches, a branch itself, another tenant nothing of it', async () => {
    await take('2026-11-21', 1_000)
    await take('2026-11-21', 5_000, actors.otherTill)

    expect((await dashboardOf('HRP')).today).toEqual({ count: 2, cents: 6_000 })
    for (const who of ['Additional', 'Branch'] as const) {
      const own = await dashboardOf(who)
      expect(own.today).toEqual({ count: 1, cents: 1_000 })
      expect(own.month.count).toBe(1)
      expect(own.by_branch.map(({ guid }) => guid)).toEqual([actors.branch.id])
      expect(own.by_denomination).toEqual([{ denomination_cents: 1_000, count: 1, cents: 1_000 }])
      expect(own.latest).toHaveLength(1)
      expect(own.per_day.at(-1)).toEqual({ day: '2026-11-21', count: 1, cents: 1_000 })
    }
    for (const who of ['ADHOC', 'other tenant'] as const) {
      const { today, month, by_branch, latest } = await dashboardOf(who)
      expect({ today, month, by_branch, latest }).toEqual({
        today: { count: 0, cents: 0 },
        month: { count: 0, cents: 0 },
        by_branch: [],
        latest: [],
      })
    }
  })

  it('a master without branches sees nothing at all', async () => {
    await take('2026-11-21')
    const idle = await makeUser(db(), 'Additional Merchant', actors)
    const { today, per_day, first_steps, latest } = await dashboardOf(idle)
    expect(today.count).toBe(0)
    expect(per_day.every(({ count }) => count === 0)).toBe(true)
    expect(latest).toEqual([])
    expect(first_steps).toEqual({ branch_guid: null, pos_user: false, till: false, practice: false, redemption: false })
  })
})

describe('days and months are Singapore’s', () => {
  it('RPT-03: what was taken at 15:59:59.999Z and at 16:00Z fell on two days', async () => {
    await take('2026-11-20T15:59:59.999Z', 200)
    await take('2026-11-20T16:00:00.000Z', 500)
    const { today, per_day } = await dashboardOf('HRP')
    expect(today).toEqual({ count: 1, cents: 500 })
    expect(per_day.slice(-2)).toEqual([
      { day: '2026-11-20', count: 1, cents: 200 },
      { day: '2026-11-21', count: 1, cents: 500 },
    ])
  })

  it('shows sixty days without a gap, oldest first, and none before them', async () => {
    await take('2026-09-22T16:00:00Z', 700)
    await take('2026-09-22T15:59:59Z', 900)
    const { per_day } = await dashboardOf('HRP')
    expect(per_day).toHaveLength(60)
    expect(per_day[0]).toEqual({ day: '2026-09-23', count: 1, cents: 700 })
    expect(per_day.at(-1)!.day).toBe('2026-11-21')
    expect(new Set(per_day.map(({ day }) => day)).size).toBe(60)
  })

  it('a month begins at its first midnight, and the one before is counted to the same day', async () => {
    await take('2026-10-31T15:59:59.999Z', 1)
    await take('2026-10-31T16:00:00Z', 10)
    await take('2026-10-21T15:59:59Z', 100)
    await take('2026-10-21T16:00:00Z', 1_000)
    await take('2026-09-30T15:59:59Z', 10_000)
    const { month, month_before } = await dashboardOf('HRP')
    expect(month).toEqual({ count: 1, cents: 10 })
    expect(month_before).toEqual({ from: '2026-10-01', to: '2026-10-21', count: 1, cents: 100 })
  })

  it('on the 31st a shorter month before is counted whole, and the one before that not at all', async () => {
    server.clock.set('2026-03-31T04:00:00Z')
    await take('2026-02-28T15:59:59Z', 100)
    await take('2026-01-31T16:00:00Z', 1_000)
    await take('2026-01-31T15:59:59Z', 10_000)
    await take('2026-02-28T16:00:00Z', 7)
    const { month, month_before } = await dashboardOf('HRP')
    expect(month_before).toEqual({ from: '2026-02-01', to: '2026-02-28', count: 2, cents: 1_100 })
    expect(month).toEqual({ count: 1, cents: 7 })
  })

  it('reaches the first of the month before, also when that is more than sixty days ago', async () => {
    server.clock.set('2026-08-31T04:00:00Z')
    await take('2026-06-30T16:00:00Z', 100)
    const { month_before, per_day } = await dashboardOf('HRP')
    expect(month_before).toEqual({ from: '2026-07-01', to: '2026-07-31', count: 1, cents: 100 })
    expect(per_day[0]!.day).toBe('2026-07-03')
  })
})

describe('every number equals the table that proves it', () => {
  const tableTotal = async (token: string, filter: Record<string, string>) => {
    const other_params = Object.entries(filter).map(([key, value]) => ({ key, value }))
    const body = { start: 0, limit: 100, search_str: '', order_by: [], other_params }
    const { data } = await post<TablePage<{ denomination_cents: number }>>(ask, '/api/voucher/datatable', body, token)
    return { count: data.total, cents: data.rows.reduce((sum, row) => sum + row.denomination_cents, 0) }
  }

  it('and a voided redemption is in neither', async () => {
    const ats = ['2026-11-21', '2026-11-20', '2026-11-02', '2026-10-31', '2026-10-15', '2026-10-01', '2026-09-30']
    for (const [index, at] of ats.entries()) {
      await take(at, 1_000)
      await take(`${at}T03:00:00Z`, 500 * (1 + (index % 3)), actors.otherTill)
    }
    const voided = await take('2026-11-21')
    await db()
      .update(redemption)
      .set({ voidedAt: new Date('2026-11-21T01:00:00Z'), voidedBy: actors.till.id })
      .where(eq(redemption.id, voided.entry.id))
    const free = { status: 'Active', usedAt: null, organisationId: null, branchId: null } as const
    await db().update(voucherTable).set(free).where(eq(voucherTable.id, voided.voucher.id))
    await makeHold(db(), actors.till, new Date('2026-11-21T01:30:00Z'))
    await makeHold(db(), actors.otherTill, new Date('2026-11-21T01:30:00Z'))

    for (const who of ['HRP', 'Additional', 'Branch'] as const) {
      const shown = await dashboardOf(who)
      const { token } = await logIn(ask, actors.users[who])
      const used = (from: string, to: string, more: Record<string, string> = {}) =>
        tableTotal(token, { status: 'Used', used_from: from, used_to: to, ...more })
      const today = '2026-11-21'
      expect(await used(today, today)).toEqual(shown.today)
      expect(await used('2026-11-01', today)).toEqual(shown.month)
      const { from, to, ...before } = shown.month_before
      expect(await used(from, to)).toEqual(before)
      for (const { guid, count, cents } of shown.by_branch) {
        expect(await used('2026-11-01', today, { branch: guid! })).toEqual({ count, cents })
      }
      for (const { denomination_cents, count, cents } of shown.by_denomination) {
        const denomination = String(denomination_cents)
        expect(await used('2026-11-01', today, { denomination })).toEqual({ count, cents })
      }
      for (const { day, count, cents } of shown.per_day.filter((one) => one.count > 0)) {
        expect(await used(day, day)).toEqual({ count, cents })
      }
      const { tills, ...held } = shown.on_hold
      expect(await tableTotal(token, { status: 'On hold' })).toEqual(held)
      expect(tills).toBe(who === 'HRP' ? 2 : 1)
      expect(shown.month.count).toBeGreaterThan(0)
      expect(shown.latest.map(({ guid }) => guid)).not.toContain(voided.voucher.id)
    }
  })

  it('RPT-06: sums over many random rows are the ledger’s to the cent, and the parts add up to the whole', async () => {
    let seed = 7
    const random = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below
    const rows = Array.from({ length: 150 }, () => ({
      at: new Date(Date.parse('2026-11-21T01:00:00Z') - random(55 * 86_400) * 1_000),
      cents: 1 + random(9_999),
      till: random(2) ? actors.till : actors.otherTill,
    }))
    for (const { at, cents, till } of rows) await take(at.toISOString(), cents, till)
    const shown = await dashboardOf('HRP')
    const add = (sums: readonly { cents: number }[]) => sums.reduce((all, { cents }) => all + cents, 0)
    const inMonth = rows.filter(({ at }) => at >= new Date('2026-10-31T16:00:00Z'))
    expect(shown.per_day.reduce((all, { count }) => all + count, 0)).toBe(150)
    expect(add(shown.per_day)).toBe(add(rows))
    expect(shown.month).toEqual({ count: inMonth.length, cents: add(inMonth) })
    expect(add(shown.by_branch)).toBe(shown.month.cents)
    expect(add(shown.by_denomination)).toBe(shown.month.cents)
  })
})

describe('lists', () => {
  it('names ten branches, the largest first, and the rest as one line', async () => {
    const tills = [actors.till, actors.otherTill]
    for (let n = 0; n < 10; n += 1) {
      const { organisation } = actors
      tills.push(await makePosUser(db(), { organisation, branch: await makeBranch(db(), organisation) }))
    }
    for (const [index, till] of tills.entries()) await take('2026-11-10', 100 * (index + 1), till)
    const { by_branch, month } = await dashboardOf('HRP')
    expect(by_branch).toHaveLength(11)
    expect(by_branch[0]).toEqual({ guid: tills[11]!.branch.id, name: tills[11]!.branch.name, count: 1, cents: 1_200 })
    expect(by_branch[10]).toEqual({ guid: null, name: '2 other branches', count: 2, cents: 300 })
    expect(by_branch.reduce((sum, { cents }) => sum + cents, 0)).toBe(month.cents)
  })

  it('lists the latest ten, newest first, with what a till writes on a receipt', async () => {
    for (let n = 10; n < 22; n += 1) await take(`2026-11-20T${n}:00:00Z`, n * 100)
    const { latest } = await dashboardOf('Branch')
    expect(latest).toHaveLength(10)
    expect(latest[0]).toMatchObject({
      denomination_cents: 2_100,
      redeemed_at: '2026-11-20T21:00:00.000Z',
      branch_name: actors.branch.name,
      pos_username: actors.till.loginName,
    })
    expect(latest.at(-1)!.denomination_cents).toBe(1_200)
  })
})

it('adds up what tills have on hold, past its end too', async () => {
  const hours = (ago: number) => new Date(server.clock.now().getTime() - ago * 3_600_000)
  await makeHold(db(), actors.till, hours(23))
  await makeHold(db(), actors.otherTill, hours(30), { denominationCents: 2_000 })
  expect((await dashboardOf('HRP')).on_hold).toMatchObject({ count: 2, cents: 3_000 })
  expect((await dashboardOf('Branch')).on_hold).toMatchObject({ count: 1, cents: 1_000 })
})

it('says which of the first steps are done, each in its scope', async () => {
  const begun = async (who: Parameters<typeof dashboardOf>[0]) => (await dashboardOf(who)).first_steps
  const branch_guid = actors.branch.id
  expect(await begun('HRP')).toEqual({ branch_guid, pos_user: true, till: false, practice: false, redemption: false })
  const { entry } = await take('2026-01-05', 1_000)
  const voided = { voidedAt: entry.recordedAt, voidedBy: entry.posUserId }
  await db().update(redemption).set(voided).where(eq(redemption.id, entry.id))
  const till = { branchId: actors.branch.id, name: 'Till 1', namedBy: actors.till.id, namedAt: server.clock.now() }
  await db()
    .insert(tillTable)
    .values({ ...till, id: actors.branch.id })
  expect(await begun('HRP')).toEqual({ branch_guid, pos_user: true, till: true, practice: false, redemption: false })
  expect((await send(ask, 'PUT', '/api/practice', { token: (await logIn(ask, actors.till)).token })).status).toBe(200)
  expect(await begun('HRP')).toEqual({ branch_guid, pos_user: true, till: true, practice: true, redemption: false })
  expect(await begun('Branch')).toEqual({ branch_guid, pos_user: true, till: true, practice: true, redemption: false })
  await take('2026-01-06', 1_000)
  for (const who of ['HRP', 'Additional', 'Branch'] as const) {
    expect(await begun(who)).toEqual({ branch_guid, pos_user: true, till: true, practice: true, redemption: true })
  }
  expect(await begun('other tenant')).toMatchObject({ till: false, practice: false, redemption: false })
  const { main, branch } = await makeMerchant(db())
  expect(await begun(main)).toEqual({
    branch_guid: branch.id,
    pos_user: false,
    till: false,
    practice: false,
    redemption: false,
  })
})

describe('busy hours', () => {
  const hoursOf = async (who: Signed) => {
    const { token } = await logIn(ask, actors.users[who])
    const { status, data } = await get<BusyHours>(ask, '/api/dashboard/busy_hours', token)
    expect(status).toBe(200)
    return data
  }
  const NONE = { count: 0, cents: 0, count_before: 0, cents_before: 0 }

  it('eight whole weeks end yesterday, beside the eight before, by Singapore’s weekdays and hours', async () => {
    // 2026-11-21 is a Saturday in Singapore; the weeks are 26 September to 20 November.
    await take('2026-11-20T15:59:59.999Z', 100)
    await take('2026-11-20T16:00:00Z', 9_999)
    await take('2026-09-25T16:00:00Z', 10)
    await take('2026-09-25T15:59:59.999Z', 1)
    await take('2026-07-31T16:00:00Z', 1_000)
    await take('2026-07-31T15:59:59Z', 9_999)
    const { from, to, hours } = await hoursOf('HRP')
    expect({ from, to }).toEqual({ from: '2026-09-26', to: '2026-11-20' })
    expect(hours).toEqual([
      { ...NONE, weekday: 5, hour: 23, count: 1, cents: 100, count_before: 1, cents_before: 1 },
      { ...NONE, weekday: 6, hour: 0, count: 1, cents: 10, count_before: 1, cents_before: 1_000 },
    ])
  })

  it('each sees its own branches, another tenant and a voided redemption count nowhere', async () => {
    await take('2026-11-19T04:30:00Z', 1_000)
    await take('2026-11-19T04:59:59Z', 500, actors.otherTill)
    const { entry } = await take('2026-11-19T04:00:00Z', 2_000)
    await makeVoided(db(), entry, server.clock.now())
    const noon = { ...NONE, weekday: 4, hour: 12 }
    expect((await hoursOf('HRP')).hours).toEqual([{ ...noon, count: 2, cents: 1_500 }])
    for (const who of ['Additional', 'Branch'] as const)
      expect((await hoursOf(who)).hours).toEqual([{ ...noon, count: 1, cents: 1_000 }])
    for (const who of ['ADHOC', 'other tenant'] as const) expect((await hoursOf(who)).hours).toEqual([])
  })
})
