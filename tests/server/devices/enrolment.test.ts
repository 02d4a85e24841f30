import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import type { PublicKey } from '../../../src/contract/devices/deviceReports.ts'
import type { Device, DeviceRow } from '../../../src/contract/devices/devices.ts'
import type { Enrolment } from '../../../src/contract/devices/enrolment.ts'
import type { Till } from '../../../src/contract/redemptions/counter.ts'
import { makeActors, type Actors } from '../../support/api/actors.ts'
import { get, reply, send, signIn } from '../../support/api/portalClient.ts'
import { signedInClient, type SignedInClient } from '../../support/api/signedInClient.ts'
import { makeBranch, makeTill, makeVoucher } from '../../support/database/builders.ts'
import { makeDeviceKey, signedReport } from '../../support/devices/reportingDevice.ts'
import { newHoldKey, redeemHeld, verifyAt } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let actors: Actors
let manager: SignedInClient
let cashier: { token: string }
beforeEach(async () => {
  server.clock.set('2026-11-21T02:00:00.000Z')
  actors = await makeActors(db())
  manager = await signedInClient(ask, actors.users.HRP)
  cashier = await signIn(ask, actors.till)
})

const makeCode = async (name = 'Till 7', branch = actors.branch.id) =>
  (await manager.post<Enrolment>('/device/enrolment', { branch_guid: branch, name })).data

const enrol = async (id: string, code: string, key: PublicKey, by = cashier) =>
  reply<Till>(await send(ask, 'PUT', `/api/till/${id}/enrolment`, { token: by.token, body: { code, key } }))

async function enrolledTill() {
  const { publicKey, privateKey } = await makeDeviceKey()
  const id = randomUUID() as string
  const { code } = await makeCode()
  await enrol(id, code, publicKey)
  const row = (await devices()).find(({ till_guid }) => till_guid === id)!
  return { id, row, publicKey, privateKey }
}

async function devices(query: object = {}) {
  const page = { start: 0, limit: 50, order_by: [{ column: 'attention', sort_type: 'desc' }], ...query }
  return (await manager.post<{ rows: DeviceRow[] }>('/device/datatable', page)).data.rows
}

/** A hold at the device, and what it answers. */
async function verify(till: string, { branch = actors.till.branch, by = cashier } = {}) {
  const voucher = await makeVoucher(db())
  const key = newHoldKey()
  return { serial: voucher.serial, key, branch, answer: await verifyAt(ask, by.token, till, voucher.serial, key) }
}

describe('a code of a manager', () => {
  it('makes one device a till of the branch, by the name that the manager chose, and is then used up', async () => {
    const { publicKey } = await makeDeviceKey()
    const made = await makeCode('Till 7')
    expect(made.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
    expect((await manager.get(`/device/enrolment/${made.guid}`)).data).toMatchObject({ used_at: null })
    const id = randomUUID() as string
    const typed = `${made.code.slice(0, 4)}-${made.code.slice(4)}`.toLowerCase()
    expect((await enrol(id, typed, publicKey)).data).toEqual({
      guid: id,
      name: 'Till 7',
      branch_guid: actors.branch.id,
    })
    expect((await devices())[0]).toMatchObject({ name: 'Till 7', enrolled_at: server.clock.now().toISOString() })
    expect((await manager.get(`/device/enrolment/${made.guid}`)).data).not.toMatchObject({ used_at: null })
    const second = await enrol(randomUUID(), made.code, (await makeDeviceKey()).publicKey)
    expect(second).toMatchObject({ status: 422, error: 'ENROLMENT_CODE_WRONG' })
    expect((await verify(id)).answer.status).toBe(200)
  })

  it('gives the same device the same answer again, for the first may have been lost; another key does not get it', async () => {
    const { publicKey } = await makeDeviceKey()
    const [id, { code }] = [randomUUID() as string, await makeCode()]
    const first = await enrol(id, code, publicKey)
    expect((await enrol(id, code, publicKey)).data).toEqual(first.data)
    expect((await enrol(id, code, (await makeDeviceKey()).publicKey)).error).toBe('ENROLMENT_CODE_WRONG')
    expect(await devices()).toHaveLength(1)
  })

  it('works for one of ten devices that use it at once', async () => {
    const { code } = await makeCode()
    const { publicKey } = await makeDeviceKey()
    const answers = await Promise.all(Array.from({ length: 8 }, () => enrol(randomUUID(), code, publicKey)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await devices()).toHaveLength(1)
  })

  it('does not work at another branch, or after a quarter of an hour', async () => {
    const { publicKey } = await makeDeviceKey()
    const { code } = await makeCode()
    const elsewhere = await signIn(ask, actors.otherTill)
    expect((await enrol(randomUUID(), code, publicKey, elsewhere)).error).toBe('ENROLMENT_CODE_WRONG')
    server.clock.advance({ minutes: 15 })
    const later = await signIn(ask, actors.till)
    expect((await enrol(randomUUID(), code, publicKey, later)).error).toBe('ENROLMENT_CODE_WRONG')
  })

  it('is not found by guessing: ten wrong ones lock the cashier out of enrolling', async () => {
    const { publicKey } = await makeDeviceKey()
    for (let n = 0; n < 10; n += 1) {
      expect((await enrol(randomUUID(), `0000000${n}`, publicKey)).error).toBe('ENROLMENT_CODE_WRONG')
    }
    const { code } = await makeCode()
    expect((await enrol(randomUUID(), code, publicKey)).status).toBe(429)
  })

  it('is not made for a branch that is not active', async () => {
    const closed = await makeBranch(db(), actors.organisation, { status: 'Inactive' })
    const refused = await manager.post('/device/enrolment', { branch_guid: closed.id, name: 'Till 1' })
    expect(refused).toMatchObject({ status: 409, error: 'INVALID_STATE' })
  })
})

describe('an enrolled till', () => {
  it('keeps its key: no cashier can put another one in its place', async () => {
    const { id, publicKey } = await enrolledTill()
    const register = async (key: PublicKey) =>
      reply(await send(ask, 'PUT', `/api/till/${id}/key`, { token: cashier.token, body: { key } }))
    expect((await register(publicKey)).status).toBe(200)
    expect((await register((await makeDeviceKey()).publicKey)).error).toBe('TILL_ENROLLED')
  })

  it('works at another branch once it was moved there, and gets no holds where it was', async () => {
    const { id, row } = await enrolledTill()
    const moved = await manager.post<DeviceRow>(`/device/${row.guid}/move`, { branch_guid: actors.otherBranch.id })
    expect(moved.data).toMatchObject({ moved_to: actors.otherBranch.name, branch_guid: actors.branch.id })
    expect((await verify(id)).answer.error).toBe('TILL_REVOKED')
    expect((await get(ask, `/api/till/${randomUUID()}`, cashier.token)).data).toBeNull()
    const there = await signIn(ask, actors.otherTill)
    const known = await get(ask, `/api/till/${id}`, there.token)
    expect(known.data).toMatchObject({ name: 'Till 7', enrolled: true, revoked: false })
    expect((await verify(id, { by: there })).answer.status).toBe(200)
    const again = await manager.post(`/device/${row.guid}/move`, { branch_guid: actors.otherBranch.id })
    expect(again.error).toBe('INVALID_STATE')
  })
})

describe('a revoked till', () => {
  const revoke = (guid: string, remove = false) => manager.post<DeviceRow>(`/device/${guid}/revoke`, { remove })

  it('gets no new holds and no new name, until it is enrolled again', async () => {
    const { id, row, publicKey } = await enrolledTill()
    expect((await revoke(row.guid)).data).toMatchObject({ revoked_at: server.clock.now().toISOString() })
    expect((await verify(id)).answer).toMatchObject({ status: 409, error: 'TILL_REVOKED' })
    const named = await reply(
      await send(ask, 'PUT', `/api/till/${id}`, { token: cashier.token, body: { name: 'Mine' } }),
    )
    expect(named.error).toBe('TILL_REVOKED')
    await enrol(id, (await makeCode('Till 8')).code, publicKey)
    expect((await verify(id)).answer.status).toBe(200)
    expect((await devices())[0]).toMatchObject({ name: 'Till 8', revoked_at: null })
  })

  it('still uploads what it redeemed before, and its manager sees how much came in since', async () => {
    const { id, row } = await enrolledTill()
    const { serial, key } = await verify(id)
    server.clock.advance({ minutes: 2 })
    await revoke(row.guid)
    server.clock.advance({ minutes: 2 })
    expect((await redeemHeld(ask, serial, key)).status).toBe(200)
    const { late } = (await manager.get<Device>(`/device/get/${row.guid}`)).data
    expect(late).toEqual({ count: 1, cents: 1_000 })
  })

  it('is asked to remove what it stores with the answer to its next report but one, until it says that it has', async () => {
    const { id, row, privateKey } = await enrolledTill()
    const report = async (removed = false) => {
      const told = { till: id, branch: actors.branch.id, at: server.clock.now().toISOString(), build: 'b1', removed }
      const rest = { update_waits: false, persistent: true, refused: 0, user: null, connection: [], check: null }
      const waiting = { count: 0, cents: 0, oldest_at: null }
      const headers = await signedReport(privateKey, { ...told, ...rest, waiting })
      const { headers: answered } = await ask('/api/health', { headers })
      await server.deps.background.settled()
      return answered.get('device-order')
    }
    expect(await report()).toBeNull()
    await revoke(row.guid, true)
    expect(await report()).toBeNull()
    expect(await report()).toBe('remove')
    expect((await devices())[0]).toMatchObject({ removed_at: null })
    await report(true)
    expect((await devices())[0]).toMatchObject({ removed_at: server.clock.now().toISOString() })
    expect(await report()).toBeNull()
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

  it('takes none where the installation refuses it: no hold, no name, and no redemption without a hold', async () => {
    const named = await makeTill(db(), actors.till)
    const strict = createApp({ ...server.deps, settings: { ...server.deps.settings, unenrolledTills: 'refused' } })
    const there = (path: string, init?: RequestInit) => strict.request(path, init)
    const { serial } = await makeVoucher(db())
    const key = newHoldKey()
    expect((await verifyAt(there, cashier.token, named.id, serial, key)).error).toBe('TILL_NOT_ENROLLED')
    const other = await send(there, 'PUT', `/api/till/${randomUUID()}`, {
      token: cashier.token,
      body: { name: 'Till 9' },
    })
    expect((await reply(other)).error).toBe('TILL_NOT_ENROLLED')
    const alone = { token: cashier.token, headers: { 'idempotency-key': randomUUID() }, body: { serial } }
    expect((await reply(await send(there, 'POST', '/api/voucher/redeem', alone))).error).toBe('TILL_NOT_ENROLLED')
    const { id } = await enrolledTill()
    expect((await verifyAt(there, cashier.token, id, serial, newHoldKey())).status).toBe(200)
    const me = await get<{ counter: object }>(there, '/api/account/my_info', cashier.token)
    expect(me.data.counter).toMatchObject({ unenrolled_tills: 'refused' })
  })
})
