import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import type { Batches } from '../../../server/services/redemptions/batches.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import { BACKLOG_HEADER } from '../../../src/contract/redemptions/sync.ts'
import type { Ask } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeVoucher, type Merchant } from '../../support/database/builders.ts'
import {
  askHeld,
  cancelHeld,
  newHoldKey,
  redeemHeld,
  syncRows,
  testTill,
  voidHeld,
  type TestTill,
  type HoldKey,
} from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const START = '2026-11-21T02:00:00.000Z'

let merchant: Merchant
let till: TestTill
beforeEach(async () => {
  server.clock.set(START)
  merchant = await makeMerchant(db())
  till = await testTill(ask, await makePosUser(db(), merchant), { name: 'Till 2' })
})

describe('what a till says of a hold', () => {
  it('redeems it once, with the same receipt again, whoever is logged in and however late', async () => {
    const voucher = await makeVoucher(db(), { denominationCents: 500 })
    const key = await till.hold(voucher.serial)
    server.clock.advance({ hours: 100 })
    const first = await redeemHeld(ask, key, { tapped_at: START })
    expect(first).toMatchObject({
      state: 'redeemed',
      replayed: false,
      receipt: { id: key.id, serial: voucher.serial, denomination_cents: 500, redeemed_at: START, till: 'Till 2' },
    })
    expect(await redeemHeld(ask, key)).toEqual({ ...first, replayed: true })
    expect(await askHeld(ask, key)).toEqual({ ...first, replayed: true })
    expect(await cancelHeld(ask, key), 'a cancel that comes after it').toEqual({ ...first, replayed: true })
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
  })

  it('gives the voucher back, and never redeems it after that', async () => {
    const voucher = await makeVoucher(db())
    const key = await till.hold(voucher.serial)
    expect(await askHeld(ask, key)).toMatchObject({ state: 'held', hold: { id: key.id, till: 'Till 2' } })
    const ended = { state: 'ended', by: 'cancelled', when: START }
    expect(await cancelHeld(ask, key)).toEqual(ended)
    server.clock.advance({ minutes: 1 })
    expect(await redeemHeld(ask, key)).toEqual(ended)
    await till.hold(voucher.serial)
  })

  it('of a hold that was never made keeps it from being made', async () => {
    const voucher = await makeVoucher(db())
    const key = newHoldKey()
    expect(await askHeld(ask, key)).toEqual({ state: 'unknown' })
    expect(await cancelHeld(ask, key)).toMatchObject({ state: 'ended', by: 'cancelled' })
    expect(await till.verify(voucher.serial, key)).toMatchObject({ status: 409, error: 'HOLD_ENDED' })
  })

  it('voids a redemption in its time, once, and frees the voucher', async () => {
    const voucher = await makeVoucher(db())
    const key = await till.hold(voucher.serial)
    await redeemHeld(ask, key)
    server.clock.advance({ minutes: 5 })
    const voided = await voidHeld(ask, key)
    expect(voided).toMatchObject({ state: 'voided', voided_at: '2026-11-21T02:05:00.000Z' })
    server.clock.advance({ minutes: 5 })
    expect(await voidHeld(ask, key)).toEqual(voided)
    expect(await redeemHeld(ask, key)).toEqual(voided)
    const later = await testTill(ask, await makePosUser(db(), merchant))
    const again = await later.hold(voucher.serial)
    await redeemHeld(ask, again)
    server.clock.advance({ minutes: 6 })
    expect(await voidHeld(ask, again), 'too late').toMatchObject({ state: 'redeemed' })
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
  })

  it('is judged row by row: one that cannot be read, or has another secret, keeps no other from its receipt', async () => {
    const vouchers = await Promise.all([1, 2, 3].map(() => makeVoucher(db())))
    const keys = await Promise.all(vouchers.map(({ serial }) => till.hold(serial)))
    const rows = keys.map(({ id, secret }) => ({ became: 'redeemed', id, secret }))
    const { data } = await syncRows(ask, [
      rows[2]!,
      { became: 'redeemed', id: 'no id' },
      { ...rows[1]!, secret: newHoldKey().secret },
      rows[0]!,
      { ...rows[0]!, id: randomUUID() },
      rows[0]!,
    ])
    expect(data.outcomes.map(({ state }) => state)).toEqual([
      'redeemed',
      'later',
      'unknown',
      'redeemed',
      'unknown',
      'redeemed',
    ])
    expect(await askHeld(ask, keys[1]!)).toMatchObject({ state: 'held' })
  })
})

describe('vouchers that many tills ask for at once', () => {
  it('are held by one each, and the others are told', async () => {
    const tills = await Promise.all(
      Array.from({ length: 8 }, async (_, nth) =>
        testTill(ask, await makePosUser(db(), merchant), { name: `Till ${nth}` }),
      ),
    )
    const vouchers = await Promise.all(Array.from({ length: 8 }, () => makeVoucher(db())))
    const answers = await Promise.all(
      tills.flatMap((one) => vouchers.map(({ serial }) => one.verify(serial, newHoldKey()))),
    )
    const statuses = answers.map(({ status, error }) => `${status} ${error ?? ''}`.trim()).toSorted()
    expect(statuses.filter((one) => one === '200')).toHaveLength(8)
    expect(new Set(statuses)).toEqual(new Set(['200', '409 VOUCHER_HELD']))
  })
})

describe('a server that has more backlog than it takes at one time', () => {
  const backlog = (key: HoldKey, by: Ask = ask) =>
    syncRows(by, [{ became: 'redeemed', ...key }], { [BACKLOG_HEADER]: '1' })
  const heldKeys = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => till.hold((await makeVoucher(db())).serial)))

  /** An app that settles nothing of these keys until it is let go. */
  function slowApp(slow: readonly HoldKey[]) {
    let letGo = () => undefined as void
    const isOver = new Promise<void>((resolve) => (letGo = resolve))
    const asked = new Set<string>()
    const ids = new Set(slow.map(({ id }) => id))
    const { settle, ...others } = server.deps.batches
    const batch: Batches['settle'] = Object.create(settle) as Batches['settle']
    batch.ask = async (row, isGone) => {
      asked.add(row.id)
      if (ids.has(row.id)) await isOver
      return settle.ask(row, isGone)
    }
    const app = createApp({ ...server.deps, batches: { ...others, settle: batch } })
    return { app, by: ((path, init) => app.request(path, init)) as Ask, letGo, asked }
  }

  it('lets six hundred wait, refuses the next before it reads it, and lets the counter in; all it took is in the ledger', async () => {
    const keys = await heldKeys(8)
    const [live] = await heldKeys(1)
    const { by, letGo } = slowApp(keys)
    const underWay = keys.map((key) => backlog(key, by))
    const waiting = Array.from({ length: 600 }, () => backlog(keys[0]!, by))
    const refused = await backlog(live!, by)
    expect(refused).toMatchObject({ status: 503, error: 'SERVER_BUSY' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(await redeemHeld(by, live!)).toMatchObject({ state: 'redeemed' })
    letGo()
    const told = (await Promise.all([...underWay, ...waiting])).flatMap(({ data }) => data.outcomes)
    expect(told.filter((one) => one.state === 'redeemed' && !one.replayed)).toHaveLength(8)
    expect(told.every(({ state }) => state === 'redeemed')).toBe(true)
  })

  it('leaves out what waits once its till has hung up, which says it again', async () => {
    const keys = await heldKeys(8)
    const [left] = await heldKeys(1)
    const { app, by, letGo, asked } = slowApp(keys)
    const socket = { destroyed: false, remoteAddress: '127.0.0.1' }
    const leaving: Ask = (path, init) => app.request(path, init, { incoming: { socket } })
    const underWay = keys.map((key) => backlog(key, by))
    const unheard = backlog(left!, leaving)
    await expect.poll(() => asked.size).toBe(8)
    socket.destroyed = true
    letGo()
    await Promise.all(underWay)
    expect(await unheard).toMatchObject({ status: 503, error: 'SERVER_BUSY' })
    expect(await askHeld(ask, left!)).toMatchObject({ state: 'held' })
    expect(await redeemHeld(by, left!)).toMatchObject({ state: 'redeemed', replayed: false })
  })
})

it('a call has a row, and at most a hundred', async () => {
  const row = { became: 'redeemed', ...newHoldKey(), tapped_at: START }
  const rows = Array.from({ length: LIMITS.syncRows }, () => row)
  expect(await syncRows(ask, rows)).toMatchObject({ status: 200 })
  expect((await syncRows(ask, [...rows, row])).status).toBe(422)
  expect((await syncRows(ask, [])).status).toBe(422)
})
