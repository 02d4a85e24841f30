import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Ask } from '../../support/api/portalClient.ts'
import { CountingTill, LONG_RUN, outcomesOf } from '../../support/redemptions/CountingTill.ts'
import { expectLedgerMatches } from '../../support/redemptions/expectLedgerMatches.ts'
import { seedTills, vouchersOfTill } from '../../support/redemptions/seedTills.ts'
import { testTill } from '../../support/redemptions/testTill.ts'
import { freePort } from '../../support/server/freePort.ts'
import { serverEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer } from '../../support/server/serverProcess.ts'

const STOPS = LONG_RUN ? 20 : 1
const TILLS = 16
/** All tills together send a hundred requests a second. */
const EVERY_MS = (1_000 / 100) * TILLS
const VOUCHERS_A_STOP = 800
const STOP_MS = 10_000
const EXPECTED = ['200', '409 VOUCHER_HELD', '409 VOUCHER_ALREADY_USED', 'ECONNREFUSED']

it(
  'FLT-09: a stop under load answers everything it took on, ends in 10 s, and closes the database with all of it',
  async () => {
    const at = await serverEnvironment()
    const { cashiers, serials } = await seedTills(at, TILLS, STOPS * VOUCHERS_A_STOP)
    const port = await freePort()
    let server = await startServer(at.env, port)
    try {
      const ask: Ask = server.ask
      const tills: CountingTill[] = []
      for (const cashier of cashiers) tills.push(new CountingTill(ask, await testTill(ask, cashier)))
      const acknowledged = () => tills.reduce((sum, { journal }) => sum + journal.size, 0)
      for (let stop = 0; stop < STOPS; stop++) {
        if (stop > 0) server = await startServer(at.env, port)
        const now = serials.slice(stop * VOUCHERS_A_STOP, (stop + 1) * VOUCHERS_A_STOP)
        const before = acknowledged()
        const atWork = tills.map((till, n) => till.redeemUntilDeath(vouchersOfTill(n, TILLS, now), EVERY_MS))
        while (acknowledged() - before < TILLS) await sleep(1)
        const asked = performance.now()
        expect(await server.stop()).toBe(0)
        expect(performance.now() - asked).toBeLessThan(STOP_MS)
        await Promise.all(atWork)
        expect(tills.map(({ lineEnded }) => lineEnded)).toEqual(tills.map(() => 'ECONNREFUSED'))
        await expectLedgerMatches(at, tills)
      }
      expect([...outcomesOf(tills).keys()].filter((outcome) => !EXPECTED.includes(outcome))).toEqual([])
    } finally {
      await server.kill()
      await at.remove()
    }
  },
  120_000 + STOPS * 30_000,
)
