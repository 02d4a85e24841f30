import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Hono } from 'hono'
import { beforeEach, describe, expect } from 'vitest'
import { tenantDeps } from '../../../server/app.ts'
import type { Database, Db } from '../../../server/db/engine/Database.ts'
import { databaseCode } from '../../../server/db/engine/databaseError.ts'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { SingleTenantPool, TenantPool } from '../../../server/db/engine/TenantPool.ts'
import { branch as branchTable, organisation as organisationTable } from '../../../server/db/schema/organisations.ts'
import { voucher as voucherTable } from '../../../server/db/schema/vouchers.ts'
import type { Deps } from '../../../server/Deps.ts'
import { mount, type AnyRoute } from '../../../server/http/mount.ts'
import type { PortalEnv } from '../../../server/http/PortalEnv.ts'
import { accessTokens } from '../../../server/services/accounts/sessions/accessTokens.ts'
import { ENDPOINTS } from '../../../src/contract/endpoints.ts'
import { get, logIn } from '../../support/api/portalClient.ts'
import {
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeVoucher,
  type Merchant,
} from '../../support/database/builders.ts'
import { databaseOfLogin } from '../../support/database/databaseOfLogin.ts'
import { db, it, server } from '../../support/server/serverTest.ts'
import { recordedLog, silentLog } from '../../support/server/silentLog.ts'

const INSUFFICIENT_PRIVILEGE = '42501'
const DIVISION_BY_ZERO = '22012'

let [ours, theirs]: Merchant[] = []
beforeEach(async () => {
  ours = await makeMerchant(db())
  theirs = await makeMerchant(db())
})
/** Returns the database as a call of this merchant uses it. */
const as = ({ organisation }: Merchant) => server.database.forTenant(organisation.id)
const failure = (error: unknown) => databaseCode(error)

/** Returns the ids that a query without a scope sees. */
const idsOf = async (from: Db) =>
  (await from.select({ id: organisationTable.id }).from(organisationTable)).map(({ id }) => id)

describe('what a tenant’s call reaches', () => {
  it('is its own organisation, by a route that forgets the scope, in its answer and in the file it sends', async () => {
    const { token } = await logIn(server.ask, ours!.main)
    const app = new Hono<PortalEnv>()
    const tokens = accessTokens(server.deps)
    const unscoped = ({ database }: Deps): AnyRoute => ({
      identify: 'actor',
      handle: async () => ({ data: await idsOf(database.db) }),
    })
    // The file is read only after the answer has begun.
    async function* pieces({ db: from }: Database) {
      yield JSON.stringify({ data: await idsOf(from) })
    }
    const file = { filename: 'ids', contentType: 'application/json', release: async () => undefined }
    const unscopedFile = ({ database }: Deps): AnyRoute => ({
      identify: 'actor',
      handle: () => ({ ...file, pieces: pieces(database) }),
    })
    const depsOf = tenantDeps(server.deps)
    const parts = { deps: server.deps, tokens }
    mount(app, parts, ENDPOINTS['branches.list'], (organisationId) => unscoped(depsOf(organisationId)))
    mount(app, parts, ENDPOINTS['branches.export'], (organisationId) => unscopedFile(depsOf(organisationId)))
    expect((await get((path, init) => app.request(path, init), '/api/branch/list', token)).data).toEqual([
      ours!.organisation.id,
    ])
    const sent = await app.request('/api/branch/export', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ start: 0, limit: 10 }),
    })
    expect(await sent.json()).toEqual({ data: [ours!.organisation.id] })
  })

  it('is its own organisation by hand-written statements, reports and exports of every kind', async () => {
    const { database } = server
    const text = 'SELECT id::text AS id FROM organisation'
    const source = { all: (from: Db) => from.select({ id: organisationTable.id }).from(organisationTable) }
    const mine = as(ours!)
    expect(await mine.run({ name: 'unscoped', text }, [])).toEqual([{ id: ours!.organisation.id }])
    const walled = await mine.openReading()
    expect(await idsOf(walled.db)).toEqual([ours!.organisation.id])
    const rows = []
    for await (const batch of walled.rows(source)) rows.push(...batch)
    expect(rows).toEqual([[ours!.organisation.id]])
    await walled.close()
    // The connection of that reading sees all organisations again.
    const reading = await database.openReading()
    expect(await idsOf(reading.db)).toEqual(expect.arrayContaining([ours!.organisation.id, theirs!.organisation.id]))
    await reading.close()
  })

  it('is no voucher but those it has or had', async () => {
    const till = await makePosUser(db(), theirs)
    await makeVoucher(db())
    await makeRedemption(db(), till, '2026-11-20')
    const mine = await makeRedemption(db(), await makePosUser(db(), ours), '2026-11-20')
    const seen = await as(ours!).db.select({ serial: voucherTable.serial }).from(voucherTable)
    expect(seen).toEqual([{ serial: mine.voucher.serial }])
  })

  it('is nothing while it is not said whose call it is', async () => {
    expect(await idsOf(server.database.forTenant('').db)).toEqual([])
    await expect(idsOf(server.database.forTenant('%').db)).rejects.toSatisfy((error) => failure(error) === '22P02')
  })

  it('is not a row that it would write for somebody else', async () => {
    const { organisation, branch } = theirs!
    const row = {
      id: randomUUID(),
      organisationId: organisation.id,
      name: 'Theirs',
      code: 'X',
      status: 'Active',
    } as const
    const mine = as(ours!).db
    const refused = (write: () => Promise<unknown>) =>
      expect(write()).rejects.toSatisfy((error) => failure(error) === INSUFFICIENT_PRIVILEGE)
    await refused(async () => mine.insert(branchTable).values(row))
    await refused(async () => mine.update(branchTable).set({ organisationId: organisation.id }))
    const is = sql`${branchTable.id} = ${branch.id}`
    await mine.update(branchTable).set({ name: 'Ours' }).where(is)
    await mine.delete(branchTable).where(is)
    expect(await db().select().from(branchTable).where(is)).toEqual([branch])
  })

  it('is a voucher to let go of, and none to take', async () => {
    const free = await makeVoucher(db())
    const is = sql`${voucherTable.id} = ${free.id}`
    const take = { status: 'Used', usedAt: new Date(), organisationId: ours!.organisation.id } as const
    const mine = as(ours!).db
    await mine.update(voucherTable).set(take).where(is)
    const insert = async () => mine.insert(voucherTable).values({ ...free, id: randomUUID() })
    await expect(insert()).rejects.toSatisfy((error) => failure(error) === INSUFFICIENT_PRIVILEGE)
    expect(await db().select().from(voucherTable).where(is)).toEqual([free])
  })
})

describe('a table', () => {
  // Tables without rows of an organisation that calls of tenants may read. The reasons are in server/db/engine/TenantPool.ts.
  const SHARED = ['login_attempt', 'password_nonce', 'product_service_category', 'resource', 'throttle']
  const OUT_OF_REACH = ['captcha_proof', 'ledger_seal', 'mail_outbox', 'sealed_entry', 'voucher_key']

  it('has a policy, or is named here as nobody’s', async () => {
    const { rows } = (await db().execute(sql`
      SELECT c.relname AS name, has_table_privilege('portal_tenant', c.oid, 'SELECT') AS readable
      FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
        AND NOT (c.relrowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid))
      ORDER BY c.relname`)) as unknown as { rows: { name: string; readable: boolean }[] }
    expect(rows.filter(({ readable }) => readable).map(({ name }) => name)).toEqual(SHARED)
    expect(rows.filter(({ readable }) => !readable).map(({ name }) => name)).toEqual(OUT_OF_REACH)
  })

  it('that is added without one is out of a tenant’s reach', async () => {
    await db().execute(sql`CREATE TABLE forgotten (organisation_id uuid)`)
    const read = (async () => as(ours!).db.execute(sql`SELECT FROM forgotten`))()
    await expect(read).rejects.toSatisfy((error) => failure(error) === INSUFFICIENT_PRIVILEGE)
    await db().execute(sql`DROP TABLE forgotten`)
  })
})

describe('a connection', () => {
  const AT_ONCE = 8
  const ROUNDS = 25
  const UNFIT = new Error('the work fails')

  /** Makes a pool with fewer connections than calls, so that each connection goes from one tenant to the next. */
  async function narrow(max: number) {
    const config = { connectionString: server.database.url, max }
    const tenants = new TenantPool({ ...config, options: '-c role=portal_tenant' }, silentLog)
    const boundTo = ({ organisation }: Merchant) =>
      drizzle(new SingleTenantPool(tenants, organisation.id), { casing: 'snake_case' })
    return { tenants, boundTo }
  }

  /** Ways to use a connection and give it back, well or badly. Each returns the ids that it could see. */
  const USES: ((from: Db) => Promise<string[]>)[] = [
    idsOf,
    (from) => from.transaction((tx) => idsOf(tx)),
    async (from) => {
      let seen: string[] = []
      const work = from.transaction(async (tx) => {
        seen = await idsOf(tx)
        throw UNFIT
      })
      await expect(work).rejects.toBe(UNFIT)
      return seen
    },
    async (from) => {
      let seen: string[] = []
      const work = from.transaction(async (tx) => {
        seen = await idsOf(tx)
        await tx.execute(sql`SELECT 1 / 0`)
      })
      await expect(work).rejects.toSatisfy((error) => failure(error) === DIVISION_BY_ZERO)
      return seen
    },
    async (from) => {
      await expect((async () => from.execute(sql`SELECT 1 / 0`))()).rejects.toSatisfy(
        (error) => failure(error) === DIVISION_BY_ZERO,
      )
      return idsOf(from)
    },
  ]

  it.each([1, 2])('shows a tenant nothing of the one before, %i for all, whatever became of its work', async (most) => {
    const { tenants, boundTo } = await narrow(most)
    const seen: [string, string[]][] = []
    const call = async (nth: number) => {
      const merchant = nth % 2 === 0 ? ours! : theirs!
      for (let round = 0; round < ROUNDS; round += 1) {
        const way = USES[(nth + round) % USES.length]!
        seen.push([merchant.organisation.id, await way(boundTo(merchant))])
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, (_, nth) => call(nth)))
    await tenants.end()
    expect(seen).toHaveLength(AT_ONCE * ROUNDS)
    for (const [own, ids] of seen) expect(ids).toEqual([own])
  })

  it('that is given back in the middle of a transaction is not used again', async () => {
    const { tenants, boundTo } = await narrow(1)
    const forgotten = await tenants.connectAs(ours!.organisation.id)
    await forgotten.query('BEGIN')
    forgotten.release()
    expect(await idsOf(boundTo(theirs!))).toEqual([theirs!.organisation.id])
    expect(await idsOf(boundTo(ours!))).toEqual([ours!.organisation.id])
    await tenants.end()
  })
})

describe('at the start', () => {
  /** Opens the database. Returns whether it says that tenants are walled, whether they really are, and the log. */
  async function open(url: string) {
    const log = recordedLog()
    const database = await openPostgresql(url, log)
    const [own] = [await makeMerchant(database.db), await makeMerchant(database.db)]
    const seen = await idsOf(database.forTenant(own.organisation.id).db)
    await database.close()
    return { hasRowSecurity: database.hasRowSecurity, seesOthers: seen.length > 1, events: log.events }
  }

  it.each(['SUPERUSER', 'CREATEROLE'])('the wall is raised by a login that is %s, and binds its calls', async (may) => {
    const { url, remove } = await databaseOfLogin(may)
    // Started twice: the second start finds everything there.
    for (const _ of [1, 2]) expect(await open(url)).toEqual({ hasRowSecurity: true, seesOthers: false, events: [] })
    await remove()
  })

  it('a login that may make no role is told so, and has the wall when somebody has made it', async () => {
    const { url, login, asAdmin, remove } = await databaseOfLogin('')
    const warning = {
      level: 'warn',
      event: 'tenants_not_walled',
      facts: { role: `${login}_tenant`, code: INSUFFICIENT_PRIVILEGE },
    }
    expect(await open(url)).toEqual({ hasRowSecurity: false, seesOthers: true, events: [warning] })
    await asAdmin(`CREATE ROLE ${login}_tenant NOLOGIN; GRANT ${login}_tenant TO ${login}`)
    expect(await open(url)).toEqual({ hasRowSecurity: true, seesOthers: false, events: [] })
    await remove()
  })

  it('a role that no policy binds is no wall', async () => {
    const { url, login, asAdmin, remove } = await databaseOfLogin('')
    await asAdmin(`CREATE ROLE ${login}_tenant NOLOGIN BYPASSRLS; GRANT ${login}_tenant TO ${login}`)
    expect(await open(url)).toMatchObject({ hasRowSecurity: false, events: [{ event: 'tenants_not_walled' }] })
    await remove()
  })
})
