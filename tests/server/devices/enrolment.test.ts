import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { activity } from '../../../server/db/schema/activity.ts'
import { THROTTLES } from '../../../server/db/throttles.ts'
import type { Device, DeviceRow } from '../../../src/contract/devices/devices.ts'
import type { EnrolledTill, Enrolment } from '../../../src/contract/devices/enrolment.ts'
import type { Notices } from '../../../src/contract/notices.ts'
import type { Voucher, VoucherRow } from '../../../src/contract/vouchers.ts'
import { makeActors, type Actors } from '../../support/api/actors.ts'
import { browserOf, type TestBrowser } from '../../support/api/browserOf.ts'
import { loggedInClient, type LoggedInClient } from '../../support/api/loggedInClient.ts'
import { get, reply, send, logIn } from '../../support/api/portalClient.ts'
import { makeBranch, makeTill, makeVoucher } from '../../support/database/builders.ts'
import { reportHeader } from '../../support/devices/reportingDevice.ts'
import { newHoldKey, redeemHeld, verifyAt, voidHeld } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let actors: Actors
let manager: LoggedInClient
let cashier: { token: string }
beforeEach(async () => {
  server.clock.set('2026-11-21T02:00:00.000Z')
  // All tests ask from one network, at the same time.
  await db().execute(`DELETE FROM throttle WHERE key LIKE '${THROTTLES.enrolmentCode.prefix}%'`)
  actors = await makeActors(db())
  manager = await loggedInClient(ask, actors.users.HRP)
  cashier = await logIn(ask, actors.till)
})

const makeCode = async (name = 'Till 7', branch = actors.branch.id) =>
  (await manager.post<Enrolment>('/device/enrolment', { branch_guid: branch, name })).data

/** Enrols a device on which nobody is logged in. */
const enrol = async (id: string, code: string, { branch_guid, on = browserOf(ask) }: EnrolOptions = {}) =>
  reply<EnrolledTill>(await send(on, 'PUT', `/api/till/${id}/enrolment`, { body: { code, branch_guid } }))

interface EnrolOptions {
  branch_guid?: string
  on?: TestBrowser
}

async function enrolledTill() {
  const id = randomUUID() as string
  const { code } = await makeCode()
  const on = browserOf(ask)
  await enrol(id, code, { on })
  const row = (await devices()).find(({ till_guid }) => till_guid === id)!
  return { id, row, on }
}

const cookieOf = ({ on }: { on: TestBrowser }) => on.cookies.get('till')!

async function devices(query: object = {}) {
  const page = { start: 0, limit: 50, order_by: [{ column: 'attention', sort_type: 'desc' }], ...query }
  return (await manager.post<{ rows: DeviceRow[] }>('/device/datatable', page)).data.rows
}

/** Asks for a hold at the device. Returns the answer. */
async function verify(till: string, { branch = actors.till.branch, by = cashier, on = ask } = {}) {
  const voucher = await makeVoucher(db())
  const key = newHoldKey()
  return {
    serial: voucher.serial,
    key,
    branch,
    answer: await verifyAt({ ask: on, token: by.token, till }, voucher.serial, key),
  }
}

describe('a code of a manager', () => {
  it('makes one device a till of the branch, by the name that the manager chose, and is then used up', async () => {
    const made = await makeCode('Till 7')
    expect(made.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
    expect((await manager.get(`/device/enrolment/${made.guid}`)).data).toMatchObject({ used_at: null })
    const id = randomUUID() as string
    const typed = `${made.code.slice(0, 4)}-${made.code.slice(4)}`.toLowerCase()
    const on = browserOf(ask)
    expect((await enrol(id, typed, { on })).data).toEqual({
      guid: id,
      name: 'Till 7',
      branch_guid: actors.branch.id,
      branch_name: actors.branch.name,
    })
    expect((await devices())[0]).toMatchObject({ name: 'Till 7', enrolled_at: server.clock.now().toISOString() })
    expect((await manager.get(`/device/enrolment/${made.guid}`)).data).not.toMatchObject({ used_at: null })
    const second = await enrol(randomUUID(), made.code)
    expect(second).toMatchObject({ status: 422, error: 'ENROLMENT_CODE_WRONG' })
    expect((await verify(id, { on })).answer.status).toBe(200)
  })

  it('enrols the same device again, for the first answer and its cookie may have been lost, while it is good', async () => {
    const [id, { code }] = [randomUUID() as string, await makeCode()]
    const on = browserOf(ask)
    const first = await enrol(id, code)
    expect((await enrol(id, code, { on })).data).toEqual(first.data)
    expect((await verify(id, { on })).answer.status).toBe(200)
    expect(await devices()).toHaveLength(1)
    server.clock.advance({ minutes: 15 })
    expect((await enrol(id, code, { on })).error).toBe('ENROLMENT_CODE_WRONG')
  })

  it('works for one of ten devices that use it at once', async () => {
    const { code } = await makeCode()
    const answers = await Promise.all(Array.from({ length: 8 }, () => enrol(randomUUID(), code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await devices()).toHaveLength(1)
  })

  it('is not used up where a cashier of another branch types it, and not good after a quarter of an hour', async () => {
    const { code } = await makeCode()
    const elsewhere = { branch_guid: actors.otherBranch.id }
    expect((await enrol(randomUUID(), code, elsewhere)).error).toBe('ENROLMENT_CODE_WRONG')
    expect((await enrol(randomUUID(), code, { branch_guid: actors.branch.id })).status).toBe(200)
    const late = (await makeCode()).code
    server.clock.advance({ minutes: 15 })
    expect((await enrol(randomUUID(), late)).error).toBe('ENROLMENT_CODE_WRONG')
  })

  it('is noted as used by its manager, on the device that it has enrolled', async () => {
    const id = randomUUID() as string
    await enrol(id, (await makeCode()).code)
    const noted = await db()
      .select()
      .from(activity)
      .where(and(eq(activity.action, 'till.enrolled'), eq(activity.subjectId, id)))
    expect(noted).toMatchObject([
      { actor: actors.users.HRP.loginName, branchId: actors.branch.id, organisationId: actors.organisation.id },
    ])
  })

  it('is not found by guessing: ten wrong ones lock the network out of enrolling', async () => {
    for (let n = 0; n < 10; n += 1) {
      expect((await enrol(randomUUID(), `0000000${n}`)).error).toBe('ENROLMENT_CODE_WRONG')
    }
    const { code } = await makeCode()
    expect((await enrol(randomUUID(), code)).status).toBe(429)
  })

  it('is not made for a branch that is not active', async () => {
    const closed = await makeBranch(db(), actors.organisation, { status: 'Inactive' })
    const refused = await manager.post('/device/enrolment', { branch_guid: closed.id, name: 'Till 1' })
    expect(refused).toMatchObject({ status: 409, error: 'INVALID_STATE' })
  })
})

describe('an enrolled till', () => {
  it('works at another branch once it was moved there, and gets no holds where it was', async () => {
    const { id, row, on } = await enrolledTill()
    const moved = await manager.post<DeviceRow>(`/device/${row.guid}/move`, { branch_guid: actors.otherBranch.id })
    expect(moved.data).toMatchObject({ moved_to: actors.otherBranch.name, branch_guid: actors.branch.id })
    expect((await verify(id, { on })).answer.error).toBe('TILL_REVOKED')
    expect((await get(ask, `/api/till/${randomUUID()}`, cashier.token)).data).toBeNull()
    const there = await logIn(ask, actors.otherTill)
    const known = await get(on, `/api/till/${id}`, there.token)
    expect(known.data).toMatchObject({ name: 'Till 7', enrolled: true, revoked: false })
    expect((await verify(id, { by: there, on })).answer.status).toBe(200)
    const again = await manager.post(`/device/${row.guid}/move`, { branch_guid: actors.otherBranch.id })
    expect(again.error).toBe('INVALID_STATE')
  })
})

describe('a revoked till', () => {
  const revoke = (guid: string, remove = false) => manager.post<DeviceRow>(`/device/${guid}/revoke`, { remove })

  /** Sends a report of the till. Returns the order in the answer, if there is one. */
  async function report({ on }: Pick<Awaited<ReturnType<typeof enrolledTill>>, 'on'>, { removed = false } = {}) {
    const told = { at: server.clock.now().toISOString(), build: 'b1', removed }
    const rest = { update_waits: false, persistent: true, refused: 0, user: null }
    const waiting = { count: 0, cents: 0, oldest_at: null }
    const headers = reportHeader({ ...told, ...rest, waiting })
    const { headers: answered } = await on('/api/health', { headers })
    await server.deps.background.settled()
    return answered.get('device-order')
  }

  it('gets no new holds and no new name, until it is enrolled again', async () => {
    const { id, row, on } = await enrolledTill()
    expect((await revoke(row.guid)).data).toMatchObject({ revoked_at: server.clock.now().toISOString() })
    expect((await verify(id, { on })).answer).toMatchObject({ status: 409, error: 'TILL_REVOKED' })
    const named = await reply(
      await send(on, 'PUT', `/api/till/${id}`, { token: cashier.token, body: { name: 'Mine' } }),
    )
    expect(named.error).toBe('TILL_REVOKED')
    await enrol(id, (await makeCode('Till 8')).code, { on })
    expect((await verify(id, { on })).answer.status).toBe(200)
    expect((await devices())[0]).toMatchObject({ name: 'Till 8', revoked_at: null })
  })

  it('is asked to remove what it stores with the answer to its next report but one, until it says that it has', async () => {
    const till = await enrolledTill()
    expect(await report(till)).toBeNull()
    await revoke(till.row.guid, true)
    expect(await report(till)).toBeNull()
    expect(await report(till)).toBe('remove')
    expect((await devices())[0]).toMatchObject({ removed_at: null })
    expect(await report(till, { removed: true })).toBeNull()
    expect((await devices())[0]).toMatchObject({ removed_at: server.clock.now().toISOString() })
    expect(await report(till)).toBeNull()
  })

  it('is asked for nothing once it works again, by no server: one of two has heard what the other has not', async () => {
    const till = await enrolledTill()
    await revoke(till.row.guid, true)
    await report(till)
    expect(await report(till)).toBe('remove')
    const other = createApp(server.deps)
    const there = { on: browserOf((path, init) => other.request(path, init), { till: cookieOf(till) }) }
    expect(await report(there, { removed: true })).toBeNull()
    await enrol(till.id, (await makeCode()).code, { on: till.on })
    expect(await report(till)).toBeNull()
  })
})

describe('what a till uploads after it was revoked', () => {
  /** Makes a till that redeems one voucher in each of the minutes after it was revoked. */
  async function lateTill(uploads = 1) {
    const till = await enrolledTill()
    const held = await Promise.all(Array.from({ length: uploads }, () => verify(till.id, till)))
    server.clock.advance({ minutes: 2 })
    await manager.post(`/device/${till.row.guid}/revoke`, { remove: false })
    const upload = async ({ key }: (typeof held)[number]) => {
      server.clock.advance({ minutes: 1 })
      expect(await redeemHeld(ask, key)).toMatchObject({ state: 'redeemed' })
      return server.clock.now().toISOString()
    }
    return { ...till, held, upload }
  }

  const found = async (late: string, more: object[] = []) => {
    const query = { start: 0, limit: 50, order_by: [], other_params: [{ key: 'late', value: late }, ...more] }
    const { rows } = (await manager.post<{ rows: VoucherRow[] }>('/voucher/datatable', query)).data
    return rows.map(({ serial }) => serial)
  }

  const historyOf = async (serial: string) => {
    const query = { start: 0, limit: 1, order_by: [], search_str: serial }
    const { rows } = (await manager.post<{ rows: VoucherRow[] }>('/voucher/datatable', query)).data
    return (await manager.get<Voucher>(`/voucher/get/${rows[0]!.guid}`)).data.history
  }

  const noticesOf = async (token = manager.token) => (await get<Notices>(ask, '/api/notices', token)).data.notices

  const lateOf = async (guid: string) => (await manager.get<Device>(`/device/get/${guid}`)).data

  it('counts, and is marked, listed and told to its manager', async () => {
    const { row, held, upload } = await lateTill()
    expect((await lateOf(row.guid)).late).toEqual({ count: 0, cents: 0, newest_at: null })
    const at = await upload(held[0]!)
    expect(await lateOf(row.guid)).toMatchObject({ late: { count: 1, cents: 1_000, newest_at: at }, reviewed: null })
    expect(await found('all')).toEqual([held[0]!.serial])
    expect(await found('to review')).toEqual([held[0]!.serial])
    expect(await found(row.guid)).toEqual([held[0]!.serial])
    expect(await found(randomUUID())).toEqual([])
    expect(await historyOf(held[0]!.serial)).toMatchObject([{ event: 'Redeemed', late: { reviewed: null } }])
    expect((await devices({ other_params: [{ key: 'state', value: 'to review' }] })).map(({ guid }) => guid)).toEqual([
      row.guid,
    ])
    expect(await noticesOf()).toEqual([
      {
        key: `late ${row.guid} ${at}`,
        kind: 'till',
        till: 'Till 7',
        branch_name: actors.branch.name,
        concern: { is: 'late', count: 1, cents: 1_000 },
      },
    ])
  })

  it('is nothing to review where it came before, from a till in use, or from one that was moved', async () => {
    const { id, row, on } = await enrolledTill()
    const [before, moved] = [await verify(id, { on }), await verify(id, { on })]
    await redeemHeld(ask, before.key)
    await manager.post(`/device/${row.guid}/move`, { branch_guid: actors.otherBranch.id })
    expect(await redeemHeld(ask, moved.key)).toMatchObject({ state: 'redeemed' })
    expect(await found('all')).toEqual([])
    expect(await noticesOf()).toEqual([])
    expect(await historyOf(moved.serial)).toMatchObject([{ late: null }])
  })

  it('is reviewed by somebody, which ends figure and notice until more comes in', async () => {
    const { row, held, upload } = await lateTill(3)
    const first = await upload(held[0]!)
    const second = await upload(held[1]!)
    // The second one came in while the manager looked at the first.
    const answer = await manager.post<DeviceRow>(`/device/${row.guid}/review`, { until: first })
    const reviewed = { at: server.clock.now().toISOString(), by: actors.users.HRP.loginName }
    expect(answer.data.late).toEqual({ count: 1, cents: 1_000, newest_at: second })
    await manager.post(`/device/${row.guid}/review`, { until: second })
    expect(await lateOf(row.guid)).toMatchObject({ late: { count: 0, newest_at: null }, reviewed })
    expect(await noticesOf()).toEqual([])
    expect(await found('to review')).toEqual([])
    expect(await found('all')).toHaveLength(2)
    expect(await historyOf(held[0]!.serial)).toMatchObject([{ late: { reviewed } }])
    await upload(held[2]!)
    expect(await found('to review')).toEqual([held[2]!.serial])
    expect(await noticesOf()).toMatchObject([{ concern: { is: 'late', count: 1 } }])
  })

  it('is written down as reviewed once, with how much it was', async () => {
    const { id, row, held, upload } = await lateTill()
    const until = await upload(held[0]!)
    const review = () => manager.post<DeviceRow>(`/device/${row.guid}/review`, { until })
    expect((await Promise.all([review(), review()])).map(({ status }) => status)).toEqual([200, 200])
    const noted = await db()
      .select()
      .from(activity)
      .where(and(eq(activity.action, 'till.reviewed'), eq(activity.subjectId, id)))
    expect(noted).toMatchObject([{ subjectName: 'Till 7', details: { count: 1, amount_cents: 1_000 } }])
  })

  it('stays marked when the till is enrolled again; what it uploads from then on is not', async () => {
    const { id, row, held, upload } = await lateTill(2)
    await upload(held[0]!)
    await enrol(id, (await makeCode('Till 8')).code)
    await upload(held[1]!)
    expect(await found(row.guid)).toEqual([held[0]!.serial])
    expect((await lateOf(row.guid)).late).toMatchObject({ count: 1 })
    expect(await noticesOf()).toHaveLength(1)
  })

  it('is nothing to review once it was voided, and is found among what was voided', async () => {
    const { row, held, upload } = await lateTill()
    await upload(held[0]!)
    expect(await voidHeld(ask, held[0]!.key)).toMatchObject({ state: 'voided' })
    expect((await lateOf(row.guid)).late).toMatchObject({ count: 0, cents: 0 })
    expect(await noticesOf()).toEqual([])
    expect(await found('all')).toEqual([])
    expect(await found('all', [{ key: 'status', value: 'Voided' }])).toEqual([held[0]!.serial])
  })

  it('is told to whoever manages the branch, and to nobody else', async () => {
    const { row, held, upload } = await lateTill()
    const until = await upload(held[0]!)
    expect(await noticesOf((await logIn(ask, actors.users.Branch)).token)).toHaveLength(1)
    const strangers = await makeActors(db())
    expect(await noticesOf((await logIn(ask, strangers.users.HRP)).token)).toEqual([])
    const stranger = await loggedInClient(ask, strangers.users.HRP)
    expect((await stranger.post(`/device/${row.guid}/review`, { until })).status).toBe(404)
  })
})

describe('a till that nobody has enrolled', () => {
  it('takes vouchers as before, and can be found in the list', async () => {
    const { row } = await enrolledTill()
    const named = await makeTill(db(), actors.till, { name: 'Till 1' })
    expect((await verify(named.id)).answer.status).toBe(200)
    const found = await devices({ other_params: [{ key: 'state', value: 'not enrolled' }] })
    expect(found.map(({ guid }) => guid)).toEqual([named.guid])
    await manager.post(`/device/${row.guid}/revoke`, { remove: false })
    expect((await devices({ other_params: [{ key: 'state', value: 'revoked' }] })).map(({ guid }) => guid)).toEqual([
      row.guid,
    ])
  })

  it('takes none where the installation refuses it: no hold, and no name', async () => {
    const named = await makeTill(db(), actors.till)
    const strict = createApp({ ...server.deps, settings: { ...server.deps.settings, unenrolledTills: 'refused' } })
    const there = (path: string, init?: RequestInit) => strict.request(path, init)
    const { serial } = await makeVoucher(db())
    const key = newHoldKey()
    expect((await verifyAt({ ask: there, token: cashier.token, till: named.id }, serial, key)).error).toBe(
      'TILL_NOT_ENROLLED',
    )
    const other = await send(there, 'PUT', `/api/till/${randomUUID()}`, {
      token: cashier.token,
      body: { name: 'Till 9' },
    })
    expect((await reply(other)).error).toBe('TILL_NOT_ENROLLED')
    const { id, on } = await enrolledTill()
    const enrolled = browserOf(there, { till: cookieOf({ on }) })
    expect((await verifyAt({ ask: enrolled, token: cashier.token, till: id }, serial, newHoldKey())).status).toBe(200)
    const me = await get<{ counter: object }>(there, '/api/account/my_info', cashier.token)
    expect(me.data.counter).toMatchObject({ unenrolled_tills: 'refused' })
  })
})
