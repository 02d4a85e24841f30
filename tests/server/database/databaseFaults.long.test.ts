import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, logIn, type Ask, type Reply } from '../../support/api/portalClient.ts'
import { startPostgres, type Postgres } from '../../support/database/postgres.ts'
import { faultProxy, type FaultProxy } from '../../support/faults/faultProxy.ts'
import { CountingTill, LONG_RUN, outcomesOf } from '../../support/redemptions/CountingTill.ts'
import { expectLedgerMatches } from '../../support/redemptions/expectLedgerMatches.ts'
import { seedTills, seedVouchers, vouchersOfTill } from '../../support/redemptions/seedTills.ts'
import { testTill } from '../../support/redemptions/testTill.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'

// Runs the server process on a PostgreSQL of its own. A test can break the connection between them.
const KILLS = LONG_RUN ? 200 : 2

const RESTARTS = LONG_RUN ? 15 : 2

const RESTART_EVERY_MS = LONG_RUN ? 20_000 : 0

/** Together they send fifty requests a second. */
const TILLS = 8

const EVERY_MS = (1_000 / 50) * TILLS

const VOUCHERS_A_FAULT = LONG_RUN ? 1_500 : 500

const RECOVERY_MS = 5_000

const TOKEN_MS = 10 * 60_000

/** The number of connections that the server opens. */
const CONNECTIONS = 20

/** The number of connections for calls of merchants. */
const TENANTS = 12

describe('a server whose database', () => {
  let postgres: Postgres
  let proxy: FaultProxy
  let at: ServerEnvironment
  let server: ServerProcess
  let tills: CountingTill[]
  let people: Pick<Awaited<ReturnType<typeof seedTills>>, 'main' | 'cashiers'>
  let loggedInAt: number
  let token: string
  let merchantToken: string
  const ask: Ask = (path, init) => server.ask(path, init)
  const timed = async (path: string, withToken?: string) => {
    const started = performance.now()
    return { ...(await get(ask, path, withToken)), ms: performance.now() - started }
  }

  beforeAll(async () => {
    postgres = await startPostgres()
    at = await serverEnvironment({ server: postgres.url('postgres') })
    const direct = new URL(databaseUrl())
    proxy = await faultProxy(() => Number(direct.port))
    const through = new URL(direct)
    through.port = String(proxy.port)
    server = await startServer({ ...at.env, DATABASE_URL: through.href })
    const { main, cashiers } = await seedTills(at, TILLS, 0)
    people = { main, cashiers }
    tills = []
    await signAllIn()
  })
  afterAll(async () => {
    await server.kill()
    await proxy.close()
    await at.remove()
    await postgres.stop()
  })
  /** Logs all tills in again: a token lives ten minutes, and two hundred kills take longer. */
  async function signAllIn(): Promise<void> {
    loggedInAt = performance.now()
    merchantToken = (await logIn(ask, people.main)).token
    for (const [n, cashier] of people.cashiers.entries()) {
      const till = await testTill(ask, cashier)
      if (tills[n]) tills[n].goOnAs(till)
      else tills.push(new CountingTill(ask, till))
      token = till.token
    }
  }
  const databaseUrl = () => (at.env as { DATABASE_URL: string }).DATABASE_URL

  /** Lets tills redeem until the server works again after `fault`. Then each till repeats everything it asked. */
  async function redeemThrough(fault: () => Promise<void>): Promise<void> {
    if (performance.now() - loggedInAt > TOKEN_MS / 2) await signAllIn()
    const serials = await seedVouchers(at, VOUCHERS_A_FAULT)
    let isOver = false
    const told = () => tills.reduce((sum, { journal }) => sum + journal.size, 0)
    const before = told()
    const spoil = async () => {
      while (told() === before) await sleep(1)
      await fault()
      await untilReady()
    }
    await Promise.all([
      spoil().finally(() => (isOver = true)),
      ...tills.map((till, n) => till.redeemThrough(vouchersOfTill(n, TILLS, serials), EVERY_MS, () => isOver)),
    ])
    await Promise.all(tills.map((till) => till.askAgain(RECOVERY_MS)))
  }

  async function untilReady(): Promise<void> {
    const accepting = performance.now()
    while ((await get(ask, '/api/ready')).status !== 200) await sleep(20)
    expect(performance.now() - accepting, 'until it works again').toBeLessThan(RECOVERY_MS)
  }

  async function killBackend(): Promise<void> {
    const client = new Client({ connectionString: databaseUrl() })
    await client.connect()
    const other = `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
      AND datname = current_database() ORDER BY state = 'active' DESC LIMIT 1`
    const { rows } = await client.query<{ pid: number }>(other)
    // Killing one backend ends all backends.
    client.on('error', () => undefined)
    process.kill(rows[0]!.pid, 'SIGKILL')
    await client.end()
  }

  async function killAll(): Promise<void> {
    await postgres.kill()
    await untilUnready()
    await postgres.start()
  }

  async function untilUnready(): Promise<void> {
    let answer: Reply
    do answer = await get(ask, '/api/ready')
    while (answer.status === 200)
    expectUnavailable(answer)
  }

  function expectUnavailable({ status, error, headers }: Reply): void {
    expect({ status, error }).toEqual({ status: 503, error: 'DB_UNAVAILABLE' })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }

  /** Expects a 503: the call waited for a connection in vain, or was refused at once because the server's own jobs were waiting. */
  function expectRefused(reply: Reply): void {
    if (reply.error !== 'SERVER_BUSY') expectUnavailable(reply)
    expect(reply.status).toBe(503)
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  }

  /** Expects only verdicts and 503s, every connection of the pool in use again, and a ledger that matches. */
  async function expectUnharmed(): Promise<void> {
    const kinds = [...outcomesOf(tills).keys()]
    expect(kinds.filter((outcome) => !EXPECTED.has(outcome))).toEqual([])
    expect(kinds).toContain('503 DB_UNAVAILABLE')
    const release = await holdConnections(databaseUrl(), CONNECTIONS, () => timed('/api/account/my_info', token))
    for (const { status } of await release()) expect(status).toBe(200)
    await expectLedgerMatches(at, tills)
  }

  it(
    'FLT-02: is killed under load, one backend or all of it, says 503 until it is back, and loses no redemption',
    async () => {
      for (let kill = 0; kill < KILLS; kill++) await redeemThrough(kill % 2 === 0 ? killBackend : killAll)
      await expectUnharmed()
      expect(server.isRunning()).toBe(true)
    },
    60_000 + KILLS * 20_000,
  )

  it(
    'FLT-03: restarts while it serves says 503 meanwhile, and works on without a restart of its own',
    async () => {
      for (let restart = 0; restart < RESTARTS; restart++) {
        const nextOne = sleep(RESTART_EVERY_MS)
        await redeemThrough(async () => {
          await postgres.restart()
          await nextOne
        })
      }
      await expectUnharmed()
      expect(server.isRunning()).toBe(true)
    },
    60_000 + RESTARTS * 40_000,
  )

  it('FLT-04: takes connections and never answers fails requests in 5 s, alone those that need it, and recovers', async () => {
    await Promise.all(Array.from({ length: 5 }, () => get(ask, '/api/account/my_info', token)))
    proxy.blackHole()
    const asked = ['/api/ready', ...Array.from({ length: 30 }, () => '/api/account/my_info')]
    const answers = Promise.all(asked.map((path) => timed(path, token)))
    expect(await timed('/api/health')).toMatchObject({ status: 200, ms: expect.toSatisfy((ms: number) => ms < 1_000) })
    for (const answer of await answers) {
      expectUnavailable(answer)
      expect(answer.ms).toBeLessThan(5_000)
    }
    await proxy.pass()
    await untilReady()
    await expectUnharmed()
  })

  it('FLT-05: has every connection busy with slow queries refuses the next request in 2 s, and recovers', async () => {
    const release = await holdConnections(databaseUrl(), CONNECTIONS, () => get(ask, '/api/account/my_info', token))
    const next = await timed('/api/account/my_info', token)
    expectRefused(next)
    expect(next.ms).toBeLessThan(2_000)
    expect((await timed('/api/health')).status).toBe(200)
    for (const { status } of await release()) expect(status).toBe(200)
    expect((await timed('/api/account/my_info', token)).status).toBe(200)
  })

  it('FLT-05: has every connection of merchants busy with slow queries refuses the next of them in 2 s, and redeems on', async () => {
    const read = () => timed('/api/notices', merchantToken)
    const release = await holdConnections(databaseUrl(), TENANTS, read, 'device_report')
    // Redeems while a merchant's call waits for a connection, which is longer than the tills' own queue lets a call wait.
    let isOver = false
    const waiting = read().finally(() => (isOver = true))
    const busyBefore = tills[0]!.outcomes.get('503 SERVER_BUSY')
    await tills[0]!.redeemThrough(vouchersOfTill(0, TILLS, await seedVouchers(at, 400)), EVERY_MS, () => isOver)
    const refused = await waiting
    expectRefused(refused)
    expect(refused.ms).toBeLessThan(2_000)
    expect(tills[0]!.outcomes.get('503 SERVER_BUSY')).toBe(busyBefore)
    for (const { status } of await release()) expect(status).toBe(200)
    expect((await read()).status).toBe(200)
    await expectLedgerMatches(at, tills)
  })
})

const EXPECTED = new Set([
  '200',
  '409 VOUCHER_HELD',
  '409 HOLD_LIMIT',
  '409 VOUCHER_ALREADY_USED',
  '503 DB_UNAVAILABLE',
  '503 SERVER_BUSY',
])

const WAITING = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`

/** Counts connections that are opening or whose query is not over. After a fault some are left whose client is gone. */
const UNFINISHED = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE backend_type = 'client backend'
  AND pid <> pg_backend_pid() AND datname = current_database() AND state IS DISTINCT FROM 'idle'`

const LONGEST_MS = 3_000

/**
 * Locks `table` in `url`'s database and calls `ask` `count` times. Once `count` connections wait, it returns a function that unlocks the table and
 * returns the answers.
 * @throws Error when fewer connections come to wait.
 */
async function holdConnections<T>(
  url: string,
  count: number,
  ask: () => Promise<T>,
  table = 'session',
): Promise<() => Promise<T[]>> {
  const [locking, watching] = [new Client({ connectionString: url }), new Client({ connectionString: url })]
  await Promise.all([locking.connect(), watching.connect()])
  const counted = async (sql: string) => (await watching.query<{ count: number }>(sql)).rows[0]!.count
  // They would wait for the table too.
  while ((await counted(UNFINISHED)) > 0) await sleep(10)
  await locking.query(`BEGIN; LOCK TABLE ${escapeIdentifier(table)} IN ACCESS EXCLUSIVE MODE`)
  const answers = Promise.all(Array.from({ length: count }, ask))
  const release = async () => {
    await Promise.all([locking.end(), watching.end()])
    return answers
  }
  const deadline = Date.now() + LONGEST_MS
  for (;;) {
    const waiting = await counted(WAITING)
    if (waiting === count) return release
    if (Date.now() > deadline) {
      await release()
      throw new Error(`${waiting} connections wait, not ${count}`)
    }
    await sleep(10)
  }
}
