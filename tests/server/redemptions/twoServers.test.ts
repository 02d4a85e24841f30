import { expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { openBatches } from '../../../server/services/redemptions/batches.ts'
import { countByStatus } from '../../support/api/loggedInClient.ts'
import type { Ask } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeVouchers } from '../../support/database/builders.ts'
import { expectBalance } from '../../support/redemptions/ledgerRows.ts'
import { newHoldKey, redeemHeld, testTill, verifyAt } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import { silentLog } from '../../support/server/silentLog.ts'

const TILLS = 16

it('VCH-01: the tills of two servers check the same vouchers at once: each goes to one, and is redeemed once, wherever that is said', async ({
  onTestFinished,
}) => {
  // Each server has its own connections and batches. Only the database knows of both.
  const database = await openPostgresql(server.database.url, silentLog)
  onTestFinished(() => database.close())
  const other = createApp({ ...server.deps, database, batches: openBatches({ database, clock: server.clock }) })
  const servers: Ask[] = [ask, (path, init) => other.request(path, init)]
  const serverOf = (n: number) => servers[n % servers.length]!
  const merchant = await makeMerchant(db())
  const tills = []
  for (let n = 0; n < TILLS; n += 1) tills.push(await testTill(serverOf(n), await makePosUser(db(), merchant)))
  const serials = (await makeVouchers(db(), 6, () => ({}))).map(({ serial }) => serial)
  // Each till checks the vouchers in an order of its own, so that batches of both servers lock the same vouchers.
  const checks = tills.flatMap((till, n) =>
    serials.map((_, step) => ({ till, n, serial: serials[(n + step) % serials.length]!, key: newHoldKey() })),
  )
  const replies = await Promise.all(
    checks.map(({ till, n, serial, key }) =>
      verifyAt({ ask: serverOf(n), token: till.token, till: till.id }, serial, key),
    ),
  )
  expect(countByStatus(replies)).toEqual({ 200: serials.length, '409 VOUCHER_HELD': checks.length - serials.length })
  const isHeld = replies.map(({ status }) => status === 200)
  const outcomes = await Promise.all(servers.map((at) => Promise.all(checks.map(({ key }) => redeemHeld(at, key)))))
  for (const told of outcomes) expect(told.map(({ state }) => state === 'redeemed')).toEqual(isHeld)
  const news = outcomes.flat().filter((one) => one.state === 'redeemed' && !one.replayed)
  expect(news).toHaveLength(serials.length)
  await expectBalance()
})
