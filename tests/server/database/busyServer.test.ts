import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, type Ask, type Reply } from '../../support/api/portalClient.ts'
import { makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { newHoldKey, redeemHeld, testTill, type TestTill, replyAbout } from '../../support/redemptions/testTill.ts'
import { testServer, type TestServer } from '../../support/server/testServer.ts'

/** One for each connection of the pool that everybody asks first, and one that waits. */
const QUESTIONS = 21

describe('a server that is asked more than its database can answer', () => {
  let server: TestServer
  let ask: Ask
  let till: TestTill
  beforeAll(async () => {
    server = await testServer({}, { refusesWhenBusy: true })
    ask = server.ask
    till = await testTill(ask, await makePosUser(server.database.db))
  })
  afterAll(() => server.close())

  /** Keeps every connection, with one more question in the line for `ms`, while `look` looks. */
  async function whileOneWaits<T>(ms: number, look: () => Promise<T>): Promise<T> {
    const { db, longestWaitMs } = server.database
    let letGo = () => undefined as void
    const isOver = new Promise<void>((resolve) => (letGo = resolve))
    const kept = Array.from({ length: QUESTIONS }, () => db.transaction(() => isOver))
    while (longestWaitMs() < ms) await sleep(1)
    const seen = look()
    // What it asks is refused at once, or waits for this.
    await Promise.race([seen, sleep(300)])
    letGo()
    await Promise.all(kept)
    return seen
  }

  const myInfo = () => get(ask, '/api/account/my_info', till.token)

  function expectBusy({ status, error, headers }: Reply): void {
    expect({ status, error }).toEqual({ status: 503, error: 'SERVER_BUSY' })
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(15)
  }

  it('refuses at once what the line would keep waiting, tells when to come again, and has room when the line is gone', async () => {
    await whileOneWaits(100, async () => {
      expectBusy(await myInfo())
      expect(server.database.longestWaitMs()).toBeGreaterThan(100)
    })
    expect((await myInfo()).status).toBe(200)
  })

  it('lets a moment pass as it is: who comes early in the line is answered', async () => {
    expect((await whileOneWaits(1, myInfo)).status).toBe(200)
  })

  it('lets counters go on when it refuses others, and a redemption of then is in the ledger once', async () => {
    const { serial } = await makeVoucher(server.database.db)
    const key = newHoldKey()
    const [verified, other] = await whileOneWaits(100, () => Promise.all([till.verify(serial, key), myInfo()]))
    expect(verified.status).toBe(200)
    expectBusy(other)
    const redeemed = await whileOneWaits(100, () => redeemHeld(ask, key))
    expect(redeemed).toMatchObject({ state: 'redeemed', replayed: false })
    expect(await redeemHeld(ask, key)).toEqual({ ...redeemed, replayed: true })
  })

  it('refuses counters too when the line is theirs, and takes nothing then', async () => {
    const { serial } = await makeVoucher(server.database.db)
    const key = await till.hold(serial)
    expectBusy(await whileOneWaits(750, () => replyAbout(ask, key, 'redeemed')))
    expect(await redeemHeld(ask, key)).toMatchObject({ state: 'redeemed', replayed: false })
  })

  it('tells a crowd to come back one after the other, and a single caller the least', async () => {
    const crowd = async () => Promise.all(Array.from({ length: 1_000 }, myInfo))
    const told = (await whileOneWaits(100, crowd)).map(({ headers }) => Number(headers.get('retry-after')))
    expect(told[0]).toBe(1)
    // A hundred a second until more is known.
    for (let second = 2; second <= 10; second += 2) {
      const back = told.filter((at) => at >= second && at < second + 2).length
      expect(back).toBeGreaterThan(100)
      expect(back).toBeLessThan(300)
    }
  })

  it('always says how it is, and that it is busy is counted', async () => {
    await whileOneWaits(750, async () => {
      expect((await get(ask, '/api/health')).status).toBe(200)
      expectBusy(await myInfo())
    })
    expect((await get(ask, '/api/ready')).status).toBe(200)
    expect(await server.deps.metrics.text()).toMatch(/route="\/account\/my_info",status="503",error="SERVER_BUSY"/)
  })
})
