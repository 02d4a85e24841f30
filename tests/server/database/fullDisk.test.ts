import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { embeddedStore } from '../../../server/store/embeddedStore.ts'
import { get, type Ask } from '../../support/api/portalClient.ts'
import { startPostgres, type Postgres } from '../../support/database/postgres.ts'
import { smallDisk, type SmallDisk } from '../../support/faults/disks.ts'
import { CountingTill, outcomesOf } from '../../support/redemptions/CountingTill.ts'
import { expectLedgerMatches } from '../../support/redemptions/expectLedgerMatches.ts'
import { seedTills, vouchersOfTill } from '../../support/redemptions/seedTills.ts'
import { testTill, type TestTill } from '../../support/redemptions/testTill.ts'
import { fakeClock } from '../../support/server/fakeClock.ts'
import { serverEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer } from '../../support/server/serverProcess.ts'

const MEGABYTES = 400
const TILLS = 4
const EVERY_MS = 20
const VOUCHERS_A_TROUBLE = 2_000
const EXPECTED = ['200', '409 VOUCHER_HELD', '409 HOLD_LIMIT', '409 VOUCHER_ALREADY_USED', '503 DB_UNAVAILABLE']

const probe = smallDisk(1)
probe?.remove()

interface Trouble {
  begin(): void | Promise<void>
  /** Runs while the database cannot store anything. */
  meanwhile(ask: Ask, token: string): Promise<void>
  end(): void | Promise<void>
}

/** Lets tills redeem before, during and after each trouble. Expects that the ledger matches their answers and that the server never ended. */
async function redeemThrough(disk: SmallDisk, postgres: Postgres, troubles: readonly Trouble[]): Promise<void> {
  const at = await serverEnvironment({ server: postgres.url('postgres'), folder: disk.folder })
  const { cashiers, serials } = await seedTills(at, TILLS, VOUCHERS_A_TROUBLE * troubles.length)
  const server = await startServer(at.env)
  try {
    const ask: Ask = server.ask
    const named: TestTill[] = []
    for (const cashier of cashiers) named.push(await testTill(ask, cashier))
    const tills = named.map((till) => new CountingTill(ask, till))
    const times = (outcome: string) => tills.reduce((sum, { outcomes }) => sum + (outcomes.get(outcome) ?? 0), 0)
    const until = async (outcome: string) => {
      const wanted = times(outcome) + TILLS
      while (times(outcome) < wanted) await sleep(5)
    }
    for (const [nth, trouble] of troubles.entries()) {
      const share = serials.slice(nth * VOUCHERS_A_TROUBLE, (nth + 1) * VOUCHERS_A_TROUBLE)
      let isOver = false
      const spoil = async () => {
        await until('200')
        await trouble.begin()
        await until('503 DB_UNAVAILABLE')
        await trouble.meanwhile(ask, named[0]!.token)
        await trouble.end()
        await until('200')
      }
      await Promise.all([
        spoil().finally(() => (isOver = true)),
        ...tills.map((till, n) => till.redeemThrough(vouchersOfTill(n, TILLS, share), EVERY_MS, () => isOver)),
      ])
      await Promise.all(tills.map((till) => till.askAgain()))
    }
    expect([...outcomesOf(tills).keys()].filter((outcome) => !EXPECTED.includes(outcome))).toEqual([])
    expect(server.isRunning()).toBe(true)
    expect(await server.stop()).toBe(0)
    await expectLedgerMatches(at, tills)
  } finally {
    await server.kill()
    // Databases and folders go with the disk. A PostgreSQL that had a full disk may still be recovering.
    await postgres.stop()
  }
}

const SEGMENTS_AT_MOST = 50

/** Fills WAL segments until there is no room for the next one. PostgreSQL then ends every connection, this one too. */
async function fillLog(postgres: Postgres): Promise<void> {
  const client = new Client({ connectionString: postgres.url('postgres', 'postgres') })
  client.on('error', () => undefined)
  await client.connect()
  const takeOne = () => client.query(`SELECT pg_logical_emit_message(false, 'full', 'disk'), pg_switch_wal()`)
  let used = 0
  while (used < SEGMENTS_AT_MOST && (await takeOne().catch(() => undefined))) used += 1
  expect(used).toBeLessThan(SEGMENTS_AT_MOST)
}

// Skipped where this process may not mount a file system, as in most containers.
describe.skipIf(!probe)('a full disk', () => {
  let disk: SmallDisk
  beforeEach(() => {
    disk = smallDisk(MEGABYTES)!
  })
  afterEach(() => disk.remove())

  it('FLT-06: under the database gives 503 for what it cannot keep and reads on; under the write-ahead log it ends PostgreSQL and not the server; with room both go on, and nothing is lost', async () => {
    const postgres = await startPostgres({ folder: disk.folder })
    const underTheDatabase: Trouble = {
      begin: () => disk.fill(),
      meanwhile: async (ask, token) => expect((await get(ask, '/api/account/my_info', token)).status).toBe(200),
      end: () => disk.free(),
    }
    const underTheLog: Trouble = {
      begin: async () => {
        disk.fill()
        await fillLog(postgres)
      },
      meanwhile: async (ask) => expect((await get(ask, '/api/ready')).status).toBe(503),
      end: () => {
        disk.free()
        return postgres.start()
      },
    }
    await redeemThrough(disk, postgres, [underTheDatabase, underTheLog])
  }, 120_000)

  it('FLT-06: under the files refuses one for the moment, keeps no half of it, and takes it when there is room', async () => {
    const store = embeddedStore({ directory: disk.folder, publicUrl: 'http://x', secret: 's', clock: fakeClock() })
    const bytes = new Uint8Array(100_000)
    const names = () => readdirSync(join(disk.folder, 'stored/public/brand_logo'))
    await store.write(`stored/public/brand_logo/${randomUUID()}`, bytes, 'image/png')
    const one = names()
    disk.fill()
    const name = randomUUID()
    const away = { code: 'STORE_UNAVAILABLE' }
    await expect(store.write(`stored/public/brand_logo/${name}`, bytes, 'image/png')).rejects.toMatchObject(away)
    await expect(store.receive(`stored/public/brand_logo/${name}`, Readable.from([bytes]))).rejects.toMatchObject(away)
    expect(names()).toEqual(one)
    disk.free()
    expect(await store.receive(`stored/public/brand_logo/${name}`, Readable.from([bytes]))).toBe(true)
  })
})
