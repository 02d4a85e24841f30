import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { BoundedQueue } from '../../../server/services/BoundedQueue.ts'
import type { Batches } from '../../../server/services/redemptions/batches.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import { BACKLOG_HEADER } from '../../../src/contract/redemptions/sync.ts'
import type { Ask } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeVoucher, type Merchant } from '../../support/database/builders.ts'
import {
  askHeld,
  newHoldKey,
  redeemHeld,
  syncRows,
  testTill,
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

describe('a server that has more backlog than it takes at one time', () => {
  const backlog = (key: HoldKey, by: Ask = ask) =>
    syncRows(by, [{ became: 'redeemed', ...key }], { [BACKLOG_HEADER]: '1' })
  const heldKeys = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => till.hold((await makeVoucher(db())).serial)))

  /** Makes an app with 8 upload places and 60 waiting places. It does not settle the keys in `slow` until `letGo` is called. */
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
    const queues = { ...server.deps.queues, uploads: new BoundedQueue({ atOnce: 8, waiting: 60 }) }
    const app = createApp({ ...server.deps, queues, batches: { ...others, settle: batch } })
    return { app, by: ((path, init) => app.request(path, init)) as Ask, letGo, asked }
  }

  it('lets sixty wait, refuses the next before it reads it, and lets the counter in; all it took is in the ledger', async () => {
    const keys = await heldKeys(8)
    const [live] = await heldKeys(1)
    const { by, letGo } = slowApp(keys)
    const underWay = keys.map((key) => backlog(key, by))
    const waiting = Array.from({ length: 60 }, () => backlog(keys[0]!, by))
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
