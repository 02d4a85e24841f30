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
/** Each provokes once a round; fewer than the server has connections. */
const TILLS = 6

/** Commits that wait for the standby. The server's own look is one of them, and is left alone. */
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

/** Which receipts of redemptions the promoted standby does not have, of how many. */
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
    // The batch before has stalled: these go in another.
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
    // The same server finds it, and what nobody had a receipt for can be redeemed.
    await server.untilReady()
    for (const key of [...safe, ...provoked])
      expect(await redeemHeld(ask, key)).toMatchObject({ state: 'redeemed', receipt: { id: key.id } })
    return { lost: [...receipts].filter((id) => !ledger.has(id)), acknowledged: receipts.size }
  } finally {
    await server.kill()
    await Promise.all([primary.stop(), standby.stop()])
  }
}

/** At least so many commits wait: what came together may be in two batches. */
async function untilWaiting(primary: Postgres, commits: number): Promise<void> {
  const admin = new Client({ connectionString: primary.url('postgres', 'postgres') })
  await admin.connect()
  while ((await admin.query(`SELECT pid ${WAITING}`)).rowCount! < commits) await sleep(10)
  await admin.end()
}

/** One wait by an operator, one by the end of its connection, and what waits then by a restart of the server. */
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

/** Every way to learn of a receipt. */
const askEverywhere = (ask: Ask, key: HoldKey): Promise<Said[]> =>
  Promise.all(['redeemed', 'asking', 'cancelled'].map((became) => replyAbout(ask, key, became)))

const saysRedeemed = ({ status, data }: Said): boolean => status === 200 && data.outcomes[0]?.state === 'redeemed'

/** As libpq has several hosts. */
const withHost = (url: string, other: Postgres) =>
  url.replace(new URL(url).host, `${new URL(url).host},${new URL(other.url('any')).host}`)

async function idsOf(url: string): Promise<Set<string>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('SELECT id FROM redemption')
  await client.end()
  return new Set(rows.map(({ id }) => id))
}
