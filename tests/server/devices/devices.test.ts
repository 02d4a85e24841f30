import { beforeEach, describe, expect } from 'vitest'
import { hashToken, newToken } from '../../../server/services/opaqueToken.ts'
import type { DeviceReport } from '../../../src/contract/devices/deviceReports.ts'
import type { DeviceRow } from '../../../src/contract/devices/devices.ts'
import type { Notices } from '../../../src/contract/notices.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import { makeActors, type Actors } from '../../support/api/actors.ts'
import { loggedInClient } from '../../support/api/loggedInClient.ts'
import { get, logIn } from '../../support/api/portalClient.ts'
import { makeBranch, makePosUser, makeTill, makeVoucher } from '../../support/database/builders.ts'
import { reportHeader } from '../../support/devices/reportingDevice.ts'
import { newHoldKey, verifyAt } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const START = '2026-11-21T02:00:00.000Z'
const HOUR_MS = 3_600_000

let actors: Actors
beforeEach(async () => {
  server.clock.set(START)
  actors = await makeActors(db())
})

/** Makes a named till and a function that builds its reports. */
async function reportingTill({ name = 'Till 1', at = actors.till as Parameters<typeof makeTill>[1] } = {}) {
  const token = newToken()
  const row = await makeTill(db(), at, { name, tokenHash: hashToken(token) })
  const report = (given: Partial<DeviceReport> = {}): DeviceReport => ({
    at: server.clock.now().toISOString(),
    build: 'b1',
    update_waits: false,
    persistent: true,
    waiting: { count: 0, cents: 0, oldest_at: null },
    refused: 0,
    user: actors.till.id,
    ...given,
  })
  const cookie = `till=${token}`
  const say = async (given?: Partial<DeviceReport>, by = cookie) => {
    const headers = { ...reportHeader(report(given)), 'user-agent': CHROME_ON_ANDROID, cookie: by }
    const { status } = await ask('/api/health', { headers })
    await server.deps.background.settled()
    return status
  }
  return { row, cookie, say }
}

const CHROME_ON_ANDROID =
  'Mozilla/5.0 (Linux; Android 14; SM-X200) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36'

const TWO_WAITING = { count: 2, cents: 3_000, oldest_at: '2026-11-21T01:50:00.000Z' }

async function devicesSeenBy(who: Parameters<typeof loggedInClient>[1], query: object = {}) {
  const client = await loggedInClient(ask, who)
  const page = { start: 0, limit: 50, order_by: [{ column: 'attention', sort_type: 'desc' }], ...query }
  return (await client.post<TablePage<DeviceRow>>('/device/datatable', page)).data.rows
}

describe('what a till says of itself', () => {
  it('comes with a probe of nobody, and is what its merchant sees', async () => {
    const { row, say } = await reportingTill()
    server.clock.advance({ minutes: 5 })
    const threeMinutesLate = new Date(server.clock.now().getTime() - 180_000).toISOString()
    expect(await say({ at: threeMinutesLate, waiting: TWO_WAITING, refused: 1, update_waits: true })).toBe(200)
    const [seen] = await devicesSeenBy(actors.users.HRP)
    expect(seen).toMatchObject({
      guid: row.guid,
      till_guid: row.id,
      name: 'Till 1',
      branch_name: actors.branch.name,
      report: {
        heard_at: server.clock.now().toISOString(),
        clock_offset_ms: 180_000,
        build: 'b1',
        update_waits: true,
        browser: 'Chrome on Android',
        persistent: true,
        waiting: TWO_WAITING,
        refused: 1,
        user: actors.till.loginName,
      },
    })
  })

  it('is not heard without the cookie of the till, or when it is broken', async () => {
    const { cookie, say } = await reportingTill()
    for (const other of ['', `till=${newToken()}`, 'till=x']) expect(await say({ build: 'forged' }, other)).toBe(200)
    for (const header of ['', 'a.b.c', JSON.stringify({ build: 'x'.repeat(5_000) })]) {
      expect((await ask('/api/health', { headers: { 'device-report': header, cookie } })).status).toBe(200)
    }
    await server.deps.background.settled()
    expect((await devicesSeenBy(actors.users.HRP)).map(({ report }) => report)).toEqual([null])
  })

  it('names nobody of another branch as who is logged in', async () => {
    const { say } = await reportingTill()
    const stranger = await makePosUser(db())
    await say({ user: stranger.id })
    expect((await devicesSeenBy(actors.users.HRP))[0]?.report).toMatchObject({ user: null })
  })
})

describe('the list of devices', () => {
  it('begins with what needs somebody: money first, and of those the one that was silent longest', async () => {
    const says = {
      quiet: {},
      updating: { update_waits: true },
      refused: { refused: 1 },
      fresh: { waiting: TWO_WAITING },
    }
    const silent = await reportingTill({ name: 'silent' })
    await silent.say({ waiting: { ...TWO_WAITING, cents: 1_000 } })
    await (await reportingTill({ name: 'wrong clock' })).say({ at: '2026-11-21T01:50:00.000Z' })
    server.clock.advance({ minutes: 10 })
    for (const [name, given] of Object.entries(says)) await (await reportingTill({ name })).say(given)
    await makeTill(db(), actors.till, { name: 'never heard' })
    const names = (await devicesSeenBy(actors.users.HRP)).map(({ name }) => name)
    expect(names).toEqual(['silent', 'fresh', 'refused', 'wrong clock', 'updating', 'never heard', 'quiet'])
  })

  it('is narrowed by what is the matter, and by branch', async () => {
    await (await reportingTill({ name: 'with money' })).say({ waiting: TWO_WAITING })
    await (await reportingTill({ name: 'without' })).say()
    const only = async (key: string, value: string) =>
      (await devicesSeenBy(actors.users.HRP, { other_params: [{ key, value }] })).map(({ name }) => name)
    expect(await only('state', 'waiting')).toEqual(['with money'])
    expect(await only('state', 'not reported')).toEqual([])
    const other = await makeBranch(db(), actors.organisation)
    expect(await only('branch', other.id)).toEqual([])
  })

  it('shows each its own: an organisation, the branches of a master, a branch', async () => {
    await reportingTill()
    const other = await makeBranch(db(), actors.organisation)
    const there = await makePosUser(db(), { organisation: actors.organisation, branch: other })
    await makeTill(db(), there, { name: 'Elsewhere' })
    const names = async (who: Parameters<typeof loggedInClient>[1]) =>
      (await devicesSeenBy(who)).map(({ name }) => name).toSorted()
    expect(await names(actors.users.HRP)).toEqual(['Elsewhere', 'Till 1'])
    expect(await names(actors.users.Branch)).toEqual(['Till 1'])
    const stranger = await makeActors(db())
    expect(await names(stranger.users.HRP)).toEqual([])
  })
})

describe('another name', () => {
  it('is given by whoever manages the branch, and is on the next hold', async () => {
    const { row } = await reportingTill()
    const branch = await loggedInClient(ask, actors.users.Branch)
    const renamed = await branch.put<DeviceRow>(`/device/${row.guid}`, { name: 'Takeaway' })
    expect(renamed.data).toMatchObject({ guid: row.guid, name: 'Takeaway' })
    const { token } = await logIn(ask, actors.till)
    const { serial } = await makeVoucher(db())
    const verified = await verifyAt({ ask, token, till: row.id }, serial, newHoldKey())
    expect(verified.data.hold).toMatchObject({ till: 'Takeaway' })
  })
})

describe('a till with money that is not heard of', () => {
  const silentSeenBy = async (token: string) => (await get<Notices>(ask, '/api/notices', token)).data.notices

  it('is a notice after an hour, until it is heard again', async () => {
    const { row, say } = await reportingTill()
    await say({ waiting: TWO_WAITING })
    const heardAt = Date.parse(START)
    server.clock.set(new Date(heardAt + HOUR_MS - 60_000).toISOString())
    const { token } = await logIn(ask, actors.users.Branch)
    expect(await silentSeenBy(token)).toEqual([])
    server.clock.set(new Date(heardAt + HOUR_MS + 60_000).toISOString())
    expect(await silentSeenBy(token)).toEqual([
      {
        key: `silent ${row.guid} ${START}`,
        kind: 'till',
        till: 'Till 1',
        branch_name: actors.branch.name,
        concern: { is: 'silent', silent_ms: HOUR_MS + 60_000, count: 2, cents: 3_000 },
      },
    ])
    await say({ waiting: TWO_WAITING })
    expect(await silentSeenBy(token)).toEqual([])
  })

  it('is no notice for a stranger, or when nothing waits', async () => {
    await (await reportingTill()).say()
    const money = await reportingTill({ name: 'Till 2' })
    await money.say({ waiting: TWO_WAITING })
    server.clock.advance({ minutes: 90 })
    const stranger = await makeActors(db())
    expect(await silentSeenBy((await logIn(ask, stranger.users.HRP)).token)).toEqual([])
    expect(await silentSeenBy((await logIn(ask, actors.users.HRP)).token)).toHaveLength(1)
  })
})

it('a report is written down while a hold of its till is being made', async () => {
  const { row, say } = await reportingTill()
  await db().transaction(async (tx) => {
    await tx.execute(`SELECT FROM till WHERE guid = '${row.guid}' FOR NO KEY UPDATE`)
    await say({ build: 'meanwhile' })
  })
  expect((await devicesSeenBy(actors.users.HRP))[0]?.report).toMatchObject({ build: 'meanwhile' })
})
