import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, type Postgres } from '../../support/database/postgres.ts'
import { serverEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer } from '../../support/server/serverProcess.ts'

/** Starts a server with these settings. Returns its answer to /api/ready and its output. */
async function started(env: Record<string, string>) {
  const server = await startServer(env)
  try {
    const response = await fetch(`${server.url}/api/ready`)
    const { data } = (await response.json()) as { data: unknown }
    return { data, said: server.printed() }
  } finally {
    await server.stop()
  }
}

describe('a server on PostgreSQL', () => {
  let postgres: Postgres
  let place: Awaited<ReturnType<typeof serverEnvironment>>
  let env: Record<string, string>
  beforeAll(async () => {
    postgres = await startPostgres({ durable: true })
    place = await serverEnvironment()
    env = { ...place.env, DATABASE_URL: await postgres.createDatabase('durable'), DURABILITY: 'required' }
  })
  afterAll(async () => {
    await place.remove()
    await postgres.stop()
  })

  const set = async (setting: string) => {
    const client = new Client({ connectionString: env['DATABASE_URL'] })
    await client.connect()
    await client.query(`ALTER DATABASE durable ${setting}`)
    await client.end()
  }

  it('that writes to its disk starts, and says that it survives a loss of power', async () => {
    const { data, said } = await started(env)
    expect(data).toEqual({ database: 'postgresql', durability: 'power loss' })
    expect(said).not.toContain('database_not_durable')
  })

  it('that could lose what it acknowledged refuses to start, and names the setting', async () => {
    await set('SET synchronous_commit = off')
    await expect(startServer(env)).rejects.toThrow(
      'Configuration: PostgreSQL has synchronous_commit off, and a loss of power would lose redemptions.',
    )
    await set('RESET synchronous_commit')
  })

  it('starts on one all the same when told so, and warns in its log and when it is asked', async () => {
    const { data, said } = await started(place.env)
    expect(data).toEqual({ database: 'postgresql', durability: 'process crash' })
    expect(said).toContain('"level":"warn","event":"database_not_durable","off":"fsync, full_page_writes"')
  })
})
