import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database, Statement } from '../../../server/db/engine/Database.ts'
import { isUnavailable } from '../../../server/db/engine/databaseError.ts'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { faultProxy, type FaultProxy } from '../../support/faults/faultProxy.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { silentLog } from '../../support/server/silentLog.ts'

const NOTE: Statement<[n: number], never> = { name: 'note', text: 'INSERT INTO noted VALUES ($1::integer)' }
const COUNT: Statement<[], { notes: number }> = { name: 'count', text: 'SELECT count(*)::integer AS notes FROM noted' }

/** More than the pool has connections, so that each is used again. */
const REPEATS = 25

describe('a transaction of hand-written statements', () => {
  let place: ServerEnvironment
  let proxy: FaultProxy
  let database: Database
  beforeEach(async () => {
    place = await serverEnvironment()
    const url = new URL(place.env.DATABASE_URL)
    const { port } = url
    proxy = await faultProxy(() => Number(port))
    url.port = String(proxy.port)
    database = await openPostgresql(url.href, silentLog)
    await database.db.execute(sql`CREATE TABLE noted (n integer PRIMARY KEY)`)
  })
  afterEach(async () => {
    await database.close()
    await proxy.close()
    await place.remove()
  })

  const notes = async () => (await database.run(COUNT, []))[0]!.notes
  /** Expects every connection of the pool to work and to be in no transaction. */
  const expectUsable = () => Promise.all(Array.from({ length: REPEATS }, () => expect(notes()).resolves.toBeDefined()))

  it('writes all of it, what nobody waited for too', async () => {
    await database.transaction(async (tx) => {
      await tx.run(NOTE, [1])
      void tx.run(NOTE, [2])
    })
    expect(await notes()).toBe(2)
  })

  it('writes nothing when its work throws, while statements are under way', async () => {
    const work = database.transaction(async (tx) => {
      void tx.run(NOTE, [1])
      throw new RangeError('changed its mind')
    })
    await expect(work).rejects.toThrow('changed its mind')
    expect(await notes()).toBe(0)
    await expectUsable()
  })

  it('FLT-02: is no success when a statement that nobody waited for has failed', async () => {
    const work = database.transaction(async (tx) => {
      await tx.run(NOTE, [1])
      void tx.run(NOTE, [1])
      return 'done'
    })
    await expect(work).rejects.toThrow('duplicate key')
    expect(await notes()).toBe(0)
    await expectUsable()
  })

  it('FLT-02: cut off between its packets writes nothing, and says that the database was not there', async () => {
    const work = database.transaction(async (tx) => {
      await tx.run(NOTE, [1])
      proxy.cut()
      await tx.run(NOTE, [2])
    })
    await expect(work).rejects.toSatisfy(isUnavailable)
    expect(await notes()).toBe(0)
    await expectUsable()
  })

  it('FLT-02: whose answer to COMMIT is lost says that it does not know, although it is written', async () => {
    const work = database.transaction(async (tx) => {
      await tx.run(NOTE, [1])
      proxy.loseAnswers()
    })
    await expect(work).rejects.toSatisfy(isUnavailable)
    await proxy.pass()
    expect(await notes()).toBe(1)
    await expectUsable()
  })

  it('FLT-04: that never hears an answer gives its connection up, and the next one does not get the old answers', async () => {
    const work = database.transaction(async (tx) => {
      await tx.run(NOTE, [1])
      proxy.blackHole()
      await tx.run(NOTE, [2])
    })
    await expect(work).rejects.toSatisfy(isUnavailable)
    await proxy.pass()
    await expectUsable()
    expect(await notes()).toBe(0)
  }, 20_000)
})
