import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { LONG_RUN } from '../../support/redemptions/CountingTill.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { spawnServer, startServer } from '../../support/server/serverProcess.ts'

const ROUNDS = LONG_RUN ? 30 : 1

const OBJECTS = `SELECT (SELECT string_agg(table_name || '.' || column_name || ' ' || data_type, ', ' ORDER BY table_name, column_name)
    FROM information_schema.columns WHERE table_schema = 'public') AS columns,
  (SELECT string_agg(indexdef, ', ' ORDER BY indexdef) FROM pg_indexes WHERE schemaname = 'public') AS indexes,
  (SELECT string_agg(tgname, ', ' ORDER BY tgname) FROM pg_trigger WHERE NOT tgisinternal) AS triggers,
  (SELECT count(*)::int FROM drizzle.__drizzle_migrations) AS migrations`

/** Returns all objects that the migrations make, as PostgreSQL lists them. The server is stopped. */
async function schemaOf({ open }: ServerEnvironment): Promise<unknown> {
  const database = await open()
  const [schema] = await database.run<[], object>({ name: 'schema', text: OBJECTS }, [])
  await database.close()
  return schema
}

/** Returns true once the list of migrations exists. It is made before the first of them runs. */
async function hasBegun({ env }: ServerEnvironment): Promise<boolean> {
  const client = new Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  const { rows } = await client.query(`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS begun`)
  await client.end()
  return (rows[0] as { begun: boolean }).begun
}

async function beginning(place: ServerEnvironment) {
  const server = await spawnServer(place.env)
  while (!(await hasBegun(place))) await sleep(5)
  return server
}

it(
  'FLT-15: a migration that is killed in its middle is done whole by the next start',
  async () => {
    const whole = await serverEnvironment({ isMigrated: false })
    const first = await beginning(whole)
    const begun = performance.now()
    await first.untilReady()
    const lasted = performance.now() - begun
    await first.stop()
    const schema = await schemaOf(whole)
    await whole.remove()
    for (let round = 0; round < ROUNDS; round++) {
      const place = await serverEnvironment({ isMigrated: false })
      const killed = await beginning(place)
      await sleep(Math.random() * lasted)
      await killed.kill()
      const next = await startServer(place.env)
      expect(await next.stop()).toBe(0)
      expect(await schemaOf(place)).toEqual(schema)
      await place.remove()
    }
  },
  60_000 + ROUNDS * 60_000,
)
