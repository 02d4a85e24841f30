import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmbedded } from '../../../server/db/embedded/openEmbedded.ts'
import { runningPostmaster } from '../../../server/db/embedded/Postmaster.ts'
import type { Ask } from '../../support/api/portalClient.ts'
import { cuttableDisk, type CuttableDisk } from '../../support/faults/disks.ts'
import { CountingTill, expectLedgerMatches } from '../../support/redemptions/CountingTill.ts'
import { seedTills, vouchersOfTill } from '../../support/redemptions/seedTills.ts'
import { testTill } from '../../support/redemptions/testTill.ts'
import { freePort } from '../../support/server/freePort.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'

// `KILL_ROUNDS` raises the number of power cuts; a release wants 200.
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 2)
const TILLS = 8
const VOUCHERS_A_ROUND = 300
const ROUNDS_A_TOKEN = 40

const probe = cuttableDisk()
probe?.remove()

describe.runIf(probe)('a server with a PostgreSQL of its own', () => {
  let disk: CuttableDisk
  let env: Record<string, string>
  const at = { open: () => openEmbedded(disk.folder, silentLog, { by: 'server' }) }
  beforeAll(() => {
    disk = cuttableDisk()!
    env = { DATA_DIR: disk.folder, DEMO: 'off', MFA: 'optional' }
  })
  afterAll(() => disk.remove())

  /** Everybody redeems until the power goes at a moment nobody chose; then the machine starts again. */
  async function redeemUntilPowerCut(server: ServerProcess, tills: CountingTill[], serials: readonly string[]) {
    const acknowledged = () => tills.reduce((sum, { journal }) => sum + journal.size, 0)
    const before = acknowledged()
    const postmaster = runningPostmaster(`${disk.folder}/postgres/data`)!
    const atWork = tills.map((till, number) => till.redeemUntilDeath(vouchersOfTill(number, TILLS, serials)))
    while (acknowledged() === before) await sleep(1)
    await sleep(Math.random() * 250)
    disk.cut()
    await server.kill()
    process.kill(postmaster.pid, 'SIGKILL')
    await Promise.all(atWork)
    expect(acknowledged()).toBeLessThan(before + serials.length)
    // The last of its processes lets go of the disk.
    await expect.poll(() => tryPowerOn(), { timeout: 20_000 }).toBe('on')
  }

  function tryPowerOn(): string {
    try {
      disk.powerOn()
      return 'on'
    } catch (error) {
      return (error as Error).message
    }
  }

  it(
    'FLT-18: has every acknowledged redemption after a power cut in the middle of them, and no voucher twice',
    async () => {
      const { cashiers, serials } = await seedTills(at, TILLS, ROUNDS * VOUCHERS_A_ROUND)
      const port = await freePort()
      let server = await startServer(env, port)
      try {
        const ask: Ask = server.ask
        const tills: CountingTill[] = []
        for (const cashier of cashiers) tills.push(new CountingTill(ask, await testTill(ask, cashier)))
        for (let round = 0; round < ROUNDS; round++) {
          if (round % ROUNDS_A_TOKEN === ROUNDS_A_TOKEN - 1)
            for (const [n, till] of tills.entries()) till.goOnAs(await testTill(ask, cashiers[n]!))
          const share = serials.slice(round * VOUCHERS_A_ROUND, (round + 1) * VOUCHERS_A_ROUND)
          await redeemUntilPowerCut(server, tills, share)
          server = await startServer(env, port)
          await Promise.all(tills.map((till) => till.askAgain()))
        }
        expect(await server.stop()).toBe(0)
        await expectLedgerMatches(at, tills)
      } finally {
        await server.kill()
      }
    },
    120_000 + ROUNDS * 30_000,
  )
})
