import { verify } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, vi } from 'vitest'
import { session } from '../../../server/db/schema/accounts.ts'
import { appUser } from '../../../server/db/schema/organisations.ts'
import {
  adminChange,
  changeOwn,
  confirmReset,
  encrypted,
  mailedResetToken,
} from '../../support/accounts/passwordEndpoints.ts'
import { mailedTokens, mailsTo } from '../../support/api/mailbox.ts'
import { get, post, refresh, send, logIn, tryToLogIn, type Reply } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeInvited,
  makeMerchant,
  makePosUser,
  makeUser,
  NEW_PASSWORD,
  PASSWORD,
  type Merchant,
  type User,
} from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let merchant: Merchant
let main: User
beforeEach(async () => {
  merchant = await makeMerchant(db())
  main = merchant.main
})
const CHANGE = '/api/account/change_password'
const change = (token: string, current: string, password: string) =>
  changeOwn(ask, CHANGE, token, { current, password })
const myInfo = (token: string) => get<{ password_expired_prompt: boolean }>(ask, '/api/account/my_info', token)
const rowOf = async ({ id }: User) => (await db().select().from(appUser).where(eq(appUser.id, id)))[0]!
const withoutRequestId = ({ status, body }: Reply) => ({ status, ...(body as object), request_id: '' })
const wrongAt = (path: string) => ({
  status: 422,
  error: 'WRONG_PASSWORD',
  body: { data: { fields: [{ path, rule: 'wrong_password', message: 'is incorrect' }] } },
})

/** Runs `meanwhile` during the next password check, once its outcome is known. The first `skipped` checks are left alone. */
function duringCheck(meanwhile: () => Promise<unknown>, skipped = 0): void {
  const real = vi.mocked(verify).getMockImplementation()!
  for (let check = 0; check < skipped; check += 1) vi.mocked(verify).mockImplementationOnce(real)
  vi.mocked(verify).mockImplementationOnce(async (...given) => {
    const isRight = await real(...given)
    await meanwhile()
    return isRight
  })
}

describe('changing one’s own password', () => {
  it('AUT-15 needs the current one; a wrong one is told at its field and the session lives on', async () => {
    const { token } = await logIn(ask, main)
    expect(await change(token, 'Wrong-Horse-2026!', NEW_PASSWORD)).toMatchObject(wrongAt('encrypted_current_password'))
    const without = await post(ask, CHANGE, await encrypted(ask, { encrypted_new_password: NEW_PASSWORD }), token)
    expect(without).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    expect((await myInfo(token)).status).toBe(200)
    expect((await rowOf(main)).passwordHash).toBe(main.passwordHash)
  })

  it('AUT-15 is throttled like logging in, without keeping the owner from logging in', async () => {
    const { token } = await logIn(ask, main)
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await change(token, 'Wrong-Horse-2026!', NEW_PASSWORD)).error).toBe('WRONG_PASSWORD')
    }
    vi.mocked(verify).mockClear()
    const blocked = await change(token, PASSWORD, NEW_PASSWORD)
    expect(blocked).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    expect(blocked.headers.get('retry-after')).toBe('30')
    expect(vi.mocked(verify)).not.toHaveBeenCalled()
    expect((await myInfo(token)).status).toBe(200)
    const again = await logIn(ask, main)
    server.clock.advance({ seconds: 30 })
    expect((await change(again.token, PASSWORD, NEW_PASSWORD)).status).toBe(200)
  })

  it('AUT-15 fifty wrong ones at once get five checks', async () => {
    const { token } = await logIn(ask, main)
    vi.mocked(verify).mockClear()
    const tries = Array.from({ length: 50 }, () => change(token, 'Wrong-Horse-2026!', NEW_PASSWORD))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(vi.mocked(verify).mock.calls.length).toBeLessThanOrEqual(5)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(45)
  })

  it('AUT-16 keeps this session, its refresh included; the device that was on before stays out', async () => {
    const device2 = await logIn(ask, main)
    const device1 = await logIn(ask, main)
    expect((await change(device1.token, PASSWORD, NEW_PASSWORD)).status).toBe(200)
    expect(await myInfo(device2.token)).toMatchObject({ status: 401, error: 'SESSION_TERMINATED' })
    const next = await refresh(ask, device1.token, device1.cookie)
    expect(next.status).toBe(200)
    expect((await myInfo(next.data.access_token)).status).toBe(200)
  })

  it('AUT-16 ends a session that begins with the old password at the same moment', async () => {
    const device1 = await logIn(ask, main)
    let device2 = { token: '', cookie: '' }
    duringCheck(async () => {
      device2 = await logIn(ask, main)
    })
    expect((await change(device1.token, PASSWORD, NEW_PASSWORD)).status).toBe(200)
    expect(await myInfo(device2.token)).toMatchObject({ status: 401, error: 'SESSION_ENDED' })
    expect((await refresh(ask, device2.token, device2.cookie)).status).toBe(401)
    const sessions = await db().select().from(session).where(eq(session.userId, main.id))
    expect(sessions.map(({ endedReason }) => endedReason ?? '').toSorted((a, b) => a.localeCompare(b))).toEqual([
      'password_changed',
      'superseded',
    ])
  })

  it('AUT-16 lets nobody slip in whose old password was checked just before', async () => {
    const device1 = await logIn(ask, main)
    duringCheck(() => change(device1.token, PASSWORD, NEW_PASSWORD))
    expect(await tryToLogIn(ask, main)).toMatchObject({ status: 400, error: 'INVALID_CREDENTIALS' })
    expect((await myInfo(device1.token)).status).toBe(200)
  })

  it('happens once when two forms are sent at the same moment', async () => {
    const { token } = await logIn(ask, main)
    const passwords = [NEW_PASSWORD, 'Other-Lantern-88!']
    const replies = await Promise.all(passwords.map((password) => change(token, PASSWORD, password)))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
    expect(replies.find(({ status }) => status === 422)).toMatchObject(wrongAt('encrypted_current_password'))
    const set = passwords[replies.findIndex(({ status }) => status === 200)]!
    expect((await tryToLogIn(ask, main, set)).status).toBe(200)
  })

  it('ends links that were mailed before', async () => {
    const token = await mailedResetToken(server, main)
    const { token: bearer } = await logIn(ask, main)
    expect((await change(bearer, PASSWORD, NEW_PASSWORD)).status).toBe(200)
    expect(await confirmReset(ask, token, 'Other-Lantern-88!')).toMatchObject({ status: 400, error: 'LINK_INVALID' })
  })

  it('tells the owner by mail, without a link that opens the account', async () => {
    const { token } = await logIn(ask, main)
    await change(token, PASSWORD, NEW_PASSWORD)
    const [mail, ...others] = await mailsTo(db(), main.loginName)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      kind: 'password_changed',
      subject: expect.stringMatching(/^Password changed: ./),
      sentAt: null,
    })
    expect(mail!.text).toContain('was changed in the portal on 21 Nov 2026')
    expect(await mailedTokens(db(), main.loginName)).toEqual([])
  })

  it('is open to a POS user and a gated merchant; a POS user is told nothing by mail', async () => {
    const till = await makePosUser(db())
    const gated = (await makeMerchant(db(), 'HRP Merchant', 'Pending Activation')).main
    for (const user of [till, gated]) {
      const { token } = await logIn(ask, user)
      expect((await change(token, PASSWORD, NEW_PASSWORD)).status).toBe(200)
      expect((await tryToLogIn(ask, user, NEW_PASSWORD)).status).toBe(200)
    }
    expect(await mailsTo(db(), till.loginName)).toEqual([])
    const kinds = (await mailsTo(db(), gated.loginName)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'password_changed')).toHaveLength(1)
  })
})

describe('AUT-17 the prompt of a password older than a year', () => {
  it('shows after 365 days, blocks nothing, and goes with the change', async () => {
    const now = server.clock.now().getTime()
    const daysAgo = (days: number) => new Date(now - days * 86_400_000)
    for (const [days, prompt] of [
      [365, false],
      [366, true],
    ] as const) {
      await db()
        .update(appUser)
        .set({ passwordChangedAt: daysAgo(days) })
        .where(eq(appUser.id, main.id))
      const { token } = await logIn(ask, main)
      expect((await myInfo(token)).data.password_expired_prompt).toBe(prompt)
    }
    const { token } = await logIn(ask, main)
    expect((await get(ask, '/api/filter/transaction/branch_list', token)).status).toBe(200)
    expect((await post(ask, '/api/voucher/datatable', { start: 0, limit: 10 }, token)).status).toBe(200)
    expect((await change(token, PASSWORD, NEW_PASSWORD)).status).toBe(200)
    expect((await myInfo(token)).data.password_expired_prompt).toBe(false)
  })
})

describe('AUT-29 setting the password of another user', () => {
  let master: User
  beforeEach(async () => {
    master = await makeUser(db(), 'Additional Merchant', { organisation: merchant.organisation })
  })
  const asMain = async (target: string, own = PASSWORD, password = NEW_PASSWORD) =>
    adminChange(ask, (await logIn(ask, main)).token, target, { own, password })

  it('is for both kinds of main account: every session of that user ends, the next login asks for one of its own, and the user is told', async () => {
    const stall = await makeMerchant(db(), 'ADHOC Merchant')
    const helper = await makePosUser(db(), stall)
    for (const [boss, target] of [
      [main, master],
      [stall.main, helper],
    ] as const) {
      const theirs = await logIn(ask, target)
      const { token } = await logIn(ask, boss)
      expect(await adminChange(ask, token, target.id, { own: PASSWORD, password: NEW_PASSWORD })).toMatchObject({
        status: 200,
        data: { changed: true },
      })
      expect(await myInfo(theirs.token)).toMatchObject({ status: 401, error: 'SESSION_ENDED' })
      expect((await myInfo(token)).status).toBe(200)
      expect((await tryToLogIn(ask, target)).error).toBe('INVALID_CREDENTIALS')
      expect((await tryToLogIn(ask, target, NEW_PASSWORD)).data).toMatchObject({ challenge: 'NEW_PASSWORD' })
      const own = await logIn(ask, target, { password: NEW_PASSWORD, newPassword: 'Other-Lantern-88!' })
      expect((await myInfo(own.token)).status).toBe(200)
      // A user who chose the password is not asked to change it again.
      expect((await tryToLogIn(ask, target, 'Other-Lantern-88!')).data).toHaveProperty('access_token')
    }
    const [mail] = await mailsTo(db(), master.loginName)
    expect(mail!.text).toContain(`was set by the main account of ${merchant.organisation.name}`)
    expect(await mailsTo(db(), main.loginName)).toEqual([])
  })

  it('is nobody else’s: 403 for masters, branches, tills and a main account behind the gate', async () => {
    const place = { organisation: merchant.organisation, branch: await makeBranch(db(), merchant.organisation) }
    const target = await makePosUser(db(), place)
    const gated = (await makeMerchant(db(), 'HRP Merchant', 'Pending Authorisation')).main
    const others = [master, await makeUser(db(), 'Branch Merchant', place), await makePosUser(db(), place), gated]
    for (const user of others) {
      const { token } = await logIn(ask, user)
      expect((await adminChange(ask, token, target.id, { own: PASSWORD, password: NEW_PASSWORD })).status).toBe(403)
    }
    expect((await rowOf(target)).passwordHash).toBe(target.passwordHash)
  })

  it('does not reach into another organisation: the same 404 as for nobody', async () => {
    const foreign = await makeMerchant(db())
    const replies = [await asMain(foreign.main.id), await asMain('018f2f6e-7a52-7cc0-8000-00000000abcd')]
    const [first, second] = replies.map(withoutRequestId)
    expect(first).toMatchObject({ status: 404, error: 'NOT_FOUND' })
    expect(second).toEqual(first)
    expect((await rowOf(foreign.main)).passwordHash).toBe(foreign.main.passwordHash)
  })

  it('needs the main account’s own password, throttled', async () => {
    const { token } = await logIn(ask, main)
    const missing = { user_guid: master.id, ...(await encrypted(ask, { encrypted_new_password: NEW_PASSWORD })) }
    expect(await post(ask, '/api/account/admin/change_password', missing, token)).toMatchObject({
      status: 422,
      error: 'VALIDATION_FAILED',
    })
    for (let tries = 0; tries < 5; tries += 1) {
      const reply = await adminChange(ask, token, master.id, { own: 'Wrong-Horse-2026!', password: NEW_PASSWORD })
      expect(reply).toMatchObject(wrongAt('encrypted_own_password'))
    }
    expect((await adminChange(ask, token, master.id, { own: PASSWORD, password: NEW_PASSWORD })).status).toBe(429)
    expect((await myInfo(token)).status).toBe(200)
    expect((await rowOf(master)).passwordHash).toBe(master.passwordHash)
  })

  it('is not the door to one’s own', async () => {
    expect(await asMain(main.id)).toMatchObject({ status: 403, error: 'FORBIDDEN' })
    expect((await rowOf(main)).passwordHash).toBe(main.passwordHash)
  })

  it('gives no password to an invited login, whose link still works', async () => {
    const invited = await makeInvited(db(), 'Additional Merchant', merchant, 'Pending Activation')
    const { token } = await logIn(ask, main)
    await send(ask, 'PUT', `/api/merchant/invitation/resend/${invited.id}`, { token })
    expect(await adminChange(ask, token, invited.id, { own: PASSWORD, password: NEW_PASSWORD })).toMatchObject({
      status: 409,
      error: 'INVALID_STATE',
    })
    expect((await rowOf(invited)).passwordHash).toBeNull()
    const [link] = await mailedTokens(db(), invited.loginName, 'invitation')
    const activation = await encrypted(ask, { encrypted_new_password: NEW_PASSWORD })
    expect((await post(ask, '/api/auth/set_new_password', { token: link, ...activation })).status).toBe(200)
  })

  it('is judged once more when the user sets one at the same moment', async () => {
    const theirs = await logIn(ask, master)
    const { token } = await logIn(ask, main)
    // The first check is of the main account's own password. The second one tests whether the user has had the new password.
    duringCheck(() => change(theirs.token, PASSWORD, NEW_PASSWORD), 1)
    const reply = await adminChange(ask, token, master.id, { own: PASSWORD, password: NEW_PASSWORD })
    expect(reply).toMatchObject({ status: 422, error: 'PASSWORD_REUSED' })
  })
})
