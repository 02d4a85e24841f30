import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { appUser, branch as branchTable } from '../../../server/db/schema/organisations.ts'
import { redemption, till as tillTable } from '../../../server/db/schema/redemptions.ts'
import { voucher as voucherTable } from '../../../server/db/schema/vouchers.ts'
import type { Dashboard } from '../../../src/contract/dashboard.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import { makeActors, type Actors, type Signed } from '../../support/api/actors.ts'
import { get, post, signIn } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeHold,
  makeInvited,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeUser,
} from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let actors: Actors
beforeEach(async () => {
  // 09:41 in Singapore.
  server.clock.set('2026-11-21T01:41:00Z')
  actors = await makeActors(db())
})

const take = (at: string, cents = 1_000, till = actors.till) =>
  makeRedemption(db(), till, at, { denominationCents: cents })

async function dashboardOf(who: Signed | { loginName: string; loginKind: 'merchant' | 'pos' }): Promise<Dashboard> {
  const { token } = await signIn(ask, typeof who === 'string' ? actors.users[who] : who)
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
      const { today, month, by_branch, latest, attention } = await dashboardOf(who)
      expect({ today, month, by_branch, latest }).toEqual({
        today: { count: 0, cents: 0 },
        month: { count: 0, cents: 0 },
        by_branch: [],
        latest: [],
      })
      expect(attention.holds.count + attention.invitations.count).toBe(0)
    }
  })

  it('a master without branches sees nothing at all', async () => {
    await take('2026-11-21')
    const idle = await makeUser(db(), 'Additional Merchant', actors)
    const { today, per_day, active_branches, latest } = await dashboardOf(idle)
    expect(today.count).toBe(0)
    expect(per_day.every(({ count }) => count === 0)).toBe(true)
    expect(latest).toEqual([])
    expect(active_branches).toBe(0)
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
      const { token } = await signIn(ask, actors.users[who])
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

describe('what needs attention', () => {
  it('holds that end within two hours or have ended, soonest first', async () => {
    const hours = (ago: number) => new Date(server.clock.now().getTime() - ago * 3_600_000)
    const soon = await makeHold(db(), actors.till, hours(23))
    const over = await makeHold(db(), actors.otherTill, hours(30), { denominationCents: 2_000 })
    await makeHold(db(), actors.till, hours(21.9))
    const { attention, on_hold } = await dashboardOf('HRP')
    expect(on_hold).toEqual({ count: 3, cents: 4_000, tills: 3 })
    expect(attention.holds).toEqual({
      count: 2,
      rows: [
        {
          guid: over.voucher.id,
          till: 'Till 1',
          branch_name: actors.otherBranch.name,
          cents: 2_000,
          ends: hours(6).toISOString(),
        },
        expect.objectContaining({ guid: soon.voucher.id, ends: hours(-1).toISOString() }),
      ],
    })
    const { attention: own } = await dashboardOf('Additional')
    expect(own.holds.rows.map(({ guid }) => guid)).toEqual([soon.voucher.id])
  })

  it('pending invitations, to those who can send them again', async () => {
    const { organisation, otherBranch } = actors
    const master = await makeInvited(db(), 'Additional Merchant', { organisation })
    await db()
      .update(appUser)
      .set({ createdAt: new Date('2025-01-01T00:00:00Z'), name: 'North' })
      .where(eq(appUser.id, master.id))
    const login = await makeInvited(db(), 'Branch Merchant', { organisation, branch: otherBranch })
    const { attention } = await dashboardOf('HRP')
    expect(attention.invitations.count).toBe(2)
    expect(attention.invitations.rows).toEqual([
      expect.objectContaining({ kind: 'master', guid: master.id, account_guid: master.id, name: 'North' }),
      expect.objectContaining({ kind: 'branch', guid: otherBranch.id, account_guid: login.id, name: otherBranch.name }),
    ])
    for (const who of ['Additional', 'Branch', 'ADHOC'] as const) {
      expect((await dashboardOf(who)).attention.invitations).toEqual({ count: 0, rows: [] })
    }
    await db()
      .update(branchTable)
      .set({ masterUserId: actors.users.Additional.id })
      .where(eq(branchTable.id, otherBranch.id))
    const { attention: managed } = await dashboardOf('Additional')
    expect(managed.invitations.rows.map(({ guid }) => guid)).toEqual([otherBranch.id])
  })

  it('inactive branches and POS users, masters near the limit, and an old password of one’s own', async () => {
    const { organisation, otherBranch, users } = actors
    await makeBranch(db(), organisation, { status: 'Inactive' })
    await makePosUser(db(), { organisation, branch: otherBranch }, { status: 'Inactive' })
    for (let n = 0; n < 3; n += 1) await makeUser(db(), 'Additional Merchant', { organisation })
    const before = await dashboardOf('HRP')
    expect(before.attention).toMatchObject({
      inactive_branches: 1,
      inactive_pos_users: {
        count: 1,
        rows: [{ branch_guid: otherBranch.id, branch_name: otherBranch.name, count: 1 }],
      },
      open_masters: 4,
      password_set_at: null,
    })
    expect(before).toMatchObject({ active_branches: 2, active_pos_users: 2 })

    const setAt = new Date('2025-11-20T00:00:00Z')
    await db().update(appUser).set({ passwordChangedAt: setAt }).where(eq(appUser.id, users.HRP.id))
    expect((await dashboardOf('HRP')).attention.password_set_at).toBe(setAt.toISOString())
    const branch = await dashboardOf('Branch')
    expect(branch.attention).toMatchObject({ inactive_branches: 0, open_masters: null, password_set_at: null })
    expect(branch.attention.inactive_pos_users.count).toBe(0)
  })

  it('active POS users that were not used for 14 days, as many and the same as the table it leads to', async () => {
    const { organisation, otherBranch } = actors
    const before = new Date('2026-11-06T15:59:59.999Z')
    const within = new Date('2026-11-06T16:00:00Z')
    const old = { createdAt: new Date('2026-01-01T00:00:00Z') }
    const at = { organisation, branch: otherBranch }
    await db().update(appUser).set({ createdAt: within }).where(eq(appUser.type, 'POS User'))
    const idle = await makePosUser(db(), at, { ...old, lastSignInAt: before, loginName: 'unused-2' })
    const never = await makePosUser(db(), at, { ...old, lastSignInAt: null, loginName: 'unused-1' })
    await makePosUser(db(), at, { ...old, lastSignInAt: within })
    await makePosUser(db(), at, { ...old, lastSignInAt: null, status: 'Inactive' })
    const selling = await makePosUser(db(), at, { ...old, lastSignInAt: before })
    await makeRedemption(db(), selling, within)
    await makeRedemption(db(), idle, before)
    const closed = await makeBranch(db(), organisation, { status: 'Inactive' })
    await makePosUser(db(), { organisation, branch: closed }, { ...old, lastSignInAt: null })

    const { attention } = await dashboardOf('HRP')
    expect(attention.unused_pos_users).toEqual({
      count: 1,
      rows: [
        { branch_guid: otherBranch.id, branch_name: otherBranch.name, count: 2, usernames: ['unused-1', 'unused-2'] },
      ],
    })
    const { token } = await signIn(ask, actors.users.HRP)
    const other_params = [
      { key: 'branch', value: otherBranch.id },
      { key: 'status', value: 'Active' },
      { key: 'use', value: 'unused' },
    ]
    const table = await post<TablePage<{ guid: string }>>(
      ask,
      '/api/pos/datatable',
      { start: 0, limit: 10, other_params },
      token,
    )
    expect(table.data.rows.map(({ guid }) => guid).toSorted()).toEqual([idle.id, never.id].toSorted())
    expect((await dashboardOf('Branch')).attention.unused_pos_users.count).toBe(0)
    expect((await dashboardOf('other tenant')).attention.unused_pos_users.count).toBe(0)
  })

  it('says which of the first steps are done: a till that has a name, a redemption that stands, and where to go on, each in its scope', async () => {
    const begun = async (who: Parameters<typeof dashboardOf>[0]) => (await dashboardOf(who)).first_steps
    const branch_guid = actors.branch.id
    expect(await begun('HRP')).toEqual({ till: false, redemption: false, branch_guid })
    const { entry } = await take('2026-01-05', 1_000)
    const voided = { voidedAt: entry.recordedAt, voidedBy: entry.posUserId }
    await db().update(redemption).set(voided).where(eq(redemption.id, entry.id))
    const till = { branchId: actors.branch.id, name: 'Till 1', namedBy: actors.till.id, namedAt: server.clock.now() }
    await db()
      .insert(tillTable)
      .values({ ...till, id: actors.branch.id })
    expect(await begun('HRP')).toEqual({ till: true, redemption: false, branch_guid })
    expect(await begun('Branch')).toEqual({ till: true, redemption: false, branch_guid })
    await take('2026-01-06', 1_000)
    for (const who of ['HRP', 'Additional', 'Branch'] as const) {
      expect(await begun(who)).toEqual({ till: true, redemption: true, branch_guid })
    }
    expect(await begun('other tenant')).toMatchObject({ till: false, redemption: false })
    const idle = await makeUser(db(), 'Additional Merchant', actors)
    expect(await begun(idle)).toEqual({ till: false, redemption: false, branch_guid: null })
  })

  it('nothing for a merchant that has just begun', async () => {
    const { main } = await makeMerchant(db())
    const { attention, active_pos_users, active_branches } = await dashboardOf(main)
    expect(attention).toEqual({
      holds: { count: 0, rows: [] },
      invitations: { count: 0, rows: [] },
      inactive_branches: 0,
      inactive_pos_users: { count: 0, rows: [] },
      unused_pos_users: { count: 0, rows: [] },
      open_masters: 0,
      password_set_at: null,
    })
    expect({ active_branches, active_pos_users }).toEqual({ active_branches: 1, active_pos_users: 0 })
  })
})
