import { DrizzleQueryError, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../../tests/support/server/silentLog.ts'
import { databaseCode, DatabaseUnavailable, toWaitError, isUnavailable } from './databaseError.ts'
import { ResilientPool } from './ResilientPool.ts'

const failed = (code?: string) => Object.assign(new Error('no'), code === undefined ? {} : { code })
const ofDrizzle = (cause: Error) => new DrizzleQueryError('SELECT', [], cause)

describe('a database error', () => {
  it.each(['08006', '25006', '40001', '53300', '57P01', '57014', 'ECONNREFUSED', 'ECONNRESET'])(
    '%s means it is away',
    (code) => {
      expect(isUnavailable(failed(code))).toBe(true)
      expect(isUnavailable(ofDrizzle(failed(code)))).toBe(true)
    },
  )

  it('without a code means so when the driver lost its connection, not when we made a mistake', () => {
    expect(isUnavailable(ofDrizzle(failed()))).toBe(true)
    expect(isUnavailable(ofDrizzle(new TypeError('x is not a function')))).toBe(false)
    expect(isUnavailable(failed())).toBe(false)
  })

  it.each(['57014', '25006', 'XX000', 'ECONNRESET'])('%s of a wait for the standby means it is away', (code) => {
    expect(toWaitError(ofDrizzle(failed(code)))).toBeInstanceOf(DatabaseUnavailable)
  })

  it('of a wait for the standby that is a mistake of ours stays one', () => {
    for (const mistake of [new TypeError('x is not a function'), failed('42501')])
      expect(toWaitError(ofDrizzle(mistake))).toMatchObject({ cause: mistake, name: 'Error' })
    expect(isUnavailable(toWaitError(ofDrizzle(failed('42501'))))).toBe(false)
  })

  it('that says no is not that', () => {
    expect(isUnavailable(ofDrizzle(failed('23505')))).toBe(false)
    expect(databaseCode(ofDrizzle(failed('23505')))).toBe('23505')
  })
})

describe('a pool that reaches nobody', () => {
  // Port 1 is reserved and closed.
  const pool = new ResilientPool(
    { connectionString: 'postgres://x@127.0.0.1:1/x', connectionTimeoutMillis: 500 },
    silentLog,
  )
  afterAll(() => pool.end())

  it('fails with a type, by promise, by callback, and through Drizzle in and out of a transaction', async () => {
    const db = drizzle(pool)
    await expect(pool.connect()).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(pool.query('SELECT 1')).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(db.execute(sql`SELECT 1`)).rejects.toSatisfy(isUnavailable)
    await expect(db.transaction(async () => undefined)).rejects.toSatisfy(isUnavailable)
  })
})
