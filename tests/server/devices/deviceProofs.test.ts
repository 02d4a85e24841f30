import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect } from 'vitest'
import { deviceProofs } from '../../../server/db/schema/accounts.ts'
import { hashToken } from '../../../server/services/opaqueToken.ts'
import { DEVICE_PROOF_HEADER } from '../../../src/contract/devices/deviceProof.ts'
import type { Enrolment } from '../../../src/contract/devices/enrolment.ts'
import type { UploadOutcome } from '../../../src/contract/redemptions/redeem.ts'
import { makeActors, type Actors } from '../../support/api/actors.ts'
import { get, post, reply, send, signIn, type Ask, type Signed } from '../../support/api/portalClient.ts'
import { signedInClient } from '../../support/api/signedInClient.ts'
import { makeVoucher } from '../../support/database/builders.ts'
import { proofOf, provingAsk, type TestDeviceKey } from '../../support/devices/provingDevice.ts'
import { makeDeviceKey } from '../../support/devices/reportingDevice.ts'
import {
  askHeld,
  bearerOf,
  cancelHeld,
  newHoldKey,
  redeemHeld,
  verifyAt,
  type HoldKey,
} from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let actors: Actors
/** The till at the counter, whose calls prove its key; `thief` has all that it stores but the key, and one of its own. */
let key: TestDeviceKey
let till: Ask
let thief: Ask
let cashier: Signed
const id = randomUUID() as string

beforeEach(async () => {
  server.clock.set('2026-11-21T02:00:00.000Z')
  actors = await makeActors(db())
  key = await makeDeviceKey()
  till = provingAsk(server, key)
  thief = provingAsk(server, await makeDeviceKey())
  cashier = await signIn(till, actors.till)
})

const myInfo = (by: Ask, { token } = cashier) => get(by, '/api/account/my_info', token)

/** Enrolled by this key. */
async function enrol(by: Ask, publicKey = key.publicKey, { token } = cashier) {
  const manager = await signedInClient(ask, actors.users.HRP)
  const { data } = await manager.post<Enrolment>('/device/enrolment', { branch_guid: actors.branch.id, name: 'Till 7' })
  const body = { code: data.code, key: publicKey }
  return reply(await send(by, 'PUT', `/api/till/${id}/enrolment`, { token, body }))
}

const nameTill = (by: Ask, { token } = cashier) =>
  send(by, 'PUT', `/api/till/${id}`, { token, body: { name: 'Till 2' } })

async function hold(by: Ask, { token } = cashier, holdKey = newHoldKey()) {
  const { serial } = await makeVoucher(db())
  const answer = await verifyAt(by, token, id, serial, holdKey)
  return { serial, key: holdKey, answer }
}

const rowOf = (serial: string, { id: hold_, secret }: HoldKey) => ({ id: hold_, serial, secret })

async function upload(by: Ask, serial: string, holdKey: HoldKey) {
  const body = { redemptions: [rowOf(serial, holdKey)] }
  const { data, error } = await post<{ outcomes: UploadOutcome[] }>(by, '/api/voucher/upload', body)
  const [row] = data?.outcomes ?? []
  return error ?? (row?.outcome === 'refused' ? row.error : row?.outcome)
}

describe('a session', () => {
  it('belongs to the first key that is proved with it: its token is worth nothing without that key', async () => {
    expect((await myInfo(till)).status).toBe(200)
    for (const other of [ask, thief]) expect(await myInfo(other)).toMatchObject({ status: 401, error: 'PROOF_NEEDED' })
    expect((await myInfo(till)).status).toBe(200)
  })

  it('of a device without a key goes on without one, and belongs to the key that it makes later', async () => {
    const session = await signIn(ask, actors.users.HRP)
    expect((await myInfo(ask, session)).status).toBe(200)
    expect((await myInfo(till, session)).status).toBe(200)
    expect((await myInfo(ask, session)).error).toBe('PROOF_NEEDED')
  })

  it('belongs to nobody’s key for thirty days after the update of an installation: the release before would not know of it', async () => {
    await server.database.db.update(deviceProofs).set({ requiredFrom: new Date('2026-11-21T03:00:00.000Z') })
    try {
      await nameTill(till)
      const { serial, key: holdKey } = await hold(till)
      expect((await myInfo(ask)).status).toBe(200)
      // As the release before finds it: by the secret alone.
      expect((await askHeld(ask, holdKey)).data).toMatchObject({ state: 'held' })
      server.clock.set('2026-11-21T03:00:00.000Z')
      const later = await signIn(till, actors.till)
      expect((await myInfo(till, later)).status).toBe(200)
      expect((await myInfo(ask, later)).error).toBe('PROOF_NEEDED')
      expect(await upload(till, serial, holdKey)).toBe('redeemed')
    } finally {
      await server.database.db.update(deviceProofs).set({ requiredFrom: new Date(0) })
    }
  })

  it('is not refreshed for another device, which has its token and its cookie, and goes on where it began', async () => {
    await myInfo(till)
    const refresh = (by: Ask) =>
      get<{ access_token: string }>(by, '/api/account/refresh', cashier.token, { cookie: cashier.cookie })
    for (const other of [ask, thief]) expect((await refresh(other)).error).toBe('PROOF_NEEDED')
    const { data } = await refresh(till)
    expect((await myInfo(till, { ...cashier, token: data.access_token })).status).toBe(200)
    expect((await myInfo(thief, { ...cashier, token: data.access_token })).error).toBe('PROOF_NEEDED')
  })

  it('also redeems nothing elsewhere, where one statement judges session and voucher', async () => {
    await myInfo(till)
    const { serial } = await makeVoucher(db())
    const redeem = (by: Ask) =>
      post(by, '/api/voucher/redeem', { serial }, cashier.token, { 'idempotency-key': randomUUID() })
    for (const other of [ask, thief]) expect((await redeem(other)).error).toBe('PROOF_NEEDED')
    expect((await redeem(till)).status).toBe(200)
  })
})

describe('a proof', () => {
  const sent = async (proven: Partial<Parameters<typeof proofOf>[1]>, by = key) => {
    const call = {
      method: 'GET',
      path: '/api/account/my_info',
      token: cashier.token,
      at: server.clock.now(),
      ...proven,
    }
    const headers = { [DEVICE_PROOF_HEADER]: await proofOf(by, call) }
    return get(ask, '/api/account/my_info', cashier.token, headers)
  }

  it.each([
    ['another method', { method: 'POST' }],
    ['another address', { path: '/api/account/logout' }],
    ['another token', { token: 'another' }],
    ['no token', { token: undefined }],
  ])('of %s is none', async (_, proven) => {
    expect(await sent(proven)).toMatchObject({ status: 401, error: 'PROOF_NEEDED' })
  })

  it('of a clock that is minutes off is refused with the time of the server, by which the device makes the next one', async () => {
    const now = server.clock.now()
    for (const minutes of [-6, 6]) {
      const refused = await sent({ at: new Date(now.getTime() + minutes * 60_000) })
      expect(refused.body).toMatchObject({ error: 'PROOF_NEEDED', data: { now: now.toISOString() } })
    }
    expect((await sent({ at: new Date(now.getTime() + 4 * 60_000) })).status).toBe(200)
  })

  it('is not good when it was signed by another key than the one it names, or is none at all', async () => {
    const other = await makeDeviceKey()
    expect((await sent({}, { publicKey: key.publicKey, privateKey: other.privateKey })).error).toBe('PROOF_NEEDED')
    for (const proof of ['', 'a.b.c', 'x'.repeat(5_000)]) {
      const { error } = await get(ask, '/api/account/my_info', cashier.token, { [DEVICE_PROOF_HEADER]: proof })
      expect(error).toBe('PROOF_NEEDED')
    }
  })
})

describe('the secret of a hold', () => {
  it('is good for redeeming, asking and giving back only with the key of the till that holds', async () => {
    await enrol(till)
    const [first, second] = [await hold(till), await hold(till)]
    expect(first.answer.status).toBe(200)
    for (const other of [ask, thief]) {
      expect((await redeemHeld(other, first.serial, first.key)).error).toBe('PROOF_NEEDED')
      expect((await askHeld(other, first.key)).error).toBe('PROOF_NEEDED')
      expect((await cancelHeld(other, first.key)).error).toBe('PROOF_NEEDED')
      expect(await upload(other, first.serial, first.key)).toBe('PROOF_NEEDED')
    }
    expect((await askHeld(till, first.key)).data).toMatchObject({ state: 'held' })
    expect(await upload(till, first.serial, first.key)).toBe('redeemed')
    expect(await upload(till, first.serial, first.key)).toBe('replayed')
    expect((await cancelHeld(till, second.key)).status).toBe(200)
    // What it was used for is not told to another device either.
    expect(await upload(thief, first.serial, first.key)).toBe('PROOF_NEEDED')
    expect((await askHeld(ask, second.key)).error).toBe('PROOF_NEEDED')
  })

  it('of another hold is still unknown, with a proof and without', async () => {
    await enrol(till)
    const { serial, key: holdKey } = await hold(till)
    const wrong = { id: holdKey.id, secret: newHoldKey().secret }
    for (const by of [till, ask]) {
      expect((await redeemHeld(by, serial, wrong)).error).toBe('HOLD_UNKNOWN')
      expect(await upload(by, serial, wrong)).toBe('HOLD_UNKNOWN')
    }
  })

  it('of a hold from before the device had a key is as good with it as without', async () => {
    const session = await signIn(ask, actors.till)
    await nameTill(ask, session)
    const first = await hold(ask, session)
    expect(first.answer.status).toBe(200)
    // The answer was lost, and meanwhile the device has made its key.
    expect((await verifyAt(till, session.token, id, first.serial, first.key)).data.hold?.id).toBe(first.key.id)
    expect((await askHeld(till, first.key)).data).toMatchObject({ state: 'held' })
    expect(await upload(till, first.serial, first.key)).toBe('redeemed')
    expect(await upload(ask, first.serial, first.key)).toBe('replayed')
  })

  it('comes with a stale proof: the whole upload is refused with the time, and nothing is redeemed', async () => {
    await enrol(till)
    const { serial, key: holdKey } = await hold(till)
    const at = new Date(server.clock.now().getTime() - 3_600_000)
    const proof = await proofOf(key, { method: 'POST', path: '/api/voucher/upload', token: undefined, at })
    const body = { redemptions: [rowOf(serial, holdKey)] }
    const stale = await post(ask, '/api/voucher/upload', body, undefined, { [DEVICE_PROOF_HEADER]: proof })
    expect(stale).toMatchObject({ status: 401, error: 'PROOF_NEEDED' })
    expect(await upload(till, serial, holdKey)).toBe('redeemed')
  })
})

describe('the id of an enrolled till', () => {
  it('gets no hold and no name in another browser, where a cashier is logged in, and is not enrolled there', async () => {
    await enrol(till)
    const { serial } = await makeVoucher(db())
    for (const by of [thief, ask]) {
      const session = await signIn(by, actors.till)
      expect((await myInfo(by, session)).status).toBe(200)
      expect((await verifyAt(by, session.token, id, serial, newHoldKey())).error).toBe('TILL_NOT_ENROLLED')
      const named = await reply(
        await send(by, 'PUT', `/api/till/${id}`, { token: session.token, body: { name: 'Mine' } }),
      )
      expect(named.error).toBe('TILL_NOT_ENROLLED')
      expect((await get(by, `/api/till/${id}`, session.token)).data).toMatchObject({ enrolled: false })
    }
    const back = await signIn(till, actors.till)
    expect((await get(till, `/api/till/${id}`, back.token)).data).toMatchObject({ enrolled: true })
    expect((await verifyAt(till, back.token, id, serial, newHoldKey())).status).toBe(200)
  })

  it('of a page of the release before, which proves nothing, still gets holds, until its key is proved once', async () => {
    const before = await signIn(ask, actors.till)
    expect((await enrol(ask, key.publicKey, before)).status).toBe(200)
    expect((await hold(ask, before)).answer.status).toBe(200)
    const updated = await signIn(till, actors.till)
    expect((await hold(till, updated)).answer.status).toBe(200)
    const again = await signIn(ask, actors.till)
    expect((await hold(ask, again)).answer.error).toBe('TILL_NOT_ENROLLED')
  })

  it('keeps its key at the branch that it was moved to', async () => {
    await enrol(till)
    const manager = await signedInClient(ask, actors.users.HRP)
    const page = { start: 0, limit: 50, order_by: [{ column: 'attention', sort_type: 'desc' }] }
    const { data } = await manager.post<{ rows: { guid: string; till_guid: string }[] }>('/device/datatable', page)
    const row = data.rows.find(({ till_guid }) => till_guid === id)!
    await manager.post(`/device/${row.guid}/move`, { branch_guid: actors.otherBranch.id })
    const there = await signIn(ask, actors.otherTill)
    const { serial } = await makeVoucher(db())
    expect((await verifyAt(ask, there.token, id, serial, newHoldKey())).error).toBe('TILL_NOT_ENROLLED')
  })
})

it('the hash of a secret is stored tied to the key, and half of it still names the secret', async () => {
  const { storedHash } = await import('../../../server/services/redemptions/holdSecret.ts')
  const plain = hashToken(bearerOf(newHoldKey()))
  expect(storedHash(plain, undefined)).toBe(plain)
  const tied = storedHash(plain, 'a key')
  expect(tied).toMatch(/^[0-9a-f]{64}$/)
  expect(tied.slice(0, 32)).toBe(plain.slice(0, 32))
  expect(tied.slice(32)).not.toBe(plain.slice(32))
  expect(storedHash(plain, 'another key').slice(32)).not.toBe(tied.slice(32))
})
