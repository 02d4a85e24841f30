import { eq } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import { beforeEach, describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { mfa, mfaSetup, recoveryCode, session as sessionTable } from '../../../server/db/schema/accounts.ts'
import { enrolMfa, type Enrolled } from '../../support/accounts/enrolMfa.ts'
import {
  adminChange,
  changeOwn,
  confirmReset,
  encrypted,
  mailedResetToken,
} from '../../support/accounts/passwordEndpoints.ts'
import { mailsTo } from '../../support/api/mailbox.ts'
import {
  cookiesOf,
  get,
  post,
  refresh,
  logIn,
  tryToLogIn,
  type Ask,
  type Challenged,
  type Reply,
} from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, NEW_PASSWORD, PASSWORD, type User } from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const STEP_MS = 30_000
const WRONG = { status: 400, error: 'MFA_CODE_WRONG' }
const EXPIRED = { status: 400, error: 'CHALLENGE_EXPIRED' }

/** Calls a server with `MFA=required`; `ask` calls one with `MFA=optional`. */
let askStrict: Ask
let main: User
let phone: Enrolled
it.beforeAll(async () => {
  const strict = createApp({ ...server.deps, settings: { ...server.deps.settings, mfa: 'required' } })
  askStrict = (path, init) => strict.request(path, init)
})
beforeEach(async () => {
  main = (await makeMerchant(db())).main
  phone = await enrolMfa(db(), main)
  server.clock.advance({ minutes: 20 })
})

const codeAt = (steps: number, totp = phone.totp) =>
  totp.generate({ timestamp: server.clock.now().getTime() + steps * STEP_MS })
const wrongCode = () => {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeAt(steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code))!
}
async function challenge(user: User = main, from = ask, password = PASSWORD): Promise<string> {
  const { data } = await tryToLogIn(from, user, password)
  return (data as unknown as Challenged).session
}
const verify = (session: string, code: string, from = ask) =>
  post<{ access_token: string }>(from, '/api/auth/verify_mfa', { session, code })
const liveSessions = async (user: User) =>
  (await db().select().from(sessionTable).where(eq(sessionTable.userId, user.id))).filter(({ endedAt }) => !endedAt)
const statuses = (replies: Reply[]) => replies.map(({ status }) => status)
const together = <T>(times: number, act: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, index) => act(index)))

describe('logging in with a second factor', () => {
  it('asks an enrolled user for a code, and only the right one ends the session before and starts one', async () => {
    const before = await logIn(ask, main, { code: () => codeAt(0) })
    server.clock.advance({ seconds: 30 })
    const asked = await tryToLogIn(ask, main)
    expect(asked.data).toEqual({
      challenge: 'MFA_CODE',
      session: expect.stringMatching(/^[\w-]{43}$/),
      public_key: server.deps.secrets.passwordKey.publicPem,
    })
    expect(asked.headers.getSetCookie()).toEqual([])
    expect((await get(ask, '/api/account/my_info', before.token)).status).toBe(200)
    const done = await verify((asked.data as unknown as Challenged).session, codeAt(0))
    expect(done.status).toBe(200)
    expect(await get(ask, '/api/account/my_info', before.token)).toMatchObject({ error: 'SESSION_TERMINATED' })
    expect((await refresh(ask, done.data.access_token, cookiesOf(done))).status).toBe(200)
  })

  it('AUT-19 takes the code of now, of one step before and of one after, and none further away', async () => {
    for (const [steps, status] of [
      [-2, 400],
      [-1, 200],
      [0, 200],
      [1, 200],
      [2, 400],
    ] as const) {
      await db().update(mfa).set({ lastStep: 0 }).where(eq(mfa.userId, main.id))
      expect((await verify(await challenge(), codeAt(steps))).status).toBe(status)
    }
  })

  it('takes each code once, and none from before it', async () => {
    expect((await verify(await challenge(), codeAt(0))).status).toBe(200)
    const session = await challenge()
    expect(await verify(session, codeAt(0))).toMatchObject(WRONG)
    expect(await verify(session, codeAt(-1))).toMatchObject(WRONG)
    expect((await verify(session, codeAt(1))).status).toBe(200)
  })

  it('one code in twenty requests at once logs in once', async () => {
    const sessions = await together(20, () => challenge())
    const replies = await Promise.all(sessions.map((session) => verify(session, codeAt(0))))
    expect(statuses(replies).filter((status) => status === 200)).toHaveLength(1)
    expect(await liveSessions(main)).toHaveLength(1)
  })

  it('a recovery code is as good, once, however it is typed', async () => {
    const typed = phone.recoveryCodes[0]!.toLowerCase().replaceAll('-', ' ')
    expect((await verify(await challenge(), typed)).status).toBe(200)
    expect(await verify(await challenge(), phone.recoveryCodes[0]!)).toMatchObject(WRONG)
    const { token } = await logIn(ask, main, { code: () => phone.recoveryCodes[1]! })
    const { data } = await get<{ mfa: unknown }>(ask, '/api/account/my_info', token)
    expect(data.mfa).toEqual({ required: false, enabled_at: '2026-01-01T00:00:00.000Z', recovery_codes_left: 8 })
  })

  it('a challenge is good for ten minutes, and for what it asks only', async () => {
    const session = await challenge()
    const other = await post(ask, '/api/auth/initiate_mfa_setup', { session })
    expect(other).toMatchObject(EXPIRED)
    const passwords = await encrypted(ask, { encrypted_new_password: NEW_PASSWORD })
    expect(await post(ask, '/api/auth/set_new_password', { session, ...passwords })).toMatchObject(EXPIRED)
    server.clock.advance({ minutes: 10 })
    expect(await verify(session, codeAt(0))).toMatchObject(EXPIRED)
    expect(await verify('x'.repeat(43), codeAt(0))).toMatchObject(EXPIRED)
  })

  it('is never asked of a POS user', async () => {
    const till = await makePosUser(db())
    const { token } = await logIn(askStrict, till)
    expect((await get<object>(askStrict, '/api/account/my_info', token)).data).not.toHaveProperty('mfa')
    expect(await post(ask, '/api/auth/initiate_mfa_setup', {}, token)).toMatchObject({ error: 'FORBIDDEN' })
  })
})

describe('AUT-18 guessing codes', () => {
  it('kills the challenge after five, and blocks the account after ten in 15 minutes', async () => {
    for (let round = 0; round < 2; round += 1) {
      const session = await challenge()
      for (let tries = 0; tries < 5; tries += 1) expect(await verify(session, wrongCode())).toMatchObject(WRONG)
      for (let tries = 0; tries < 5; tries += 1) expect(await verify(session, codeAt(0))).toMatchObject(EXPIRED)
    }
    const blocked = await verify(await challenge(), codeAt(0))
    expect(blocked).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    expect(blocked.headers.get('retry-after')).toBe('900')
    expect((await verify(await challenge(), phone.recoveryCodes[0]!)).status).toBe(429)
    server.clock.advance({ minutes: 15 })
    expect((await verify(await challenge(), codeAt(0))).status).toBe(200)
  })

  it('fifty at once get no more tries than one after the other', async () => {
    const sessions = await together(5, () => challenge())
    const replies = await together(50, (index) => verify(sessions[index % 5]!, wrongCode()))
    expect(replies.filter(({ error }) => error === 'MFA_CODE_WRONG')).toHaveLength(10)
    expect((await verify(await challenge(), codeAt(0))).status).toBe(429)
  })

  it('goes on where it was after a login of the owner: success pardons nothing', async () => {
    const guesses = await challenge()
    for (let tries = 0; tries < 5; tries += 1) await verify(guesses, wrongCode())
    expect((await verify(await challenge(), codeAt(0))).status).toBe(200)
    const more = await challenge()
    for (let tries = 0; tries < 5; tries += 1) await verify(more, wrongCode())
    expect((await verify(await challenge(), codeAt(1))).status).toBe(429)
  })
})

interface Begun {
  setup: string
  secret: string
  otpauth_url: string
  expires_at: string
}
interface Enabled {
  access_token?: string
  recovery_codes: string[]
}
const initiate = (body: object, token?: string, from = ask) =>
  post<Begun>(from, '/api/auth/initiate_mfa_setup', body, token)
const enable = (setup: string, code: string, from = ask) =>
  post<Enabled>(from, '/api/auth/verify_and_enable_mfa', { setup, code })
const codeOf = ({ secret }: Begun, steps = 0) => codeAt(steps, new TOTP({ secret }))

describe('MFA=required', () => {
  let fresh: User
  beforeEach(async () => {
    fresh = (await makeMerchant(db())).main
  })

  it('has a user enrol before the first session, gated main merchants included', async () => {
    const gated = (await makeMerchant(db(), 'HRP Merchant', 'Pending Activation')).main
    for (const user of [fresh, gated]) {
      const asked = await tryToLogIn(askStrict, user)
      expect(asked.data).toMatchObject({ challenge: 'MFA_SETUP' })
      const session = (asked.data as unknown as Challenged).session
      const begun = await initiate({ session }, undefined, askStrict)
      const url = new URL(begun.data.otpauth_url)
      expect(url.searchParams.get('secret')).toBe(begun.data.secret)
      expect(decodeURIComponent(url.pathname)).toContain(user.loginName)
      expect(await liveSessions(user)).toEqual([])
      const done = await enable(begun.data.setup, codeOf(begun.data), askStrict)
      expect(done.data.recovery_codes).toHaveLength(10)
      const { data } = await get<{ mfa: object }>(askStrict, '/api/account/my_info', done.data.access_token)
      const enabled_at = server.clock.now().toISOString()
      expect(data.mfa).toEqual({ required: true, enabled_at, recovery_codes_left: 10 })
      expect(cookiesOf(done)).toMatch(/^binding=.+; device=/)
      expect((await tryToLogIn(askStrict, user)).data).toMatchObject({ challenge: 'MFA_CODE' })
    }
  })

  it('enrols a telephone once: the code that proved it is used up, and so is every other set-up', async () => {
    const [first, second] = [await challenge(fresh, askStrict), await challenge(fresh, askStrict)]
    const [one, two] = [await initiate({ session: first }), await initiate({ session: second })]
    const replies = await Promise.all([one, two].map(({ data }) => enable(data.setup, codeOf(data))))
    expect(statuses(replies).filter((status) => status === 200)).toHaveLength(1)
    const winner = [one, two][replies.findIndex(({ status }) => status === 200)]!
    const session = await challenge(fresh)
    expect(await verify(session, codeOf(winner.data))).toMatchObject(WRONG)
    expect((await verify(session, codeOf(winner.data, 1))).status).toBe(200)
  })

  it('keeps only the latest secret of a challenge', async () => {
    const session = await challenge(fresh, askStrict)
    const [one, two] = [await initiate({ session }), await initiate({ session })]
    expect(await enable(one.data.setup, codeOf(one.data))).toMatchObject(EXPIRED)
    expect((await enable(two.data.setup, codeOf(two.data))).status).toBe(200)
  })
})

describe('AUT-20 changing the device', () => {
  const reauth = async (password = PASSWORD) => encrypted(ask, { encrypted_current_password: password })

  it('takes more than a session: the password, and a code of the device of now', async () => {
    const { token } = await logIn(ask, main, { code: () => codeAt(0) })
    const refused = { status: 403, error: 'REAUTH_REQUIRED' }
    expect(await initiate({}, token)).toMatchObject(refused)
    expect(await initiate({ code: codeAt(1) }, token)).toMatchObject(refused)
    expect(await initiate(await reauth(), token)).toMatchObject(refused)
    const wrong = { ...(await reauth('Wrong-Horse-2026!')), code: codeAt(1) }
    expect(await initiate(wrong, token)).toMatchObject({ status: 422, error: 'WRONG_PASSWORD' })
    expect(await initiate({ ...(await reauth()), code: wrongCode() }, token)).toMatchObject(WRONG)
    expect(await initiate({})).toMatchObject({ status: 401, error: 'TOKEN_MISSING' })
    expect(await db().select().from(mfaSetup).where(eq(mfaSetup.userId, main.id))).toEqual([])
    expect((await verify(await challenge(), codeAt(1))).status).toBe(200)
  })

  it('replaces the device and the recovery codes once the new one is proved, and tells the owner', async () => {
    const { token } = await logIn(ask, main, { code: () => codeAt(0) })
    const begun = await initiate({ ...(await reauth()), code: codeAt(1) }, token)
    expect(begun.status).toBe(200)
    expect(begun.data.expires_at).toBe(new Date(server.clock.now().getTime() + 600_000).toISOString())
    const done = await enable(begun.data.setup, codeOf(begun.data))
    expect(Object.keys(done.data)).toEqual(['recovery_codes'])
    expect((await get(ask, '/api/account/my_info', token)).status).toBe(200)
    server.clock.advance({ minutes: 1 })
    const session = await challenge()
    expect(await verify(session, codeAt(0))).toMatchObject(WRONG)
    expect(await verify(session, phone.recoveryCodes[5]!)).toMatchObject(WRONG)
    expect((await verify(session, done.data.recovery_codes[0]!)).status).toBe(200)
    const mails = await mailsTo(db(), main.loginName)
    expect(mails.map(({ subject }) => subject)).toContainEqual(expect.stringMatching(/^Authenticator app changed: ./))
    expect(mails.every(({ text }) => !text!.includes(begun.data.secret))).toBe(true)
  })

  it('is gone on with by the session that began it, with the same secret', async () => {
    const { token } = await logIn(ask, main, { code: () => codeAt(0) })
    const { data: begun } = await initiate({ ...(await reauth()), code: codeAt(1) }, token)
    server.clock.advance({ minutes: 1 })
    const again = await initiate({ ...(await reauth()), code: codeAt(1), setup: begun.setup }, token)
    expect(again).toMatchObject({ status: 200, data: { setup: begun.setup, secret: begun.secret } })
  })

  it('with a recovery code, for who has lost the device', async () => {
    const { token } = await logIn(ask, main, { code: () => phone.recoveryCodes[0]! })
    const begun = await initiate({ ...(await reauth()), code: phone.recoveryCodes[1] }, token)
    expect((await enable(begun.data.setup, codeOf(begun.data))).status).toBe(200)
  })

  it('does not survive the session that began it', async () => {
    const { token } = await logIn(ask, main, { code: () => codeAt(0) })
    const begun = await initiate({ ...(await reauth()), code: codeAt(1) }, token)
    await get(ask, '/api/account/logout', token)
    expect(await enable(begun.data.setup, codeOf(begun.data))).toMatchObject(EXPIRED)
  })

  it('enrols who has no device yet with the password alone, where MFA is optional', async () => {
    const fresh = (await makeMerchant(db())).main
    const { token } = await logIn(ask, fresh)
    const begun = await initiate(await reauth(), token)
    expect((await enable(begun.data.setup, codeOf(begun.data))).status).toBe(200)
    expect((await tryToLogIn(ask, fresh)).data).toMatchObject({ challenge: 'MFA_CODE' })
    const [mail] = await mailsTo(db(), fresh.loginName)
    expect(mail).toMatchObject({ kind: 'mfa_changed', subject: expect.stringMatching(/^Authenticator app set up: ./) })
  })
})

describe('AUT-21 a set-up that is not proved', () => {
  it('changes nothing: the old device logs in, the pending secret does not, and it is gone after ten minutes', async () => {
    const { token } = await logIn(ask, main, { code: () => codeAt(0) })
    const body = await encrypted(ask, { encrypted_current_password: PASSWORD })
    const begun = await initiate({ ...body, code: codeAt(1) }, token)
    const session = await challenge()
    expect(await verify(session, codeOf(begun.data))).toMatchObject(WRONG)
    expect(await enable(begun.data.setup, wrongCode())).toMatchObject(WRONG)
    server.clock.advance({ minutes: 10 })
    expect(await enable(begun.data.setup, codeOf(begun.data))).toMatchObject(EXPIRED)
    expect((await verify(await challenge(), codeAt(0))).status).toBe(200)
  })

  it('is gone on with after a reload and another login, by who began it alone, with the same secret, until ten minutes after it began', async () => {
    const fresh = (await makeMerchant(db())).main
    const again = async (setup?: string) =>
      (await initiate({ session: await challenge(fresh, askStrict), ...(setup === undefined ? {} : { setup }) })).data
    const begun = await again()
    server.clock.advance({ minutes: 8 })
    expect(await again(begun.setup)).toEqual(begun)
    // Another caller who knows the password gets another secret.
    expect((await again()).secret).not.toBe(begun.secret)
    expect((await again('x'.repeat(43))).secret).not.toBe(begun.secret)
    const other = await initiate({
      session: await challenge((await makeMerchant(db())).main, askStrict),
      setup: begun.setup,
    })
    expect(other.data.secret).not.toBe(begun.secret)
    server.clock.advance({ minutes: 1 })
    expect((await enable((await again(begun.setup)).setup, codeOf(begun))).status).toBe(200)
  })

  it('is put in force once in twenty requests at once', async () => {
    const fresh = (await makeMerchant(db())).main
    const begun = await initiate({ session: await challenge(fresh, askStrict) })
    const replies = await together(20, () => enable(begun.data.setup, codeOf(begun.data)))
    expect(statuses(replies).filter((status) => status === 200)).toHaveLength(1)
    expect(await liveSessions(fresh)).toHaveLength(1)
  })
})

describe('a new password', () => {
  it('AUT-26 by mail does not skip the code', async () => {
    const { token } = await logIn(ask, main, { code: () => codeAt(0) })
    expect((await confirmReset(ask, await mailedResetToken(server, main), NEW_PASSWORD)).body).toEqual({
      data: { changed: true },
    })
    expect((await get(ask, '/api/account/my_info', token)).status).toBe(401)
    const asked = await tryToLogIn(ask, main, NEW_PASSWORD)
    expect(asked.data).toMatchObject({ challenge: 'MFA_CODE' })
    expect((await verify((asked.data as unknown as Challenged).session, codeAt(1))).status).toBe(200)
  })

  it('ends the logins and the set-ups that were half way', async () => {
    const { token } = await logIn(ask, main, { code: () => codeAt(0) })
    const half = await challenge()
    const body = await encrypted(ask, { encrypted_current_password: PASSWORD })
    const begun = await initiate({ ...body, code: codeAt(1) }, token)
    const changed = await changeOwn(ask, '/api/account/change_password', token, {
      current: PASSWORD,
      password: NEW_PASSWORD,
    })
    expect(changed.status).toBe(200)
    server.clock.advance({ seconds: 60 })
    expect(await verify(half, codeAt(0))).toMatchObject(EXPIRED)
    expect(await enable(begun.data.setup, codeOf(begun.data))).toMatchObject(EXPIRED)
  })

  it('set by the main account is replaced before the code is asked', async () => {
    const merchant = await makeMerchant(db())
    const { token } = await logIn(ask, merchant.main)
    const till = await makePosUser(db(), merchant)
    expect((await adminChange(ask, token, till.id, { own: PASSWORD, password: NEW_PASSWORD })).status).toBe(200)
    const session = await challenge(till, ask, NEW_PASSWORD)
    const set = async (password: string) =>
      post<object>(ask, '/api/auth/set_new_password', {
        session,
        ...(await encrypted(ask, { encrypted_new_password: password })),
      })
    expect(await set(NEW_PASSWORD)).toMatchObject({ status: 422, error: 'PASSWORD_REUSED' })
    const replies = await together(5, () => set('Other-Lantern-88!'))
    expect(statuses(replies).filter((status) => status === 200)).toHaveLength(1)
    expect(replies.find(({ status }) => status === 200)!.data).toHaveProperty('access_token')
    expect(await set('Third-Lantern-99!')).toMatchObject(EXPIRED)
  })
})

describe('recovery codes', () => {
  it('are made anew with password and code; those before stop working', async () => {
    const { token } = await logIn(ask, main, { code: () => codeAt(0) })
    const path = '/api/account/recovery_codes'
    const body = async () => encrypted(ask, { encrypted_current_password: PASSWORD })
    expect(await post(ask, path, { ...(await body()), code: wrongCode() }, token)).toMatchObject(WRONG)
    const renewed = await post<{ recovery_codes: string[] }>(ask, path, { ...(await body()), code: codeAt(1) }, token)
    expect(new Set(renewed.data.recovery_codes).size).toBe(10)
    const session = await challenge()
    expect(await verify(session, phone.recoveryCodes[0]!)).toMatchObject(WRONG)
    expect((await verify(session, renewed.data.recovery_codes[9]!)).status).toBe(200)
  })
})

describe('what the database keeps', () => {
  it('tells neither the secret nor a recovery code, and a secret opens for its user only', async () => {
    const other = (await makeMerchant(db())).main
    const otherPhone = await enrolMfa(db(), other)
    const rows = JSON.stringify([await db().select().from(mfa), await db().select().from(recoveryCode)])
    expect(rows).not.toContain(phone.totp.secret.base32)
    for (const code of phone.recoveryCodes) expect(rows).not.toContain(code.replaceAll('-', ''))
    const [mine] = await db().select().from(mfa).where(eq(mfa.userId, main.id))
    await db().update(mfa).set({ sealedSecret: mine!.sealedSecret }).where(eq(mfa.userId, other.id))
    const session = await challenge(other)
    expect(await verify(session, codeAt(0))).toMatchObject(WRONG)
    expect(server.log.events.some(({ event }) => event === 'mfa_secret_unreadable')).toBe(true)
    expect((await verify(session, otherPhone.recoveryCodes[0]!)).status).toBe(200)
  })
})
