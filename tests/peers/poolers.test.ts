import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresql } from '../../server/db/engine/openPostgresql.ts'
import { Primary } from '../../server/db/engine/Primary.ts'
import { refusePooler } from '../../server/db/engine/refusePooler.ts'
import { ResilientPool } from '../../server/db/engine/ResilientPool.ts'
import { explainError } from '../../server/explainError.ts'
import { databaseOfLogin } from '../support/database/databaseOfLogin.ts'
import { startPgBouncer, startPgpool, type Pooler } from '../support/database/poolers.ts'
import { startPostgres, type Postgres } from '../support/database/postgres.ts'
import { faultProxy } from '../support/faults/faultProxy.ts'
import { seedTills } from '../support/redemptions/seedTills.ts'
import { redeemHeld, testTill } from '../support/redemptions/testTill.ts'
import { serverEnvironment } from '../support/server/serverEnvironment.ts'
import { startServer } from '../support/server/serverProcess.ts'
import { recordedLog, silentLog } from '../support/server/silentLog.ts'

const ADVICE = 'Name PostgreSQL itself in DATABASE_URL, or a pooler that keeps whole sessions and start-up options.'
const TRANSACTION_MODE = `A pooler changes sessions between statements (transaction mode). ${ADVICE}`
const unsupported = (parameter: string) =>
  `The database cannot be reached or used: 08P01: unsupported startup parameter: ${parameter}. ${ADVICE}`
const lacking = (property: string) =>
  `Configuration: connections to PostgreSQL lack their ${property}. Look for a pooler that drops start-up options, an ALTER ROLE or ALTER DATABASE`

/** Starts a server on the database of `url`. Returns the state of a voucher that it redeems, or its last words when it does not start. */
async function startAndRedeem(url: string, direct: string): Promise<string> {
  const { env, remove } = await serverEnvironment()
  const started = await startServer({ ...env, DATABASE_URL: url }).catch((error: Error) => error)
  if (started instanceof Error) {
    await remove()
    return started.message.trimEnd().split('\n').at(-1)!
  }
  try {
    const { cashiers, serials } = await seedTills({ open: () => openPostgresql(direct, silentLog) }, 1, 1)
    const till = await testTill(started.ask, cashiers[0]!)
    const outcome = await redeemHeld(started.ask, await till.hold(serials[0]!))
    expect(started.printed()).not.toContain('"level":"error"')
    return outcome.state
  } finally {
    await started.stop()
    await remove()
  }
}
describe('PgBouncer', () => {
  let place: Awaited<ReturnType<typeof databaseOfLogin>>
  beforeAll(async () => void (place = await databaseOfLogin('CREATEROLE')))
  afterAll(() => place.remove())

  const through = async <T>(settings: Record<string, string>, ask: (pooler: Pooler) => Promise<T>, url = place.url) => {
    const pooler = await startPgBouncer(url, settings)
    try {
      return await ask(pooler)
    } finally {
      await pooler.stop()
    }
  }
  const IGNORED = { ignore_startup_parameters: 'options,statement_timeout' }

  it.for<[string, Record<string, string>, string]>([
    ['transaction', {}, unsupported('options')],
    ['transaction', IGNORED, TRANSACTION_MODE],
    ['transaction', { ...IGNORED, server_round_robin: '1' }, TRANSACTION_MODE],
    ['statement', IGNORED, TRANSACTION_MODE],
    ['session', {}, unsupported('options')],
    ['session', { ignore_startup_parameters: 'options' }, unsupported('statement_timeout')],
    ['session', IGNORED, lacking('role')],
  ])('in %s mode with %o is refused in words, and keeps no lock', async ([pool_mode, settings, words]) => {
    await through({ pool_mode, ...settings }, async (pooler) => {
      expect(await startAndRedeem(pooler.url, place.url)).toBe(words)
      const log = recordedLog()
      await (await openPostgresql(place.url, log)).close()
      expect(log.events).toEqual([])
    })
  })

  it('in transaction mode is found while its other clients come and go', async () => {
    await through({ pool_mode: 'transaction', ...IGNORED }, async (pooler) => {
      const others = new ResilientPool({ connectionString: pooler.url, max: 8 }, silentLog)
      let isOver = false
      const busy = Array.from({ length: 8 }, async () => {
        while (!isOver) await others.query('SELECT pg_sleep(random() / 200)')
      })
      for (let round = 0; round < 20; round++) {
        await expect(refusePooler(new Primary(pooler.url))).rejects.toThrow('transaction mode')
      }
      isOver = true
      await Promise.all(busy)
      await others.end()
    })
  })

  it('in session mode is used without the second role, if PostgreSQL itself has UTC and ISO dates', async () => {
    const plain = await databaseOfLogin('')
    const start = async (setting: string) => {
      await plain.asAdmin(`ALTER ROLE ${plain.login} ${setting}`)
      return through({ pool_mode: 'session', ...IGNORED }, (pooler) => startAndRedeem(pooler.url, plain.url), plain.url)
    }
    expect(await start(`SET timezone = 'Asia/Singapore'`)).toBe(lacking('TimeZone'))
    expect(await start(`RESET timezone; ALTER ROLE ${plain.login} SET datestyle = 'German'`)).toBe(lacking('DateStyle'))
    expect(await start('RESET datestyle')).toBe('redeemed')
    await plain.remove()
  }, 60_000)
})

describe('Pgpool before a primary and its standby', () => {
  let primary: Postgres
  let standby: Postgres
  let url: string
  let place: Awaited<ReturnType<typeof serverEnvironment>>
  beforeAll(async () => {
    primary = await startPostgres({ version: 'oldest' })
    place = await serverEnvironment({ server: primary.url('postgres') })
    url = place.env.DATABASE_URL
    standby = await startPostgres({ version: 'oldest', standbyOf: { primary, name: 'standby' } })
  })
  afterAll(async () => {
    await standby.stop()
    await place.remove()
    await primary.stop()
  })

  const through = async <T>(settings: Record<string, string>, ask: (pooler: Pooler) => Promise<T>) => {
    const pooler = await startPgpool(url, standby.url(new URL(url).pathname.slice(1)), settings)
    try {
      return await ask(pooler)
    } finally {
      await pooler.stop()
    }
  }
  const outdated = (setting: string) =>
    `Pgpool would answer with outdated rows: set ${setting} = off in its configuration.`

  it.for<[Record<string, string>, string]>([
    [{}, outdated('load_balance_mode')],
    [{ statement_level_load_balance: 'on' }, outdated('load_balance_mode')],
    [{ load_balance_mode: 'off', memory_cache_enabled: 'on' }, outdated('memory_cache_enabled')],
    [{ load_balance_mode: 'off' }, 'redeemed'],
  ])('with %o', async ([settings, words]) => {
    expect(await through(settings, (pooler) => startAndRedeem(pooler.url, url))).toBe(words)
  })

  it('gives no connection that reads from the standby, whatever it says at the start', async () => {
    await through({ backend_weight0: '0' }, async (pooler) => {
      const log = recordedLog()
      const expected = { pool: 'portal', role: 'portal', isBoundByPolicies: undefined, isDurable: false } as const
      let state: 'writable' | 'read only' = 'writable'
      const connection = { connectionString: pooler.url, options: '-c timezone=UTC', max: 1 }
      const pool = new ResilientPool(connection, log, { ...expected, askPrimary: async () => state })
      const refusal = await pool.query('SELECT').catch((error: unknown) => error)
      expect(explainError(refusal)).toBe('The database cannot be reached or used: connection without its primary.')
      expect(await pool.missingProperty()).toBe('primary')
      // Without a primary a standby may answer.
      state = 'read only'
      expect(await pool.missingProperty()).toBeUndefined()
      await pool.end()
    })
  })

  it('another pooler that reads from a standby is refused too', async () => {
    const port = Number(new URL(standby.url('any')).port)
    const pooler = await faultProxy(() => port)
    const before = new URL(url)
    before.port = String(pooler.port)
    await expect(refusePooler(new Primary(before.href))).rejects.toThrow(`A pooler sends reads to a standby.`)
    await pooler.close()
  })
})
