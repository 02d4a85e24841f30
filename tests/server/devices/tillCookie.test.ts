import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import type { DeviceRow } from '../../../src/contract/devices/devices.ts'
import type { Enrolment } from '../../../src/contract/devices/enrolment.ts'
import { makeActors, type Actors } from '../../support/api/actors.ts'
import { browserOf, type TestBrowser } from '../../support/api/browserOf.ts'
import { loggedInClient, type LoggedInClient } from '../../support/api/loggedInClient.ts'
import { get, login, encryptPassword, reply, send, logIn, type Ask } from '../../support/api/portalClient.ts'
import { makeVoucher, PASSWORD } from '../../support/database/builders.ts'
import { reportHeader } from '../../support/devices/reportingDevice.ts'
import { newHoldKey, redeemHeld, verifyAt } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let actors: Actors
let manager: LoggedInClient
let cashier: { token: string }
/** The browser at the counter. `thief` has everything that its scripts can read. */
let till: TestBrowser
let thief: TestBrowser
let id: string

beforeEach(async () => {
  server.clock.set('2026-11-21T02:00:00.000Z')
  actors = await makeActors(db())
  manager = await loggedInClient(ask, actors.users.HRP)
  cashier = await logIn(ask, actors.till)
  till = browserOf(ask)
  thief = browserOf(ask)
  id = randomUUID()
})

async function enrol(on: Ask, by = cashier, till_ = id) {
  const { data } = await manager.post<Enrolment>('/device/enrolment', { branch_guid: actors.branch.id, name: 'Till 7' })
  return reply(await send(on, 'PUT', `/api/till/${till_}/enrolment`, { token: by.token, body: { code: data.code } }))
}

const name = async (on: Ask, { by = cashier, called = 'Till 2' } = {}) =>
  reply(await send(on, 'PUT', `/api/till/${id}`, { token: by.token, body: { name: called } }))

async function hold(on: Ask, by = cashier) {
  const key = newHoldKey()
  const { serial } = await makeVoucher(db())
  const { status, error } = await verifyAt({ ask: on, token: by.token, till: id }, serial, key)
  return { key, serial, said: error ?? status }
}

async function report(on: Ask, build: string) {
  const rest = { update_waits: false, persistent: true, refused: 0, user: null }
  const waiting = { count: 2, cents: 3_000, oldest_at: '2026-11-21T01:50:00.000Z' }
  await on('/api/health', { headers: reportHeader({ at: server.clock.now().toISOString(), build, ...rest, waiting }) })
  await server.deps.background.settled()
}

async function devices() {
  const page = { start: 0, limit: 50, order_by: [{ column: 'name', sort_type: 'asc' }] }
  return (await manager.post<{ rows: DeviceRow[] }>('/device/datatable', page)).data.rows
}

const rowOfTill = async () => (await devices()).find(({ till_guid }) => till_guid === id)!

describe('the cookie of a till', () => {
  it('comes with its enrolment, out of reach of scripts and other sites, for 400 days', async () => {
    const { headers } = await enrol(till)
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^till=[\w-]{43}; Path=\/api; HttpOnly; SameSite=Strict; Max-Age=34560000$/),
    ])
    const settings = { ...server.deps.settings, publicUrl: 'https://portal.test' }
    const secure = createApp({ ...server.deps, settings })
    const there: Ask = (path, init) => secure.request(path, init)
    const given = await enrol(there, await logIn(there, actors.till))
    expect(given.headers.getSetCookie()[0]).toMatch(/^__Secure-till=.*; Secure$/)
  })

  it('comes with the name that a cashier gives it, once: named again by the same browser it is the same till', async () => {
    expect((await name(till)).headers.getSetCookie()).toHaveLength(1)
    const again = await name(till, { called: 'Till 3' })
    expect(again).toMatchObject({ status: 200 })
    expect(again.headers.getSetCookie()).toEqual([])
    await report(till, 'b1')
    expect(await devices()).toMatchObject([{ till_guid: id, name: 'Till 3', report: { build: 'b1' } }])
  })

  it('is given anew with each login, so that a till in use never loses it', async () => {
    await enrol(till)
    const token = till.cookies.get('till')!
    const { headers } = await login(till, actors.till, await encryptPassword(ask, PASSWORD))
    expect(headers.getSetCookie()).toContainEqual(expect.stringMatching(`^till=${token}; .*Max-Age=34560000`))
  })

  it('is worth nothing once the till is enrolled anew', async () => {
    await enrol(till)
    await enrol(thief)
    expect((await hold(till)).said).toBe('TILL_NOT_ENROLLED')
    await report(till, 'old')
    expect((await rowOfTill()).report).toBeNull()
    expect((await hold(thief)).said).toBe(200)
  })

  it('goes with the till to the branch that it is moved to', async () => {
    await enrol(till)
    await manager.post(`/device/${(await rowOfTill()).guid}/move`, { branch_guid: actors.otherBranch.id })
    const there = await logIn(ask, actors.otherTill)
    expect((await hold(thief, there)).said).toBe('TILL_NOT_ENROLLED')
    expect((await hold(till, there)).said).toBe(200)
    expect((await hold(till)).said).toBe('TILL_REVOKED')
  })

  it('is not given up for a name at another branch', async () => {
    await enrol(till)
    const there = await logIn(ask, actors.otherTill)
    expect((await name(till, { by: there })).headers.getSetCookie()).toEqual([])
    expect((await hold(till, there)).said).toBe(200)
    expect((await hold(till)).said).toBe(200)
  })
})

describe('the id of an enrolled till', () => {
  it('gets no hold and no name in another browser, where a cashier is logged in, and is not enrolled there', async () => {
    await enrol(till)
    await enrol(thief, cashier, randomUUID())
    for (const other of [ask, thief]) {
      expect((await hold(other)).said).toBe('TILL_NOT_ENROLLED')
      expect((await name(other)).error).toBe('TILL_NOT_ENROLLED')
      expect((await get(other, `/api/till/${id}`, cashier.token)).data).toMatchObject({ enrolled: false })
    }
    expect((await get(till, `/api/till/${id}`, cashier.token)).data).toMatchObject({ enrolled: true })
    expect((await hold(till)).said).toBe(200)
  })

  it('gets no hold once the till is revoked, and what it held before is redeemed', async () => {
    await enrol(till)
    const before = await hold(till)
    await manager.post(`/device/${(await rowOfTill()).guid}/revoke`, { remove: false })
    for (const by of [till, thief]) expect((await hold(by)).said).toBe('TILL_REVOKED')
    expect(await redeemHeld(ask, before.key)).toMatchObject({ state: 'redeemed' })
  })
})

it('a report without the cookie changes nothing', async () => {
  await enrol(till)
  await report(till, 'b1')
  for (const other of [thief, browserOf(ask, { till: 'A'.repeat(43) })]) await report(other, 'forged')
  expect((await rowOfTill()).report).toMatchObject({ build: 'b1' })
})
