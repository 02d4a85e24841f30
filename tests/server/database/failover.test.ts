import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import type { SyncOutcome } from '../../../src/contract/redemptions/sync.ts'
import { type Ask, type Reply } from '../../support/api/portalClient.ts'
import { startPostgres, type Postgres } from '../../support/database/postgres.ts'
import { LONG_RUN } from '../../support/redemptions/CountingTill.ts'
import { seedTills } from '../../support/redemptions/seedTills.ts'
import { redeemHeld, testTill, type HoldKey, type TestTill, replyAbout } from '../../support/redemptions/testTill.ts'
import { serverEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer } from '../../support/server/serverProcess.ts'

const ROUNDS = LONG_RUN ? 8 : 1
/** Each sends one redemption a round that is not replicated. There are fewer tills than the server has connections. */
const TILLS = 6

/** Finds commits that wait for the standby, but leaves out the server's own check, which waits too. */
const WAITING = `FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query NOT LIKE '%pg_logical_emit_message%'`

describe('a machine that burns while its standby is away', () => {
  it(
    'FLT-22: takes no redemption with it that somebody has a receipt for, and the server goes on with the standby that is promoted',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        expect(await burn()).toEqual({ lost: [], acknowledged: TILLS })
      }
    },
    ROUNDS * 90_000,
  )
})

/** Loses the primary while its standby is away. Returns the receipts that the promoted standby lacks, and the number of receipts given. */
async function burn(): Promise<{ lost: string[]; acknowledged: number }> {
  const primary = await startPostgres({ version: 'oldest' })
  const at = await serverEnvironment({ server: primary.url('postgres') })
  const standby = await startPostgres({ version: 'oldest', standbyOf: { primary, name: 'standby' } })
  await primary.configure({ synchronous_standby_names: 'standby' })
  const both = withHost(at.env.DATABASE_URL, standby)
  const server = await startServer({ ...at.env, DATABASE_URL: both })
  const ask: Ask = server.ask
  try {
    const { cashiers, serials } = await seedTills(at, TILLS, TILLS * 2)
    const tills = await Promise.all(cashiers.map((cashier) => testTill(ask, cashier)))
    const held = (till: TestTill) => till.hold(serials.pop()!)
    const safe = await Promise.all(tills.map(held))
    const provoked = await Promise.all(tills.map(held))
    for (const key of safe) expect(await redeemHeld(ask, key)).toMatchObject({ state: 'redeemed' })

    await standby.kill()
    const tell = (keys: readonly HoldKey[]) => keys.map((key) => replyAbout(ask, key, 'redeemed'))
    const first = tell(provoked.slice(0, TILLS / 2))
    await untilWaiting(primary, 1)
    // The first batch has stalled, so these go into another one.
    const answers = [...first, ...tell(provoked.slice(TILLS / 2))]
    await untilWaiting(primary, 2)
    await breakOff(primary)
    const receipts = new Set(safe.map(({ id }) => id))
    const note = (id: string, answer: Said) => saysRedeemed(answer) && receipts.add(id)
    for (const [n, answer] of (await Promise.all(answers)).entries()) note(provoked[n]!.id, answer)
    for (let again = 0; again < 3; again++) {
      await Promise.all(
        provoked.map(async (key) => (await askEverywhere(ask, key)).map((answer) => note(key.id, answer))),
      )
    }

    await primary.kill()
    await standby.start()
    await standby.promote()
    const ledger = await idsOf(standby.url(new URL(at.env.DATABASE_URL).pathname.slice(1)))
    // The same server finds the new primary. Redemptions without a receipt can be made again.
    await server.untilReady()
    for (const key of [...safe, ...provoked])
      expect(await redeemHeld(ask, key)).toMatchObject({ state: 'redeemed', receipt: { id: key.id } })
    return { lost: [...receipts].filter((id) => !ledger.has(id)), acknowledged: receipts.size }
  } finally {
    await server.kill()
    await Promise.all([primary.stop(), standby.stop()])
  }
}

/** Waits until at least `commits` commits wait. Calls that came together may be in two batches. */
async function untilWaiting(primary: Postgres, commits: number): Promise<void> {
  const admin = new Client({ connectionString: primary.url('postgres', 'postgres') })
  await admin.connect()
  while ((await admin.query(`SELECT pid ${WAITING}`)).rowCount! < commits) await sleep(10)
  await admin.end()
}

/** Breaks off one wait as an operator does, one by ending its connection, and the rest by restarting PostgreSQL. */
async function breakOff(primary: Postgres): Promise<void> {
  const admin = new Client({ connectionString: primary.url('postgres', 'postgres') })
  await admin.connect()
  for (const how of ['pg_cancel_backend(pid)', 'pg_terminate_backend(pid)']) {
    const broken = `SELECT ${how} FROM (SELECT pid ${WAITING} ORDER BY xact_start LIMIT 1) AS broken_off`
    while ((await admin.query(broken)).rowCount === 0) await sleep(10)
  }
  await admin.end()
  await primary.restart()
}

type Said = Reply<{ outcomes: SyncOutcome[] }>

/** Asks for a receipt in every way there is. */
const askEverywhere = (ask: Ask, key: HoldKey): Promise<Said[]> =>
  Promise.all(['redeemed', 'asking', 'cancelled'].map((became) => replyAbout(ask, key, became)))

const saysRedeemed = ({ status, data }: Said): boolean => status === 200 && data.outcomes[0]?.state === 'redeemed'

/** Returns the URL with a second host, as libpq takes it. */
const withHost = (url: string, other: Postgres) =>
  url.replace(new URL(url).host, `${new URL(url).host},${new URL(other.url('any')).host}`)

async function idsOf(url: string): Promise<Set<string>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('SELECT id FROM redemption')
  await client.end()
  return new Set(rows.map(({ id }) => id))
}
