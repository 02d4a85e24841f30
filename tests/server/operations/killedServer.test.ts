import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openEmbedded } from '../../../server/db/embedded/openEmbedded.ts'
import { runningPostmaster } from '../../../server/db/embedded/takeOver.ts'
import type { Ask } from '../../support/api/portalClient.ts'
import { cuttableDisk, type CuttableDisk } from '../../support/faults/disks.ts'
import { CountingTill, outcomesOf } from '../../support/redemptions/CountingTill.ts'
import { expectLedgerMatches } from '../../support/redemptions/expectLedgerMatches.ts'
import { seedTills, vouchersOfTill } from '../../support/redemptions/seedTills.ts'
import { testTill } from '../../support/redemptions/testTill.ts'
import { freePort } from '../../support/server/freePort.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'

// Ends the server process while tills redeem, again and again. `KILL_ROUNDS` is the number of ends; a release needs 200.
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 1)
const TIMEOUT_MS = 120_000 + ROUNDS * 30_000
const TILLS = 8
const VOUCHERS_A_ROUND = 300
const ROUNDS_A_TOKEN = 40
/** Processor time, which does not depend on how busy the machine is. */
const RESTART_SECONDS = 5

interface Place extends Pick<ServerEnvironment, 'open'> {
  env: Record<string, string>
  /** Ends the server at a random moment. */
  end: (server: ServerProcess) => Promise<void>
}

/** Lets all tills redeem until the server ends, starts it again, and lets the tills ask for the answers that they missed. */
async function endAgainAndAgain({ env, end, ...at }: Place): Promise<{ tills: CountingTill[]; seals: number }> {
  const { cashiers, serials } = await seedTills(at, TILLS, ROUNDS * VOUCHERS_A_ROUND)
  const port = await freePort()
  let server = await startServer(env, port)
  try {
    const ask: Ask = server.ask
    const tills: CountingTill[] = []
    for (const cashier of cashiers) tills.push(new CountingTill(ask, await testTill(ask, cashier)))
    const acknowledged = () => tills.reduce((sum, { journal }) => sum + journal.size, 0)
    for (let round = 0; round < ROUNDS; round++) {
      if (round % ROUNDS_A_TOKEN === ROUNDS_A_TOKEN - 1)
        for (const [n, till] of tills.entries()) till.goOnAs(await testTill(ask, cashiers[n]!))
      const share = serials.slice(round * VOUCHERS_A_ROUND, (round + 1) * VOUCHERS_A_ROUND)
      const before = acknowledged()
      const atWork = tills.map((till, number) => till.redeemUntilDeath(vouchersOfTill(number, TILLS, share)))
      while (acknowledged() === before) await sleep(1)
      await sleep(Math.random() * 250)
      await end(server)
      await Promise.all(atWork)
      expect(acknowledged()).toBeLessThan(before + share.length)
      server = await startServer(env, port)
      expect(server.cpuSeconds(), 'the restart').toBeLessThan(RESTART_SECONDS)
      await Promise.all(tills.map((till) => till.askAgain()))
    }
    expect(await server.stop()).toBe(0)
    return { tills, seals: await expectLedgerMatches(at, tills) }
  } finally {
    await server.kill()
  }
}

it(
  'FLT-01: a server killed in the middle of redemptions has every acknowledged one after its restart, and no voucher twice',
  async ({ onTestFinished }) => {
    const at = await serverEnvironment()
    onTestFinished(() => at.remove())
    const { tills, seals } = await endAgainAndAgain({ ...at, end: async (server) => void (await server.kill()) })
    // PostgreSQL ran all the time.
    expect([...outcomesOf(tills).keys()].filter((outcome) => outcome.startsWith('5'))).toEqual([])
    expect(seals, 'seals').toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)

const probe = cuttableDisk()
probe?.remove()

it.runIf(probe)(
  'FLT-18: a server with a PostgreSQL of its own has every acknowledged redemption after a power cut in the middle of them, and no voucher twice',
  async ({ onTestFinished }) => {
    const disk = cuttableDisk()!
    onTestFinished(() => disk.remove())
    const { tills } = await endAgainAndAgain({
      env: { DATA_DIR: disk.folder, DEMO: 'off', MFA: 'optional' },
      open: () => openEmbedded(disk.folder, silentLog, { by: 'server' }),
      end: (server) => cutPower(disk, server),
    })
    expect(Math.max(...tills.map(({ journal }) => journal.size))).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)

async function cutPower(disk: CuttableDisk, server: ServerProcess): Promise<void> {
  const postmaster = runningPostmaster(`${disk.folder}/postgres/data`)!
  disk.cut()
  await server.kill()
  process.kill(postmaster.pid, 'SIGKILL')
  // Waits until the last process of PostgreSQL has closed its files on the disk.
  await expect.poll(() => tryPowerOn(disk), { timeout: 20_000 }).toBe('on')
}

function tryPowerOn(disk: CuttableDisk): string {
  try {
    disk.powerOn()
    return 'on'
  } catch (error) {
    return (error as Error).message
  }
}
