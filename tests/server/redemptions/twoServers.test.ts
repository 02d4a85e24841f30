import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../server/db/engine/Database.ts'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { countByStatus } from '../../support/api/signedInClient.ts'
import { makeMerchant, makePosUser } from '../../support/database/builders.ts'
import { seedVouchers } from '../../support/redemptions/seedTills.ts'
import { newHoldKey, redeemHeld, testTill, verifyAt, type TestTill } from '../../support/redemptions/testTill.ts'
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
