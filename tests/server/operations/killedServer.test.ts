import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Ask } from '../../support/api/portalClient.ts'
import { CountingTill, expectLedgerMatches, outcomesOf } from '../../support/redemptions/CountingTill.ts'
import { seedTills, vouchersOfTill } from '../../support/redemptions/seedTills.ts'
import { testTill } from '../../support/redemptions/testTill.ts'
import { freePort } from '../../support/server/freePort.ts'
import { serverEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'

// The server itself, as an operator starts it, killed while tills redeem (FLT-01). `KILL_ROUNDS` raises the number of kills;
// a release wants 200.
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 2)
const TILLS = 8
const VOUCHERS_A_ROUND = 300
const ROUNDS_A_TOKEN = 40
/** Of processor time: a busy machine says nothing about the server. */
const RESTART_SECONDS = 5

/** Everybody redeems until the server dies at a moment nobody chose. */
async function redeemUntilKilled(server: ServerProcess, tills: CountingTill[], serials: readonly string[]) {
  const acknowledged = () => tills.reduce((sum, { journal }) => sum + journal.size, 0)
  const before = acknowledged()
  const atWork = tills.map((till, number) => till.redeemUntilDeath(vouchersOfTill(number, TILLS, serials)))
  while (acknowledged() === before) await sleep(1)
  await sleep(Math.random() * 250)
  await server.kill()
  await Promise.all(atWork)
  expect(acknowledged()).toBeLessThan(before + serials.length)
}

it(
  'FLT-01: a server killed in the middle of redemptions has every acknowledged one after its restart, and no voucher twice',
  async () => {
    const at = await serverEnvironment()
    const { cashiers, serials } = await seedTills(at, TILLS, ROUNDS * VOUCHERS_A_ROUND)
    const port = await freePort()
    let server = await startServer(at.env, port)
    try {
      const ask: Ask = server.ask
      const tills: CountingTill[] = []
      for (const cashier of cashiers) tills.push(new CountingTill(ask, await testTill(ask, cashier)))
      for (let round = 0; round < ROUNDS; round++) {
        if (round % ROUNDS_A_TOKEN === ROUNDS_A_TOKEN - 1)
          for (const [n, till] of tills.entries()) till.goOnAs(await testTill(ask, cashiers[n]!))
        await redeemUntilKilled(server, tills, serials.slice(round * VOUCHERS_A_ROUND, (round + 1) * VOUCHERS_A_ROUND))
        server = await startServer(at.env, port)
        expect(server.cpuSeconds(), 'the restart').toBeLessThan(RESTART_SECONDS)
        await Promise.all(tills.map((till) => till.askAgain()))
      }
      await server.stop()
      // Its database was there all the time.
      expect([...outcomesOf(tills).keys()].filter((outcome) => outcome.startsWith('5'))).toEqual([])
      expect(await expectLedgerMatches(at, tills), 'seals').toBeGreaterThan(1)
    } finally {
      await server.kill()
      await at.remove()
    }
  },
  120_000 + ROUNDS * 30_000,
)
