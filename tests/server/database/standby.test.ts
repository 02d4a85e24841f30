import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import type { MyDay } from '../../../src/contract/redemptions/counter.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import type { Voucher, VoucherRow } from '../../../src/contract/vouchers.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { get, post, logIn, type Ask, type Reply } from '../../support/api/portalClient.ts'
import { startPostgres, type Postgres } from '../../support/database/postgres.ts'
import { addStandby, type Standby } from '../../support/database/standby.ts'
import { seedTills } from '../../support/redemptions/seedTills.ts'
import { newHoldKey, replyAbout, testTill, type HoldKey, type TestTill } from '../../support/redemptions/testTill.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'

const RECOVERY_MS = 5_000
const METRICS_TOKEN = 'a-token-of-metrics-long-enough'

describe('a server whose commits wait for a standby', () => {
  let postgres: Postgres
  let standby: Standby
  let at: ServerEnvironment
  let server: ServerProcess
  let till: TestTill
  let main: string
  let serials: string[]
  const ask: Ask = (path, init) => server.ask(path, init)
  const ready = () => get(ask, '/api/ready')
  const untilReady = () => until(ready, (answer) => answer.status === 200)
  const redeem = (key: HoldKey) => replyAbout(ask, key, 'redeemed')
  const asking = (key: HoldKey) => replyAbout(ask, key, 'asking')
  const is = (outcome: object) => ({ status: 200, data: { outcomes: [outcome] } })
  const guidOf = async (serial: string) => {
    const query = { start: 0, limit: 10, search_str: serial }
    return (await post<TablePage<VoucherRow>>(ask, '/api/voucher/datatable', query, main)).data.rows[0]!.guid
  }
  const history = (guid: string) => get<Voucher>(ask, `/api/voucher/get/${guid}`, main)
  const myDay = () => get<MyDay>(ask, `/api/voucher/my_day?day=${singaporeDay(new Date())}`, till.token)

  beforeAll(async () => {
    postgres = await startPostgres({ version: 'oldest' })
    at = await serverEnvironment({ server: postgres.url('postgres') })
    standby = await addStandby(postgres)
    server = await startServer({ ...at.env, METRICS_TOKEN })
    const seeded = await seedTills(at, 1, 200)
    serials = seeded.serials
    till = await testTill(ask, seeded.cashiers[0]!)
    main = (await logIn(ask, seeded.main)).token
  })
  afterAll(async () => {
    await server.kill()
    await standby.remove()
    await at.remove()
    await postgres.stop()
  })
  beforeEach(async () => {
    await standby.come()
    await untilReady()
  })

  async function until<T>(look: () => Promise<T>, is: (found: T) => boolean): Promise<T> {
    const deadline = Date.now() + RECOVERY_MS
    for (;;) {
      const found = await look()
      if (is(found)) return found
      if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(found)}`)
      await sleep(10)
    }
  }

  /** Sends a call and breaks off its commit while it waits. */
  async function brokenOff(asked: Promise<Reply>): Promise<Reply> {
    await until(standby.waiting, (count) => count > 0)
    await standby.cancelWaitingCommits()
    return asked
  }

  const unavailable = (answers: Reply[]) => {
    for (const { status, headers } of answers) {
      expect(status).toBe(503)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
  }

  it('FLT-19: gives no receipt for a redemption whose wait was broken off, nor when it is asked for again, until the standby has it', async () => {
    const serial = serials.pop()!
    const guid = await guidOf(serial)
    const key = await till.hold(serial)
    await standby.leave()
    unavailable([await brokenOff(redeem(key))])

    const asked = [redeem(key), asking(key), myDay(), history(guid)]
    unavailable(await Promise.all(asked))

    await standby.come()
    await untilReady()
    expect(await redeem(key)).toMatchObject(is({ state: 'redeemed', receipt: { id: key.id } }))
    expect(await asking(key)).toMatchObject(is({ state: 'redeemed' }))
    expect((await history(guid)).data.history).toMatchObject([{ event: 'Redeemed' }])
    expect((await myDay()).data.rows.map(({ id }) => id)).toContain(key.id)
  })

  it('FLT-19: says of a hold, its cancelling and a void no more than the standby has', async () => {
    const [held, cancelled, redeemed] = [newHoldKey(), newHoldKey(), newHoldKey()]
    const [first, second, third] = serials.splice(0, 3) as [string, string, string]
    for (const [serial, key] of [
      [second, cancelled],
      [third, redeemed],
    ] as const)
      await till.verify(serial, key)
    expect(await redeem(redeemed)).toMatchObject(is({ state: 'redeemed' }))
    const acts = {
      hold: () => till.verify(first, held),
      cancel: () => replyAbout(ask, cancelled, 'cancelled'),
      void: () => replyAbout(ask, redeemed, 'voided'),
    }
    await standby.leave()
    // The server has not noticed yet that the standby is away.
    const asked = Object.values(acts).map((act) => act())
    await until(standby.waiting, (count) => count >= asked.length)
    await standby.cancelWaitingCommits()
    unavailable(await Promise.all(asked))
    unavailable(await Promise.all([asking(held), asking(cancelled), asking(redeemed)]))
    unavailable(await Promise.all(Object.values(acts).map((act) => act())))

    await standby.come()
    await untilReady()
    expect(await asking(held)).toMatchObject(is({ state: 'held' }))
    expect(await asking(cancelled)).toMatchObject(is({ state: 'ended', by: 'cancelled' }))
    expect(await asking(redeemed)).toMatchObject(is({ state: 'voided' }))
  })

  it('FLT-20: refuses writes at once while it is away, says why, reads on, keeps no place waiting, and works when it is back', async () => {
    const keys = await Promise.all(serials.splice(0, 8).map((serial) => till.hold(serial)))
    await standby.leave()
    const rush = await Promise.all(keys.map(redeem))
    unavailable(rush)
    expect(await ready()).toMatchObject({ status: 503, error: 'DB_UNAVAILABLE', data: { primary: 'standby away' } })
    expect(server.printed()).toContain('"state":"standby away"')
    expect(
      await (await ask('/api/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text(),
    ).toContain('portal_database_writability{state="standby away"} 1')
    // Only the server's own check may be waiting.
    await until(standby.waiting, (count) => count <= 1)

    for (const key of keys) {
      const started = performance.now()
      expect(await redeem(key)).toMatchObject({ status: 503, error: 'SERVER_BUSY' })
      expect(performance.now() - started).toBeLessThan(500)
    }
    expect(await get(ask, '/api/account/my_info', till.token)).toMatchObject({ status: 200 })

    await standby.come()
    await untilReady()
    const after = await Promise.all(keys.map(redeem))
    expect(after.map(({ status }) => status)).toEqual(keys.map(() => 200))
    const database = await at.open()
    expect(await ledgerCheck(database)).toMatchObject({ balanced: true })
    await database.close()
  })

  it('FLT-21: has become read-only is unavailable and no defect, reads on, and works again on the primary', async () => {
    const serial = serials.pop()!
    const key = await till.hold(serial)
    await postgres.configure({ default_transaction_read_only: 'on' })
    // Each process of PostgreSQL reads the new setting a moment later.
    expect(await until(ready, ({ status }) => status === 503)).toMatchObject({ data: { primary: 'read only' } })
    unavailable([await redeem(key)])
    expect(await get(ask, '/api/account/my_info', till.token)).toMatchObject({ status: 200 })
    await postgres.configure({ default_transaction_read_only: 'off' })
    await untilReady()
    expect(await redeem(key)).toMatchObject(is({ state: 'redeemed' }))
    expect(server.printed()).not.toContain('unexpected_error')
  })
})
