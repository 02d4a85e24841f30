import { inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Database, Statement } from '../../../server/db/engine/Database.ts'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { voucher } from '../../../server/db/schema/vouchers.ts'
import { countByStatus } from '../../support/api/signedInClient.ts'
import { makeMerchant, makePosUser } from '../../support/database/builders.ts'
import { seedVouchers } from '../../support/redemptions/seedTills.ts'
import {
  askHeld,
  newHoldKey,
  redeemHeld,
  testTill,
  verifyAt,
  type HoldKey,
  type TestTill,
} from '../../support/redemptions/testTill.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'

// Each process has batches of its own; only the database knows of both.

const TILLS = 16

let at: ServerEnvironment
let database: Database
let servers: ServerProcess[] = []
const tills: TestTill[] = []

beforeAll(async () => {
  at = await serverEnvironment()
  database = await at.open()
  // Tokens are good at both, as behind one address.
  const env = { ...at.env, PUBLIC_URL: 'http://127.0.0.1:8080' }
  servers = [await startServer(env), await startServer(env)]
  const merchant = await makeMerchant(database.db)
  for (let n = 0; n < TILLS; n += 1) {
    tills.push(await testTill(servers[n % 2]!.ask, await makePosUser(database.db, merchant)))
  }
}, 180_000)

afterAll(async () => {
  for (const server of servers) await server.kill()
  await database?.close()
  await at?.remove()
})

const serverOf = (n: number) => servers[n % servers.length]!.ask
const makeSerials = (count: number) => seedVouchers(at, count)

const WAITING: Statement<[], { count: number }> = {
  name: 'waiting_for_locks',
  text: `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
}

it(
  'VCH-01: the tills of two servers check the same vouchers at once: each goes to one, and is redeemed once, wherever that is said',
  { timeout: 120_000 },
  async () => {
    const serials = await makeSerials(6)
    // Each till in an order of its own: batches of both lock the same vouchers.
    const checks = tills.flatMap((till, n) =>
      serials.map((_, step) => ({ till, n, serial: serials[(n + step) % serials.length]!, key: newHoldKey() })),
    )
    const replies = await Promise.all(
      checks.map(({ till, n, serial, key }) => verifyAt(serverOf(n), till.token, till.id, serial, key)),
    )
    expect(countByStatus(replies)).toEqual({ 200: serials.length, '409 VOUCHER_HELD': checks.length - serials.length })
    const isHeld = replies.map(({ status }) => status === 200)
    const outcomes = await Promise.all(
      [0, 1].map((server) => Promise.all(checks.map(({ key }) => redeemHeld(serverOf(server), key)))),
    )
    for (const told of outcomes) expect(told.map(({ state }) => state === 'redeemed')).toEqual(isHeld)
    const news = outcomes.flat().filter((one) => one.state === 'redeemed' && !one.replayed)
    expect(news).toHaveLength(serials.length)
    expect(await ledgerCheck(database)).toMatchObject({ balanced: true, ledger_rows: serials.length })
  },
)

it('what waits for a batch when its server stops is still answered', { timeout: 120_000 }, async () => {
  const [server, other] = [servers[0]!, servers[1]!]
  const serials = await makeSerials(34)
  const keys: HoldKey[] = []
  for (const [n, serial] of serials.entries()) {
    const till = tills[n % TILLS]!
    const key = newHoldKey()
    expect(await verifyAt(other.ask, till.token, till.id, serial, key)).toMatchObject({ status: 200 })
    keys.push(key)
  }
  const { told, stopped } = await database.db.transaction(async (tx) => {
    await tx
      .select()
      .from(voucher)
      .where(inArray(voucher.serial, serials.slice(0, 2)))
      .for('update')
    const gates = []
    for (const [n, key] of keys.slice(0, 2).entries()) {
      gates.push(redeemHeld(server.ask, key))
      await vi.waitUntil(async () => (await database.run(WAITING, []))[0]!.count === n + 1, { timeout: 10_000 })
    }
    const waiting = keys.slice(2).map((key) => redeemHeld(server.ask, key))
    // The server has read them once it answers what was asked after them.
    for (let round = 0; round < 3; round += 1) await server.ask('/api/health')
    const stopped = server.stop()
    await vi.waitUntil(() =>
      server.ask('/api/ready').then(
        ({ ok }) => !ok,
        () => true,
      ),
    )
    // In an object, or the transaction would wait for what waits for it.
    return { told: Promise.all([...gates, ...waiting]), stopped }
  })
  expect((await told).map((one) => one.state === 'redeemed' && !one.replayed)).toEqual(keys.map(() => true))
  expect(await stopped).toBe(0)
  for (const key of keys) expect(await askHeld(other.ask, key)).toMatchObject({ state: 'redeemed' })
  expect(await ledgerCheck(database)).toMatchObject({ balanced: true })
})
