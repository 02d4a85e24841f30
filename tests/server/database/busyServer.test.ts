import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Queues } from '../../../server/services/queues.ts'
import { get, type Ask, type Reply } from '../../support/api/portalClient.ts'
import { makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { newHoldKey, redeemHeld, testTill, type TestTill, replyAbout } from '../../support/redemptions/testTill.ts'
import { testServer, type TestServer } from '../../support/server/testServer.ts'

describe('a server that is asked more than it can answer', () => {
  let server: TestServer
  let ask: Ask
  let till: TestTill
  const leaves: (() => void)[] = []
  beforeAll(async () => {
    server = await testServer({}, { refusesWhenBusy: true })
    ask = server.ask
    till = await testTill(ask, await makePosUser(server.database.db))
  })
  afterEach(() => leaves.splice(0).forEach((leave) => leave()))
  afterAll(() => server.close())

  const myInfo = () => get(ask, '/api/account/my_info', till.token)

  /** Fills a queue and its waiting places. They come free when the test ends, or when the wait is over. */
  async function fill(name: keyof Queues): Promise<void> {
    const queue = server.deps.queues[name]
    for (let n = 0; !queue.isFull(`filler ${n}`); n += 1) {
      const taken = queue.take({ key: `filler ${n}` }).then((leave) => void leaves.push(leave))
      taken.catch(() => undefined)
      await Promise.resolve()
    }
  }

  function expectBusy({ status, error, headers }: Reply): void {
    expect({ status, error }).toEqual({ status: 503, error: 'SERVER_BUSY' })
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(15)
  }

  /** Holds all 20 connections to the database while `look` runs, until it calls `letGo`. */
  async function whileKept<T>(look: (letGo: () => void) => Promise<T>): Promise<T> {
    const { db, pools } = server.database
    let letGo = () => undefined as void
    const isOver = new Promise<void>((resolve) => (letGo = resolve))
    const kept = Array.from({ length: 20 }, () => db.transaction(() => isOver))
    await vi.waitFor(() => expect(pools().find(({ pool }) => pool === 'portal')).toMatchObject({ busy: 20 }))
    try {
      return await look(letGo)
    } finally {
      letGo()
      await Promise.all(kept)
    }
  }

  it('answers what has a place, refuses at once what finds no room, and after half a second who waits in vain', async () => {
    const { others } = server.deps.queues
    const answers = await whileKept(async (letGo) => {
      const all = Array.from({ length: 200 }, myInfo)
      await vi.waitFor(() => expect(others.state()).toEqual({ running: 80, waiting: 100 }))
      await vi.waitFor(() => expect(others.state()).toEqual({ running: 80, waiting: 0 }))
      letGo()
      return Promise.all(all)
    })
    const [answered, refused] = [200, 503].map((status) => answers.filter((one) => one.status === status))
    expect([answered!.length, refused!.length]).toEqual([80, 120])
    refused!.forEach(expectBusy)
    expect((await myInfo()).status).toBe(200)
  })

  it('lets counters go on when it refuses others, and a redemption of then is in the ledger once', async () => {
    await fill('others')
    const { serial } = await makeVoucher(server.database.db)
    const key = newHoldKey()
    expectBusy(await myInfo())
    expect((await till.verify(serial, key)).status).toBe(200)
    const redeemed = await redeemHeld(ask, key)
    expect(redeemed).toMatchObject({ state: 'redeemed', replayed: false })
    expect(await redeemHeld(ask, key)).toEqual({ ...redeemed, replayed: true })
  })

  it('refuses counters too when the queue is theirs, and takes nothing then', async () => {
    const { serial } = await makeVoucher(server.database.db)
    const key = await till.hold(serial)
    await fill('counter')
    expectBusy(await replyAbout(ask, key, 'redeemed'))
    leaves.splice(0).forEach((leave) => leave())
    await vi.waitFor(() => expect(server.deps.queues.counter.state().waiting).toBe(0))
    leaves.splice(0).forEach((leave) => leave())
    expect(await redeemHeld(ask, key)).toMatchObject({ state: 'redeemed', replayed: false })
  })

  it('tells a crowd to come back one after the other, and a single caller the least', async () => {
    await fill('others')
    const told: number[] = []
    for (let n = 0; n < 1_000; n += 1) told.push(Number((await myInfo()).headers.get('retry-after')))
    expect(told[0]).toBe(1)
    // About a hundred callers a second are told to come back, until the server has measured its speed.
    for (let second = 2; second <= 6; second += 2) {
      const back = told.filter((at) => at >= second && at < second + 2).length
      expect(back).toBeGreaterThan(100)
      expect(back).toBeLessThan(400)
    }
  })

  it('always says how it is, and that it is busy is counted', async () => {
    await Promise.all([fill('others'), fill('counter'), fill('uploads')])
    expect((await get(ask, '/api/health')).status).toBe(200)
    expectBusy(await myInfo())
    expect((await get(ask, '/api/ready')).status).toBe(200)
    expect(await server.deps.metrics.text()).toMatch(/route="\/account\/my_info",status="503",error="SERVER_BUSY"/)
  })
})
