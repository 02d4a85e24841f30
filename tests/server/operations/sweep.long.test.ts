import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { sweepStaleRows } from '../../../server/background/scheduledJobs.ts'
import { isBlocked } from '../../../server/db/accounts/login/loginAttempts.ts'
import { loginAttempt, throttle } from '../../../server/db/schema/accounts.ts'
import { hold } from '../../../server/db/schema/redemptions.ts'
import { blockedUntil, countFailure, THROTTLES } from '../../../server/db/throttles.ts'
import { loginAttemptKey } from '../../../server/services/accounts/login/throttledAttempt.ts'
import { tryToLogIn } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { cancelHeld, newHoldKey, testTill } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const sweep = () => sweepStaleRows(server.deps)
const sizeOf = async (table: string) => {
  await db().execute(sql.raw(`VACUUM ${table}`))
  const { rows } = (await db().execute(
    sql.raw(`SELECT pg_total_relation_size('${table}')::float8 AS bytes`),
  )) as unknown as {
    rows: { bytes: number }[]
  }
  return rows[0]!.bytes
}
const MB = 1_000_000

it('AUT-04: failures are remembered for a day, and a wait to its end', async () => {
  const { main } = await makeMerchant(db())
  const rows = () =>
    db()
      .select()
      .from(loginAttempt)
      .where(eq(loginAttempt.account, loginAttemptKey('merchant', main.loginName)))
  for (let tries = 0; tries < 4; tries += 1) await tryToLogIn(ask, main, 'Wrong-Horse-2026!')
  server.clock.advance({ hours: 23, minutes: 59 })
  await sweep()
  expect(await rows()).toMatchObject([{ failures: 4 }])
  await tryToLogIn(ask, main, 'Wrong-Horse-2026!')
  expect((await tryToLogIn(ask, main)).status).toBe(429)
  server.clock.advance({ hours: 24, seconds: 1 })
  await sweep()
  expect(await rows()).toEqual([])
})

it(
  'AUT-06: windows that are over are forgotten, and a million lines take less than 50 MB',
  { timeout: 180_000 },
  async () => {
    for (let round = 0; round < 10; round += 1) {
      const ends = new Date(server.clock.now().getTime() + 3_600_000).toISOString()
      await db().execute(sql`
      INSERT INTO throttle (key, failures, window_ends_at)
      SELECT 'signup:2001:db8:' || to_hex(${round}::int) || ':' || to_hex(n) || '::/64', 1, ${ends}::timestamptz
      FROM generate_series(1, 100000) AS n`)
      server.clock.advance({ minutes: 1 })
      await sweep()
      expect(await sizeOf('throttle')).toBeLessThan(50 * MB)
    }
    server.clock.advance({ hours: 1 })
    await sweep()
    expect(await db().select().from(throttle)).toEqual([])
  },
)

it('AUT-18: a block in force outlasts a flood of other counts', { timeout: 60_000 }, async () => {
  const now = server.clock.now()
  const [user, name] = [randomUUID(), loginAttemptKey('merchant', 'blocked@test.example')]
  for (let tries = 0; tries <= THROTTLES.mfaCode.failures; tries += 1)
    await countFailure(db(), THROTTLES.mfaCode, user, now)
  await db().execute(sql`INSERT INTO login_attempt (account, failures, pending, pending_since, blocked_until)
    VALUES (${name}, 10, 0, ${now.toISOString()}::timestamptz, ${new Date(now.getTime() + 900_000).toISOString()}::timestamptz)`)
  server.clock.advance({ minutes: 1 })
  const at = server.clock.now()
  await db().execute(sql`INSERT INTO throttle (key, failures, window_ends_at)
    SELECT 'signup:2001:db8:0:' || to_hex(n) || '::/64', 1, ${new Date(at.getTime() + 3_600_000).toISOString()}::timestamptz
    FROM generate_series(1, 100100) AS n`)
  await db().execute(sql`INSERT INTO login_attempt (account, failures, pending, pending_since)
    SELECT 'merchant:' || to_hex(n), 1, 0, ${at.toISOString()}::timestamptz FROM generate_series(1, 100100) AS n`)
  await sweep()
  expect(await blockedUntil(db(), THROTTLES.mfaCode, user, at)).toEqual(new Date(now.getTime() + 900_000))
  expect(await isBlocked(db(), name, at)).toBe(true)
  server.clock.advance({ hours: 25 })
  await sweep()
  expect(await db().select().from(throttle)).toEqual([])
  expect(await db().select().from(loginAttempt)).toEqual([])
})

it('VCH-09: a hold that was never made is forgotten when no verify can come any more, one that was made is not', async () => {
  const till = await testTill(ask, await makePosUser(db()))
  const made = await till.hold((await makeVoucher(db())).serial)
  expect((await cancelHeld(ask, made)).state).toBe('ended')
  const late = newHoldKey()
  expect((await cancelHeld(ask, late)).state).toBe('ended')
  const voucher = await makeVoucher(db())
  server.clock.advance({ minutes: 10 })
  await sweep()
  const again = await testTill(ask, await makePosUser(db()))
  expect(await again.verify(voucher.serial, late)).toMatchObject({ status: 409, error: 'HOLD_ENDED' })
  for (let n = 0; n < 59; n += 1) {
    await cancelHeld(ask, newHoldKey())
  }
  server.clock.advance({ minutes: 15, seconds: 1 })
  await sweep()
  expect((await db().select().from(hold)).map(({ id }) => id)).toEqual([made.id])
  expect(await cancelHeld(ask, made)).toMatchObject({ state: 'ended', by: 'cancelled' })
})
