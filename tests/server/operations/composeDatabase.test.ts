import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { DEBIAN_POSTGRES } from '../../support/database/debianPostgres.ts'
import { startPostgres, type Postgres } from '../../support/database/postgres.ts'
import { recordedLog } from '../../support/server/silentLog.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const compose = readFileSync(resolve(ROOT, 'compose.yaml'), 'utf8')
const SCRIPT = 'deploy/make-database.sh'

async function asked<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

describe('the database of compose.yaml', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres({ version: 'oldest' })
    // Removes the roles of the test server: the script runs before they exist.
    const superuser = postgres.url('postgres', 'postgres')
    await asked(superuser, 'DROP OWNED BY portal; DROP ROLE portal_tenant; DROP ROLE portal')
  })
  afterAll(() => postgres.stop())

  it('is made by a script, and is not the portal’s as superuser', () => {
    expect(compose).toContain('POSTGRES_USER: postgres')
    expect(compose).toContain(`./${SCRIPT}:/docker-entrypoint-initdb.d/`)
    expect(/DATABASE_URL: postgres:\/\/(\w+):/.exec(compose)?.[1]).toBe('portal')
  })

  it('belongs to a login that may make no role and no database, and has the wall between organisations', async () => {
    const { port } = new URL(postgres.url('postgres'))
    const env = {
      PATH: `${DEBIAN_POSTGRES}:${process.env['PATH']}`,
      PGHOST: '127.0.0.1',
      PGPORT: port,
      POSTGRES_USER: 'postgres',
      PORTAL_PASSWORD: `it's "long"`,
    }
    execFileSync('sh', [resolve(ROOT, SCRIPT)], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    const log = recordedLog()
    const database = await openPostgresql(postgres.url('portal'), log)
    expect({
      hasRowSecurity: database.hasRowSecurity,
      refused: await database.unusablePools(),
      events: log.events,
    }).toEqual({
      hasRowSecurity: true,
      refused: [],
      events: [],
    })
    await database.close()
    const roles = await asked(
      postgres.url('postgres', 'postgres'),
      `SELECT rolname AS name, rolcanlogin AS login, rolpassword LIKE 'SCRAM-SHA-256$%' AS password,
         rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR rolreplication AS mighty
       FROM pg_authid WHERE rolname LIKE 'portal%' ORDER BY 1`,
    )
    expect(roles).toEqual([
      { name: 'portal', login: true, password: true, mighty: false },
      { name: 'portal_tenant', login: false, password: null, mighty: false },
    ])
  })
})
