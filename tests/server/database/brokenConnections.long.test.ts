import { once } from 'node:events'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isUnavailable } from '../../../server/db/engine/databaseError.ts'
import { ResilientPool } from '../../../server/db/engine/ResilientPool.ts'
import { testPostgresUrl } from '../../support/database/testDatabase.ts'
import { faultProxy, type FaultProxy } from '../../support/faults/faultProxy.ts'

const CONNECTIONS = 2

describe('connections of PostgreSQL that break', () => {
  let proxy: FaultProxy
  let pool: ResilientPool
  let db: ReturnType<typeof drizzle>
  beforeEach(async () => {
    const url = new URL(testPostgresUrl())
    const { port } = url
    proxy = await faultProxy(() => Number(port))
    url.port = String(proxy.port)
    pool = new ResilientPool({ connectionString: url.href, max: CONNECTIONS, connectionTimeoutMillis: 1_000 })
    pool.on('error', () => undefined)
    db = drizzle(pool)
    await everyConnection(() => select('first'))
  })
  afterEach(async () => {
    await pool.end()
    await proxy.close()
  })

  const everyConnection = <T>(use: () => Promise<T>) => Promise.all(Array.from({ length: CONNECTIONS }, use))
  const select = async (word: string) => (await db.execute<{ word: string }>(sql`SELECT ${word}::text AS word`)).rows
  const transaction = () => db.transaction(async (tx) => (await tx.execute(sql`SELECT pg_sleep(0.1)`)).rowCount)

  it('FLT-04: before a transaction began are not lost to the pool', async () => {
    proxy.halfOpen()
    await everyConnection(() => expect(transaction()).rejects.toSatisfy(isUnavailable))
    await proxy.pass()
    expect(await everyConnection(transaction)).toEqual([1, 1])
  })

  it('FLT-02: in the middle of a transaction end that, and nothing else', async () => {
    const broken = db.transaction(async (tx) => {
      await tx.execute(sql`SELECT 1`)
      proxy.cut()
      await tx.execute(sql`SELECT 2`)
    })
    const idleLost = once(pool, 'error')
    await expect(broken).rejects.toSatisfy(isUnavailable)
    await idleLost
    expect(await everyConnection(transaction)).toEqual([1, 1])
  })

  it('FLT-04: never give the late answer of one question to the next', async () => {
    proxy.blackHole()
    await everyConnection(() => expect(select('second')).rejects.toSatisfy(isUnavailable))
    await proxy.pass()
    expect(await everyConnection(() => select('third'))).toEqual([[{ word: 'third' }], [{ word: 'third' }]])
  })
})
