import { randomBytes, type KeyObject } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import { CompactEncrypt, decodeJwt, importSPKI, SignJWT } from 'jose'
import { beforeEach, describe, expect, vi } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { reserveAttempt } from '../../../server/db/accounts/login/loginAttempts.ts'
import { session } from '../../../server/db/schema/accounts.ts'
import { readSecrets } from '../../../server/secrets/secrets.ts'
import { loginAttemptKey } from '../../../server/services/accounts/login/throttledAttempt.ts'
import {
  encryptPassword,
  get,
  login,
  post,
  reply,
  send,
  tryToLogIn,
  type Ask,
  type Reply,
} from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makeOrganisation,
  makePosUser,
  makeUser,
  PASSWORD,
  type User,
} from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import { freshPem } from '../../support/server/testSecrets.ts'
import { type TestServer } from '../../support/server/testServer.ts'

beforeEach(() => void vi.mocked(verify).mockClear())
const REFUSED = { status: 400, error: 'INVALID_CREDENTIALS' }
const withoutRequestId = ({ status, body }: Reply) => ({ status, ...(body as object), request_id: '' })
const makeMain = async (given: Partial<User> = {}) =>
  makeUser(db(), 'HRP Merchant', { organisation: await makeOrganisation(db()) }, given)

describe('logging in', () => {
  it('gives a token of ids only, the public key and cookies that scripts and other sites cannot use', async () => {
    const main = await makeMain()
    const { status, data, headers } = await tryToLogIn(ask, main)
    expect(status).toBe(200)
    expect(data).toEqual({ access_token: expect.any(String), public_key: server.deps.secrets.passwordKey.publicPem })
    const [head, claims] = data.access_token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object)
    expect(head).toEqual({ alg: 'HS256', typ: 'at+jwt' })
    expect(Object.keys(claims!).toSorted()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub'])
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^binding=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=34560000$/),
    ])
  })

  it('binds the cookies to the host over https', async () => {
    const settings = { ...server.deps.settings, publicUrl: 'https://portal.example' }
    const app = createApp({ ...server.deps, settings })
    const { headers } = await tryToLogIn((path, init) => app.request(path, init), await makeMain())
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-binding=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/),
      expect.stringMatching(/^__Host-device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=34560000; Secure$/),
    ])
  })

  it('reads the name whatever its case, and keeps emails and usernames apart', async () => {
    const main = await makeMain({ loginName: 'mixed.case@test.example' })
    expect((await tryToLogIn(ask, { ...main, loginName: ' Mixed.CASE@test.example ' })).status).toBe(200)
    expect(await tryToLogIn(ask, { ...main, loginKind: 'pos' })).toMatchObject(REFUSED)
  })

  it('AUT-12: takes 128 characters of four bytes', async () => {
    const long = '🔒'.repeat(128)
    expect(await tryToLogIn(ask, await makeMain(), long)).toMatchObject(REFUSED)
    expect(vi.mocked(verify)).toHaveBeenCalledTimes(1)
    expect(vi.mocked(verify).mock.calls[0]?.[1]).toBe(long)
  })

  it('AUT-03: lets a gated main merchant in', async () => {
    for (const status of ['Pending Activation', 'Pending Authorisation', 'Authorisation Rejected'] as const) {
      const { main } = await makeMerchant(db(), 'HRP Merchant', status)
      expect((await tryToLogIn(ask, main)).status).toBe(200)
    }
  })
})

describe('who cannot log in', () => {
  it('AUT-01: an unknown name, a wrong password and an inactive account with a wrong one get the same answer, after one hash each', async () => {
    const [known, inactive] = [await makeMain(), await makeMain({ status: 'Inactive' })]
    const unknown = { ...known, loginName: 'nobody@test.example' }
    const replies = []
    for (const user of [known, inactive, unknown]) {
      vi.mocked(verify).mockClear()
      replies.push(await tryToLogIn(ask, user, 'wrong'))
      expect(vi.mocked(verify)).toHaveBeenCalledTimes(1)
    }
    const [first, ...others] = replies.map(withoutRequestId)
    expect(first).toMatchObject(REFUSED)
    for (const other of others) expect(other).toEqual(first)
    const headerNames = replies.map(({ headers }) => [...headers.keys()].toSorted().join())
    expect(new Set(headerNames).size).toBe(1)
  })

  it('AUT-03: an inactive account, branch or organisation hears so after the right password only', async () => {
    const closed = await makeOrganisation(db(), { status: 'Inactive' })
    const organisation = await makeOrganisation(db())
    const shut = await makeBranch(db(), organisation, { status: 'Inactive' })
    const users = [
      await makeMain({ status: 'Inactive' }),
      await makeUser(db(), 'HRP Merchant', { organisation: closed }),
      await makePosUser(db(), { organisation, branch: shut }),
    ]
    for (const user of users) {
      expect(await tryToLogIn(ask, user, 'wrong')).toMatchObject(REFUSED)
      expect(await tryToLogIn(ask, user)).toMatchObject({ status: 403, error: 'ACCOUNT_INACTIVE' })
    }
    const sessions = await db().select().from(session)
    expect(sessions.filter(({ userId }) => users.some(({ id }) => id === userId))).toEqual([])
  })

  it('AUT-03: an account that was invited but not activated hears so after the right password only', async () => {
    const organisation = await makeOrganisation(db())
    const master = await makeUser(db(), 'Additional Merchant', { organisation }, { status: 'Pending Activation' })
    expect(await tryToLogIn(ask, master, 'wrong')).toMatchObject(REFUSED)
    expect(await tryToLogIn(ask, master)).toMatchObject({ status: 403, error: 'ACCOUNT_PENDING_ACTIVATION' })
  })
})

describe('the encrypted password', () => {
  it('AUT-07: is good once', async () => {
    const main = await makeMain()
    const jwe = await encryptPassword(ask, PASSWORD)
    expect((await login(ask, main, jwe)).status).toBe(200)
    expect(await login(ask, main, jwe)).toMatchObject(REFUSED)
  })

  it('AUT-07: is good for ten minutes, and with a nonce of ours only', async () => {
    const main = await makeMain()
    const late = await encryptPassword(ask, PASSWORD)
    server.clock.advance({ minutes: 10 })
    expect(await login(ask, main, late)).toMatchObject(REFUSED)
    expect(await login(ask, main, await encryptPassword(ask, PASSWORD, { nonce: 'mine' }))).toMatchObject(REFUSED)
  })

  it('AUT-07: that cannot be read, or has no nonce of ours, is like a wrong one, and is not hashed', async () => {
    const main = await makeMain()
    const { data: key } = await get<{ public_key: string; key_id: string }>(ask, '/api/auth/encryption_public_key')
    const header = (alg: string, enc = 'A256GCM') => ({ alg, enc, kid: key.key_id })
    const encrypt = async (plain: Uint8Array, alg = 'RSA-OAEP-256', enc?: string) =>
      new CompactEncrypt(plain).setProtectedHeader(header(alg, enc)).encrypt(await importSPKI(key.public_key, alg))
    const unreadable = [
      'a.b.c.d.e',
      [...Array(5)].map(() => randomBytes(64).toString('base64url')).join('.'),
      `${Buffer.from('{"alg":"RSA1_5","enc":"A256GCM"}').toString('base64url')}.${randomBytes(256).toString('base64url')}.a.b.c`,
      `${Buffer.from('{"alg":"dir"}').toString('base64url')}.a.b.c.d`,
      await encrypt(new TextEncoder().encode('{"password":"x"}')),
      await encrypt(new TextEncoder().encode('not json')),
      await encrypt(new Uint8Array([0xff, 0xfe, 0x80])),
      await encrypt(new TextEncoder().encode('{}'), 'RSA-OAEP'),
      await encrypt(new TextEncoder().encode('{}'), 'RSA-OAEP-256', 'A128GCM'),
      await encryptPassword(ask, PASSWORD, { nonce: 'mine' }),
    ]
    for (const jwe of unreadable) expect(await login(ask, main, jwe)).toMatchObject(REFUSED)
    expect(vi.mocked(verify)).not.toHaveBeenCalled()
    // These were no guesses, so they do not count against the account.
    expect((await tryToLogIn(ask, main)).status).toBe(200)
  })

  it('AUT-08: in clear, or too long, is refused unread and never logged', async () => {
    const body = { kind: 'merchant', email: 'main@test.example' }
    const refused = { status: 422, error: 'VALIDATION_FAILED' }
    const clear = await post(ask, '/api/auth/login', { ...body, password: PASSWORD })
    expect(clear).toMatchObject(refused)
    expect(await post(ask, '/api/auth/login', { ...body, encrypted_password: PASSWORD })).toMatchObject(refused)
    for (const bad of ['', `a.b.c.d.${'e'.repeat(5_000)}`]) {
      expect(await post(ask, '/api/auth/login', { ...body, encrypted_password: bad })).toMatchObject(refused)
    }
    expect(server.log.events.length).toBeGreaterThan(0)
    expect(JSON.stringify([clear.body, server.log.events])).not.toContain(PASSWORD)
  })

  it('AUT-07: of a megabyte is refused unread, whatever is in it', async () => {
    vi.mocked(verify).mockClear()
    const body = { kind: 'merchant', email: 'main@test.example', encrypted_password: 'e'.repeat(1_048_576) }
    expect(await post(ask, '/api/auth/login', body)).toMatchObject({ status: 413, error: 'PAYLOAD_TOO_LARGE' })
    expect(vi.mocked(verify)).not.toHaveBeenCalled()
  })

  it('AUT-09: for a key that is not ours any more is told to fetch the new one', async () => {
    const main = await makeMain()
    const jwe = await encryptPassword(ask, PASSWORD)
    const rotated = createApp({ ...server.deps, secrets: readSecrets('x'.repeat(32), freshPem()) })
    const askRotated: Ask = (path, init) => rotated.request(path, init)
    expect(await login(askRotated, main, jwe)).toMatchObject({ status: 400, error: 'KEY_EXPIRED' })
    expect((await tryToLogIn(askRotated, main)).status).toBe(200)
  })
})

describe('AUT-09: a rotated key', () => {
  /** Returns the server after a key rotation at this moment. The key of `before` becomes its previous key. */
  function rotate(before: TestServer) {
    const until = new Date(before.clock.now().getTime() + 10 * 60_000)
    const previousPasswordKey = { ...before.deps.secrets.passwordKey, until }
    const secrets = { ...readSecrets('a secret of at least thirty-two bytes', freshPem()), previousPasswordKey }
    const rotated = createApp({ ...before.deps, secrets })
    return { secrets, ask: ((path, init) => rotated.request(path, init)) as Ask }
  }

  it('still opens for ten minutes what was sealed before, and is not offered any more', async () => {
    const main = await makeMain()
    const sealed = await encryptPassword(ask, PASSWORD)
    const rotated = rotate(server)
    const { data: offered } = await get<{ key_id: string }>(rotated.ask, '/api/auth/encryption_public_key')
    expect(offered.key_id).toBe(rotated.secrets.passwordKey.id)
    server.clock.advance({ minutes: 9, seconds: 59 })
    const { status, data } = await login(rotated.ask, main, sealed)
    expect(status).toBe(200)
    expect(data).toMatchObject({ public_key: rotated.secrets.passwordKey.publicPem })
  })

  it('then answers KEY_EXPIRED, which does not count as a failed login', async () => {
    const main = await makeMain()
    const rotated = rotate(server)
    server.clock.advance({ minutes: 10 })
    for (let tries = 0; tries < 6; tries += 1) {
      const sealed = await encryptPassword(ask, PASSWORD)
      expect(await login(rotated.ask, main, sealed)).toMatchObject({ status: 400, error: 'KEY_EXPIRED' })
    }
    expect((await tryToLogIn(rotated.ask, main)).status).toBe(200)
  })
})

describe('AUT-10: one key, one use', () => {
  it('tokens are signed with another key than passwords are encrypted for, and no half of that one signs a token', async () => {
    const { jwtSecret, passwordKey } = server.deps.secrets
    const privatePem = passwordKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const { sub, sid, jti } = decodeJwt((await tryToLogIn(ask, await makeMain())).data.access_token)
    const sign = (key: Uint8Array | KeyObject, alg: string) =>
      new SignJWT({ sub: sub!, sid: sid!, jti: jti! })
        .setProtectedHeader({ alg, typ: 'at+jwt' })
        .setIssuer('http://127.0.0.1:8080')
        .setAudience('merchant-portal')
        .setIssuedAt(server.clock.now())
        .setExpirationTime(new Date(server.clock.now().getTime() + 600_000))
        .sign(key)
    const text = new TextEncoder()
    expect((await get(ask, '/api/account/my_info', await sign(jwtSecret, 'HS256'))).status).toBe(200)
    const forged = [
      await sign(text.encode(passwordKey.publicPem), 'HS256'),
      await sign(text.encode(passwordKey.publicPem.trim()), 'HS256'),
      await sign(text.encode(privatePem), 'HS256'),
      await sign(passwordKey.privateKey, 'RS256'),
      await sign(passwordKey.privateKey, 'PS256'),
    ]
    for (const token of forged) {
      expect(await get(ask, '/api/account/my_info', token)).toMatchObject({ status: 401, error: 'TOKEN_INVALID' })
    }
  })
})

describe('guessing', () => {
  const RETRY_AFTER = [30, 60, 120, 240, 480, 900, 900]

  it('AUT-04: waits from the sixth failure on, longer each time, at most 15 minutes', async () => {
    const main = await makeMain()
    for (let tries = 0; tries < 5; tries += 1) expect(await tryToLogIn(ask, main, 'wrong')).toMatchObject(REFUSED)
    for (const seconds of RETRY_AFTER) {
      vi.mocked(verify).mockClear()
      const blocked = await tryToLogIn(ask, main)
      expect(blocked).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
      expect(blocked.headers.get('retry-after')).toBe(String(seconds))
      expect(vi.mocked(verify)).not.toHaveBeenCalled()
      server.clock.advance({ seconds })
      expect(await tryToLogIn(ask, main, 'wrong')).toMatchObject(REFUSED)
    }
    server.clock.advance({ minutes: 15 })
    expect((await tryToLogIn(ask, main)).status).toBe(200)
    expect(await tryToLogIn(ask, main, 'wrong')).toMatchObject(REFUSED)
  })

  it('AUT-04: counts on the account, not on the address it comes from', async () => {
    const main = await makeMain()
    const replies = []
    for (let from = 0; from < 30; from += 1) {
      const body = { kind: 'merchant', email: main.loginName, encrypted_password: await encryptPassword(ask, 'wrong') }
      const headers = { 'x-forwarded-for': `203.0.113.${from}`, forwarded: `for=203.0.113.${from}` }
      replies.push(await reply(await send(ask, 'POST', '/api/auth/login', { body, headers })))
      server.clock.advance({ seconds: 1 })
    }
    expect(replies.slice(0, 5).map(({ error }) => error)).toEqual(Array(5).fill('INVALID_CREDENTIALS'))
    for (const blocked of replies.slice(5)) {
      expect(blocked).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
      expect(blocked.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    }
    expect(vi.mocked(verify)).toHaveBeenCalledTimes(5)
  })

  it('AUT-04: hits one account only, and names nobody has just as well', async () => {
    const [main, other] = [await makeMain(), await makeMain()]
    const nobody = { ...main, loginName: 'no-such-account@test.example' }
    for (const user of [main, nobody]) {
      for (let tries = 0; tries < 5; tries += 1) await tryToLogIn(ask, user, 'wrong')
      expect((await tryToLogIn(ask, user, 'wrong')).status).toBe(429)
    }
    expect((await tryToLogIn(ask, other)).status).toBe(200)
  })

  it('AUT-06: fifty times at once gets five tries', async () => {
    const main = await makeMain()
    const replies = await Promise.all(Array.from({ length: 50 }, () => tryToLogIn(ask, main, 'wrong')))
    expect(vi.mocked(verify).mock.calls.length).toBeLessThanOrEqual(5)
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(vi.mocked(verify).mock.calls.length)
    expect(statuses.filter((status) => status === 429)).toHaveLength(50 - vi.mocked(verify).mock.calls.length)
  })

  it('AUT-06: an attempt whose process died counts as failed', async () => {
    const main = await makeMain()
    await reserveAttempt(db(), loginAttemptKey('merchant', main.loginName), server.clock.now())
    server.clock.advance({ seconds: 31 })
    for (let tries = 0; tries < 4; tries += 1) expect(await tryToLogIn(ask, main, 'wrong')).toMatchObject(REFUSED)
    expect((await tryToLogIn(ask, main)).status).toBe(429)
  })
})
