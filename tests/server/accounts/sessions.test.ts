import { and, eq, isNull } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect } from 'vitest'
import { session } from '../../../server/db/schema/accounts.ts'
import { appUser } from '../../../server/db/schema/organisations.ts'
import { get, logIn, post, refresh, reply, send } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, type User, makeTill } from '../../support/database/builders.ts'
import { newHoldKey, verifyAt } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let main: User
beforeEach(async () => {
  server.log.events.length = 0
  main = (await makeMerchant(db())).main
})

const myInfo = (token: string, headers?: Record<string, string>) => get(ask, '/api/account/my_info', token, headers)
const jtiOf = (token: string) => decodeJwt(token).jti
const refused = (error: string) => ({ status: 401, error })
const REPORT = '/reporting/report/merchant/transaction_report'
const NOVEMBER = { from: '2026-11-01', to: '2026-11-02' }
const sessionsOf = (user: User) => db().select().from(session).where(eq(session.userId, user.id))

async function refreshed(token: string, cookie: string): Promise<string> {
  const { status, data, error } = await refresh(ask, token, cookie)
  expect(`${status} ${error ?? ''}`).toBe('200 ')
  return data.access_token
}

describe('an access token', () => {
  it('SES-05: lives ten minutes; expired, it is good for the refresh alone and harms nothing', async () => {
    const { token, cookie } = await logIn(ask, main)
    const before = await sessionsOf(main)
    server.clock.advance({ minutes: 9, seconds: 59 })
    expect((await myInfo(token)).status).toBe(200)
    server.clock.advance({ seconds: 1 })
    expect(await myInfo(token)).toMatchObject(refused('TOKEN_EXPIRED'))
    const table = await post(ask, '/api/voucher/datatable', { start: 0, limit: 10 }, token)
    expect(table).toMatchObject(refused('TOKEN_EXPIRED'))
    expect(await sessionsOf(main)).toEqual(before)
    const next = await refreshed(token, cookie)
    expect((await myInfo(next)).status).toBe(200)
  })
})

describe('refreshing', () => {
  it('rotates; the previous token still works for requests under way', async () => {
    const { token, cookie } = await logIn(ask, main)
    const next = await refreshed(token, cookie)
    expect(jtiOf(next)).not.toBe(jtiOf(token))
    expect((await myInfo(token)).status).toBe(200)
  })

  it.each([5, 300])(
    'SES-12: gives the same successor again when its answer was lost, after %i seconds too',
    async (seconds) => {
      const { token, cookie } = await logIn(ask, main)
      const lost = await refreshed(token, cookie)
      server.clock.advance({ seconds })
      const again = await refreshed(token, cookie)
      expect(jtiOf(again)).toBe(jtiOf(lost))
      expect(decodeJwt(again).exp! - decodeJwt(lost).exp!).toBe(seconds)
      expect((await myInfo(again)).status).toBe(200)
    },
  )

  it('SES-11: asked twice within one second, with the same token, gives one successor', async () => {
    const { token, cookie } = await logIn(ask, main)
    const [first, second] = [await refreshed(token, cookie), await refreshed(token, cookie)]
    expect(jtiOf(second)).toBe(jtiOf(first))
    expect(await sessionsOf(main)).toMatchObject([{ jti: jtiOf(first), previousJti: jtiOf(token), endedAt: null }])
  })

  it('SES-12: does so for ten seconds after the successor was seen too; after that it is reuse and ends the session', async () => {
    const { token, cookie } = await logIn(ask, main)
    const next = await refreshed(token, cookie)
    await myInfo(next)
    server.clock.advance({ seconds: 10 })
    expect(jtiOf(await refreshed(token, cookie))).toBe(jtiOf(next))
    server.clock.advance({ seconds: 1 })
    expect(await refresh(ask, token, cookie)).toMatchObject(refused('TOKEN_REUSED'))
    expect(await myInfo(next)).toMatchObject(refused('SESSION_ENDED'))
    expect(await sessionsOf(main)).toMatchObject([{ endedReason: 'reused' }])
  })

  it('a check bearing the successor confirms it as well', async () => {
    const till = await makePosUser(db())
    const { token, cookie } = await logIn(ask, till)
    const next = await refreshed(token, cookie)
    const { id } = await makeTill(db(), till)
    expect((await verifyAt({ ask, token: next, till: id }, '2000000000008', newHoldKey())).error).toBe(
      'VOUCHER_UNKNOWN',
    )
    expect(await sessionsOf(till)).toMatchObject([{ confirmedAt: server.clock.now() }])
  })

  it('SES-10: with a token older than the previous one ends the session, and says so to the operator', async () => {
    const { token, cookie } = await logIn(ask, main)
    const second = await refreshed(token, cookie)
    const third = await refreshed(second, cookie)
    expect(await refresh(ask, token, cookie)).toMatchObject(refused('TOKEN_REUSED'))
    expect(await myInfo(third)).toMatchObject(refused('SESSION_ENDED'))
    expect(alerts()).toEqual([{ level: 'warn', event: 'token_reused', facts: aboutSession(third) }])
  })

  it('SES-11: many tabs at once all get the one successor', async () => {
    const { token, cookie } = await logIn(ask, main)
    const tokens = await Promise.all(Array.from({ length: 10 }, () => refreshed(token, cookie)))
    expect(new Set(tokens.map(jtiOf)).size).toBe(1)
  })

  it('SES-09: without the cookie, or with another one, is refused, costs the owner nothing and is told to the operator', async () => {
    const { token, cookie } = await logIn(ask, main)
    const { cookie: foreign } = await logIn(ask, (await makeMerchant(db())).main)
    expect(await get(ask, '/api/account/refresh', token)).toMatchObject(refused('BINDING_MISMATCH'))
    expect(await refresh(ask, token, foreign)).toMatchObject(refused('BINDING_MISMATCH'))
    const alert = { level: 'warn', event: 'binding_mismatch', facts: aboutSession(token) }
    const advice = { level: 'warn', event: 'cookie_not_returned', facts: {} }
    expect(alerts()).toEqual([alert, advice, alert])
    expect(await get(ask, '/api/account/refresh', token)).toMatchObject(refused('BINDING_MISMATCH'))
    expect(alerts()).toEqual([alert, advice, alert, alert])
    await refreshed(token, cookie)
  })

  /** Returns the warnings in the log. */
  const alerts = () => server.log.events.filter(({ level }) => level === 'warn')

  function aboutSession(token: string) {
    const { sub, sid } = decodeJwt(token)
    return { user: sub, session: sid }
  }
})

describe('one session per user', () => {
  const TERMINATED = {
    ...refused('SESSION_TERMINATED'),
    body: { message: 'Your account was logged in on another device. Only one active session is allowed.' },
  }

  it('SES-13: the earlier one is told, and one is live', async () => {
    const earlier = await logIn(ask, main)
    const later = await logIn(ask, main)
    expect(await myInfo(earlier.token)).toMatchObject(TERMINATED)
    expect(await refresh(ask, earlier.token, earlier.cookie)).toMatchObject(TERMINATED)
    expect((await myInfo(later.token)).status).toBe(200)
    expect((await sessionsOf(main)).filter(({ endedAt }) => endedAt === null)).toHaveLength(1)
  })

  it('SES-16: the reporting backend finds out by itself', async () => {
    const { token } = await logIn(ask, main)
    const report = async () =>
      reply(await send(ask, 'POST', REPORT, { body: NOVEMBER, token, headers: { 'login-type': 'MERCHANT' } }))
    await logIn(ask, main)
    expect(await report()).toMatchObject(TERMINATED)
  })

  it('SES-14: fifty logins at once leave exactly one', async () => {
    const signed = await Promise.all(Array.from({ length: 50 }, () => logIn(ask, main)))
    const replies = await Promise.all(signed.map(({ token }) => myInfo(token)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ error }) => error === 'SESSION_TERMINATED')).toHaveLength(49)
    const live = await db()
      .select()
      .from(session)
      .where(and(eq(session.userId, main.id), isNull(session.endedAt)))
    expect(live).toHaveLength(1)
  })
})

describe('the end of a session', () => {
  it('SES-08: by its person', async () => {
    const { token, cookie } = await logIn(ask, main)
    const out = await get(ask, '/api/account/logout', token)
    expect(out).toMatchObject({ status: 200, data: { ended: true } })
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
    expect(out.headers.get('cache-control')).toBe('no-store')
    expect(await myInfo(token)).toMatchObject(refused('SESSION_ENDED'))
    expect(await refresh(ask, token, cookie)).toMatchObject(refused('SESSION_ENDED'))
  })

  it('SES-22: not by another site, which can send the cookie but no token', async () => {
    const { token, cookie } = await logIn(ask, main)
    const image = { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
    for (const path of ['/api/account/logout', '/api/account/refresh']) {
      expect(await get(ask, path, undefined, image)).toMatchObject(refused('TOKEN_MISSING'))
    }
    expect((await myInfo(token)).status).toBe(200)
  })

  it('SES-15: by the deactivation of its user, on both backends and at the refresh', async () => {
    const { token, cookie } = await logIn(ask, main)
    await db().update(appUser).set({ status: 'Inactive' }).where(eq(appUser.id, main.id))
    expect(await myInfo(token)).toMatchObject(refused('SESSION_ENDED'))
    expect(await refresh(ask, token, cookie)).toMatchObject(refused('SESSION_ENDED'))
    const report = await reply(
      await send(ask, 'POST', REPORT, { body: NOVEMBER, token, headers: { 'login-type': 'MERCHANT' } }),
    )
    expect(report).toMatchObject(refused('SESSION_ENDED'))
  })

  /** Refreshes every 9 minutes for `minutes`, as an open tab does. Returns the last answer. */
  async function keepOpen(
    signed: { token: string; cookie: string },
    minutes: number,
    headers: Record<string, string> = {},
  ) {
    let { token } = signed
    for (let passed = 0; passed < minutes; passed += 9) {
      server.clock.advance({ minutes: 9 })
      const { status, data, error } = await refresh(ask, token, signed.cookie, headers)
      if (status !== 200) return error
      token = data.access_token
    }
    return 'open'
  }

  it('SES-06: by nobody doing anything for 15 minutes, however often its tab calls', async () => {
    const signed = await logIn(ask, main)
    expect(await keepOpen(signed, 9)).toBe('open')
    const again = await logIn(ask, main)
    expect(await keepOpen(again, 27)).toBe('SESSION_EXPIRED')
  })

  it('SES-06: not while a person is active, as their device tells', async () => {
    const signed = await logIn(ask, main)
    expect(await keepOpen(signed, 90, { 'idle-seconds': '5' })).toBe('open')
  })

  it('SES-06: counted from the last action, not from the call that tells of it', async () => {
    const { token, cookie } = await logIn(ask, main)
    server.clock.advance({ minutes: 9 })
    await myInfo(token, { 'idle-seconds': '240' })
    server.clock.advance({ minutes: 12 })
    expect((await refresh(ask, token, cookie)).error).toBe('SESSION_EXPIRED')
  })

  it('SES-06: not postponed by nonsense or by a device that claims the future', async () => {
    const { token } = await logIn(ask, main)
    server.clock.advance({ minutes: 9 })
    for (const nonsense of ['-100', '1e3', 'now', '99999999']) await myInfo(token, { 'idle-seconds': nonsense })
    const [row] = await sessionsOf(main)
    expect(row!.lastActiveAt).toEqual(row!.createdAt)
  })

  it('writes activity at most every 30 seconds', async () => {
    const { token } = await logIn(ask, main)
    const [{ createdAt } = { createdAt: undefined }] = await sessionsOf(main)
    server.clock.advance({ seconds: 29 })
    await myInfo(token, { 'idle-seconds': '0' })
    expect(await sessionsOf(main)).toMatchObject([{ lastActiveAt: createdAt }])
    server.clock.advance({ seconds: 1 })
    await myInfo(token, { 'idle-seconds': '0' })
    expect(await sessionsOf(main)).toMatchObject([{ lastActiveAt: server.clock.now() }])
  })

  it('SES-07: after twelve hours, however active', async () => {
    const busy = { 'idle-seconds': '0' }
    expect(await keepOpen(await logIn(ask, main), 12 * 60 - 9, busy)).toBe('open')
    expect(await keepOpen(await logIn(ask, main), 12 * 60 + 9, busy)).toBe('SESSION_EXPIRED')
  })

  it('SES-06: after four idle hours at the counter', async () => {
    const till = await makePosUser(db())
    expect(await keepOpen(await logIn(ask, till), 3 * 60 + 54)).toBe('open')
    expect(await keepOpen(await logIn(ask, till), 4 * 60 + 9)).toBe('SESSION_EXPIRED')
  })
})
