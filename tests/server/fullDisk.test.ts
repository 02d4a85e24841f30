import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { embeddedStore } from '../../server/store/embeddedStore.ts'
import { type TestTill, testTill } from '../support/counter.ts'
import { CountingTill } from '../support/countingTill.ts'
import { expectLedgerOf } from '../support/expectLedgerOf.ts'
import { fakeClock } from '../support/fakeClock.ts'
import { furnishTills, shareOf } from '../support/furnishTills.ts'
import { outcomesOf } from '../support/outcomesOf.ts'
import { type Ask, get } from '../support/portalClient.ts'
import { startPostgres } from '../support/postgres.ts'
import { serverPlace } from '../support/serverPlace.ts'
import { startServer } from '../support/serverProcess.ts'
import { type SmallDisk, smallDisk } from '../support/smallDisk.ts'

const MEGABYTES = 400
const TILLS = 4
const EVERY_MS = 20
const VOUCHERS = 2_000
const EXPECTED = ['200', '409 VOUCHER_ALREADY_USED', '503 DB_UNAVAILABLE']

const probe = smallDisk(1)
probe?.remove()

// Skipped where this process may not mount a file system, as in most containers.
describe.skipIf(!probe)('a full disk', () => {
  let disk: SmallDisk
  beforeEach(() => {
    disk = smallDisk(MEGABYTES)!
  })
  afterEach(() => disk.remove())

  it('FLT-06: under the database gives 503 for what it cannot keep, reads on, and loses nothing; with room it goes on', async () => {
    const postgres = process.env['TEST_DATABASE_URL'] ? await startPostgres({ folder: disk.folder }) : undefined
    const at = await serverPlace(postgres?.url('postgres'), disk.folder)
    const { cashiers, serials } = await furnishTills(at, TILLS, VOUCHERS)
    const server = await startServer(at.env)
    try {
      const ask: Ask = (path, init) => fetch(server.url + path, init)
      const named: TestTill[] = []
      for (const cashier of cashiers) named.push(await testTill(ask, cashier))
      const tills = named.map((till) => new CountingTill(ask, till))
      const times = (outcome: string) => tills.reduce((sum, { outcomes }) => sum + (outcomes.get(outcome) ?? 0), 0)
      const until = async (outcome: string) => {
        const wanted = times(outcome) + TILLS
        while (times(outcome) < wanted) await sleep(5)
      }
      let isOver = false
      const spoil = async () => {
        await until('200')
        disk.fill()
        await until('503 DB_UNAVAILABLE')
        expect((await get(ask, '/api/account/my_info', named[0]!.token)).status).toBe(200)
        disk.free()
        await until('200')
      }
      await Promise.all([
        spoil().finally(() => (isOver = true)),
        ...tills.map((till, n) => till.redeemThrough(shareOf(n, TILLS, serials), EVERY_MS, () => isOver)),
      ])
      await Promise.all(tills.map((till) => till.askAgain()))
      expect([...outcomesOf(tills).keys()].filter((outcome) => !EXPECTED.includes(outcome))).toEqual([])
      expect(server.isRunning()).toBe(true)
      expect(await server.stop()).toBe(0)
      await expectLedgerOf(at, tills)
    } finally {
      await server.kill()
      await at.remove()
      await postgres?.stop()
    }
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
    await expect(store.receive(`stored/public/brand_logo/${name}`, bytes)).rejects.toMatchObject(away)
    expect(names()).toEqual(one)
    disk.free()
    expect(await store.receive(`stored/public/brand_logo/${name}`, bytes)).toBe(true)
  })
})
