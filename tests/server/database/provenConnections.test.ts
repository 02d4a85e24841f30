import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import type { Database } from '../../../server/db/engine/Database.ts'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { organisation as organisationTable } from '../../../server/db/schema/organisations.ts'
import { get } from '../../support/api/portalClient.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { databaseOfLogin } from '../../support/database/databaseOfLogin.ts'
import { it, server } from '../../support/server/serverTest.ts'
import { recordedLog, type RecordedLog } from '../../support/server/silentLog.ts'

let place: Awaited<ReturnType<typeof databaseOfLogin>>
let closing: (() => Promise<unknown>)[]
let log: RecordedLog
beforeEach(async () => {
  log = recordedLog()
  place = await databaseOfLogin('CREATEROLE')
  closing = [place.remove]
})
afterEach(async () => {
  for (const close of closing.toReversed()) await close()
})

async function open(url: string): Promise<Database> {
  const database = await openPostgresql(url, log)
  closing.push(() => database.close())
  return database
}

/** Makes two organisations. Returns how many of them a call of the first one sees. */
async function seenByOne(database: Database): Promise<number> {
  const [own] = [await makeMerchant(database.db), await makeMerchant(database.db)]
  const rows = await database
    .forTenant(own.organisation.id)
    .db.select({ id: organisationTable.id })
    .from(organisationTable)
  return rows.length
}

const setting = async (database: Database, name: string) => {
  const { rows } = (await database.db.execute(sql`SELECT current_setting(${name}) AS value`)) as unknown as {
    rows: { value: string }[]
  }
  return rows[0]!.value
}

/** Returns the answer of /api/ready of a server on this database. */
async function readiness(database: Database) {
  const app = createApp({ ...server.deps, database, log })
  const { status, body } = await get((path, init) => app.request(path, init), '/api/ready')
  return { status, refused: (body as { data: { refused?: unknown } }).data.refused }
}
const READY = { status: 200, refused: undefined }

const unavailable = { name: 'DatabaseUnavailable' }
const refusals = () => log.events.filter(({ event }) => event === 'connection_refused')
const refused = (pool: string, lacks: string) => ({
  level: 'error',
  event: 'connection_refused',
  facts: { pool, lacks },
})

describe('options in DATABASE_URL', () => {
  it('ACL-05: are kept beside our own, and take no connection out of its role', async () => {
    const database = await open(
      `${place.url}?options=${encodeURIComponent('-c lock_timeout=1234 -c timezone=Asia/Tokyo')}`,
    )
    expect(database.hasRowSecurity).toBe(true)
    expect(await seenByOne(database)).toBe(1)
    expect(await setting(database, 'lock_timeout')).toBe('1234ms')
    expect(await setting(database, 'timezone'), 'ours are said last').toBe('UTC')
    expect(await readiness(database)).toEqual(READY)
  })
})

describe('a connection that is not what it must be', () => {
  it('ACL-05: as the tenants’ role is not used: a pooler that drops options lets no tenant see another', async () => {
    const pooler = await poolerWithoutOptions(new URL(place.url))
    closing.push(pooler.close)
    const database = await open(pooler.url)
    expect(await readiness(database)).toEqual({ status: 503, refused: [{ pool: 'tenants', lacks: 'role' }] })
    await expect(seenByOne(database)).rejects.toMatchObject({ cause: unavailable })
    expect(refusals(), 'said once').toEqual([refused('tenants', 'role')])
  })

  it('with a role that no policy binds any more is not used, until it is bound again', async () => {
    const database = await open(place.url)
    await place.asAdmin(`ALTER ROLE ${place.login}_tenant BYPASSRLS`)
    await expect(seenByOne(database)).rejects.toMatchObject({ cause: unavailable })
    expect(await readiness(database)).toEqual({ status: 503, refused: [{ pool: 'tenants', lacks: 'row security' }] })
    expect(refusals()).toEqual([refused('tenants', 'row security')])
    await place.asAdmin(`ALTER ROLE ${place.login}_tenant NOBYPASSRLS`)
    expect(await readiness(database)).toEqual(READY)
    expect(await seenByOne(database)).toBe(1)
  })

  it('because a commit would not wait for the disk any more takes no redemption', async () => {
    const database = await open(place.url)
    await place.asAdmin(`ALTER ROLE ${place.login} SET synchronous_commit = off`)
    const redeem = database.run({ name: 'any', text: 'SELECT 1 AS one' }, [])
    await expect(redeem).rejects.toMatchObject(unavailable)
    await expect(database.openReading()).rejects.toMatchObject(unavailable)
    const { status, refused: said } = await readiness(database)
    expect(status).toBe(503)
    expect(said).toContainEqual({ pool: 'portal', lacks: 'synchronous_commit' })
    await place.asAdmin(`ALTER ROLE ${place.login} RESET synchronous_commit`)
    expect(await readiness(database)).toEqual(READY)
    expect(await database.run({ name: 'any', text: 'SELECT 1 AS one' }, [])).toEqual([{ one: 1 }])
  })

  it('is taken where the whole database was opened without that promise', async () => {
    await place.asAdmin(`ALTER ROLE ${place.login} SET synchronous_commit = off`)
    const database = await open(place.url)
    expect(database.durability.off).toContain('synchronous_commit')
    expect(await seenByOne(database)).toBe(1)
    expect(await readiness(database)).toEqual(READY)
  })
})

/** Starts a pooler in front of the server of `target` that drops the start-up options, as with `ignore_startup_parameters = options`. */
async function poolerWithoutOptions(target: URL) {
  const sockets = new Set<Socket>()
  const listening = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => [client, database].forEach((one) => one.destroy()))
    }
    client.once('data', (first) => {
      database.write(withoutOptions(first as Buffer))
      client.pipe(database)
    })
    database.pipe(client)
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.port = String((listening.address() as AddressInfo).port)
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy()
      listening.close(() => resolve())
    })
  return { url: url.href, close }
}

/** Removes the options from a start-up message: length, version, pairs of name and value that each end with a zero, and a final zero. */
function withoutOptions(message: Buffer): Buffer {
  const words = message.subarray(8, -2).toString('utf8').split('\0')
  const kept = words.filter((_, index) => words[index - (index % 2)] !== 'options')
  const body = Buffer.from(`${kept.join('\0')}\0\0`)
  const head = Buffer.from(message.subarray(0, 8))
  head.writeInt32BE(8 + body.length)
  return Buffer.concat([head, body])
}
