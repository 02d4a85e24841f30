import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import type { Db } from '../../../server/db/engine/Database.ts'
import {
  appUser,
  branch as branchTable,
  organisation as organisationTable,
} from '../../../server/db/schema/organisations.ts'
import { sendActivationLink } from '../../../server/services/accounts/invitations.ts'
import { confirmReset, setNew } from '../../support/accounts/passwordEndpoints.ts'
import { mailedTokens, mailsTo } from '../../support/api/mailbox.ts'
import { get, post, reply, send, logIn, tryToLogIn, type Reply } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeInvited,
  makeMerchant,
  makeOrganisation,
  makePosUser,
  makeUser,
  NEW_PASSWORD,
  PASSWORD,
  type Merchant,
  type User,
} from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const DEAD = { status: 400, error: 'LINK_INVALID' }

let merchant: Merchant
beforeEach(async () => {
  merchant = await makeMerchant(db())
})
const rowOf = async ({ id }: User) => (await db().select().from(appUser).where(eq(appUser.id, id)))[0]!
const tokensOf = async ({ loginName }: User) => [
  ...(await mailedTokens(db(), loginName, 'activation')),
  ...(await mailedTokens(db(), loginName, 'invitation')),
]
/** Mails an activation link, as the services that create accounts do. */
async function invite(user: User): Promise<string> {
  await db().transaction((tx: Db) => sendActivationLink(tx, server.deps, user.id))
  return (await tokensOf(user)).at(-1)!
}
const invitedMaster = () => makeInvited(db(), 'Additional Merchant', { organisation: merchant.organisation })
/** A main account whose application was sent but not confirmed. */
async function applicant(type: 'HRP Merchant' | 'ADHOC Merchant'): Promise<User> {
  const organisation = await makeOrganisation(db(), {
    type: type === 'HRP Merchant' ? 'HRP' : 'ADHOC',
    status: 'Pending',
  })
  return makeInvited(db(), type, { organisation }, 'Pending')
}

describe('an activation link', () => {
  it('sets the first password of a master or a branch, which is active then, and logs in', async () => {
    for (const user of [await invitedMaster(), await makeInvited(db(), 'Branch Merchant', merchant)]) {
      const done = await setNew(ask, { token: await invite(user) }, NEW_PASSWORD)
      expect(done.status).toBe(200)
      const { access_token } = done.data as { access_token: string }
      const { data } = await get<{ user: object }>(ask, '/api/account/my_info', access_token)
      expect(data.user).toMatchObject({ guid: user.id, status: 'Active' })
      expect((await tryToLogIn(ask, user, NEW_PASSWORD)).status).toBe(200)
      const [mail, ...others] = await mailsTo(db(), user.loginName)
      expect(mail).toMatchObject({
        kind: 'invitation',
        subject: expect.stringMatching(/^Merchant portal invitation: ./),
      })
      expect(mail!.text).toContain(merchant.organisation.name)
      expect(mail!.text).toContain('http://127.0.0.1:8080/login?step=activate#token=')
      expect(others.map(({ kind }) => kind)).not.toContain('password_changed')
    }
  })

  it('takes the main account of an application on to its onboarding, behind the gate', async () => {
    const user = await applicant('HRP Merchant')
    const done = await setNew(ask, { token: await invite(user) }, NEW_PASSWORD)
    const { access_token } = done.data as { access_token: string }
    const { data } = await get<{ user: object }>(ask, '/api/account/my_info', access_token)
    expect(data.user).toMatchObject({ status: 'Pending Activation' })
    const [organisation] = await db()
      .select()
      .from(organisationTable)
      .where(eq(organisationTable.id, user.organisationId))
    expect(organisation!.status).toBe('Pending Activation')
    expect(await get(ask, '/api/filter/transaction/branch_list', access_token)).toMatchObject({
      error: 'ACCOUNT_GATED',
    })
    expect((await mailsTo(db(), user.loginName))[0]).toMatchObject({
      kind: 'activation',
      subject: 'Activate your account',
    })
  })

  it('lets an ADHOC Merchant set the password, and wait for the review', async () => {
    const user = await applicant('ADHOC Merchant')
    const reviewed = { status: 403, error: 'ACCOUNT_PENDING_ACTIVATION' }
    expect(await setNew(ask, { token: await invite(user) }, NEW_PASSWORD)).toMatchObject(reviewed)
    expect(await rowOf(user)).toMatchObject({ status: 'Pending', mustChangePassword: false })
    expect(await tryToLogIn(ask, user, NEW_PASSWORD)).toMatchObject(reviewed)
  })

  it('leads to the authenticator app where it is required', async () => {
    const strict = createApp({ ...server.deps, settings: { ...server.deps.settings, mfa: 'required' } })
    const user = await invitedMaster()
    const done = await setNew((path, init) => strict.request(path, init), { token: await invite(user) }, NEW_PASSWORD)
    expect(done.data).toMatchObject({ challenge: 'MFA_SETUP' })
  })

  it('works once, also in twenty requests at once', async () => {
    const user = await invitedMaster()
    const token = await invite(user)
    const replies = await Promise.all(Array.from({ length: 20 }, () => setNew(ask, { token }, NEW_PASSWORD)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await setNew(ask, { token }, 'Other-Lantern-88!')).toMatchObject(DEAD)
  })

  it('works for seven days, in no other place, and is kept when the password is refused', async () => {
    const user = await invitedMaster()
    const token = await invite(user)
    expect(await confirmReset(ask, token, NEW_PASSWORD)).toMatchObject(DEAD)
    expect(await setNew(ask, { token }, 'Password1234!')).toMatchObject({ status: 422, error: 'PASSWORD_TOO_COMMON' })
    server.clock.advance({ days: 6, hours: 23 })
    expect((await setNew(ask, { token }, NEW_PASSWORD)).status).toBe(200)
    const late = await invite(await invitedMaster())
    server.clock.advance({ days: 7 })
    expect(await setNew(ask, { token: late }, NEW_PASSWORD)).toMatchObject(DEAD)
  })

  it('is dead when its account, branch or organisation was deactivated meanwhile', async () => {
    const closed = await makeMerchant(db())
    const [user, atBranch, atClosed] = [
      await invitedMaster(),
      await makeInvited(db(), 'Branch Merchant', merchant),
      await makeInvited(db(), 'Additional Merchant', { organisation: closed.organisation }),
    ]
    const tokens = [await invite(user), await invite(atBranch), await invite(atClosed)]
    await db().update(appUser).set({ status: 'Inactive' }).where(eq(appUser.id, user.id))
    await db().update(branchTable).set({ status: 'Inactive' }).where(eq(branchTable.id, merchant.branch.id))
    await db()
      .update(organisationTable)
      .set({ status: 'Inactive' })
      .where(eq(organisationTable.id, closed.organisation.id))
    for (const token of tokens) expect(await setNew(ask, { token }, NEW_PASSWORD)).toMatchObject(DEAD)
  })
})

describe('whether a mailed link works', () => {
  const check = (kind: string, token: string) => post(ask, '/api/auth/check_link', { kind, token })

  it('is told without using it up, of the very kind of link, for as long as it works', async () => {
    const user = await invitedMaster()
    const token = await invite(user)
    expect(await check('activation', token)).toMatchObject({
      status: 200,
      data: { login_name: user.loginName },
    })
    for (const kind of ['reset', 'email']) expect(await check(kind, token)).toMatchObject(DEAD)
    const second = await invite(user)
    expect(await check('activation', token)).toMatchObject(DEAD)
    expect((await setNew(ask, { token: second }, NEW_PASSWORD)).status).toBe(200)
    expect(await check('activation', second)).toMatchObject(DEAD)
    await post(ask, '/api/auth/forgot_password', { email: user.loginName })
    await server.deps.background.settled()
    const [reset] = await mailedTokens(db(), user.loginName, 'reset')
    expect((await check('reset', reset!)).status).toBe(200)
    await db().update(appUser).set({ status: 'Inactive' }).where(eq(appUser.id, user.id))
    expect(await check('reset', reset!)).toMatchObject(DEAD)
  })

  it('is refused to a network that asks about thirty dead ones in a minute, and a good one is told all the same', async () => {
    const token = await invite(await invitedMaster())
    server.clock.advance({ minutes: 2 })
    for (let n = 0; n < 30; n += 1) expect(await check('activation', 'x'.repeat(43))).toMatchObject(DEAD)
    expect(await check('activation', 'x'.repeat(43))).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    expect((await check('activation', token)).status).toBe(200)
  })
})

describe('before the activation', () => {
  it('AUT-03 no password opens the account, and a forgotten one is not reset', async () => {
    const user = await invitedMaster()
    expect(await tryToLogIn(ask, user, PASSWORD)).toMatchObject({ status: 400, error: 'INVALID_CREDENTIALS' })
    await post(ask, '/api/auth/forgot_password', { email: user.loginName })
    await server.deps.background.settled()
    expect(await mailsTo(db(), user.loginName)).toEqual([])
  })
})

describe('AUT-28 sending an invitation again', () => {
  const resend = async (token: string, id: string): Promise<Reply> =>
    reply(await send(ask, 'PUT', `/api/merchant/invitation/resend/${id}`, { token }))

  it('happens three times an hour, and the new link ends the one before', async () => {
    const user = await invitedMaster()
    await invite(user)
    const { token } = await logIn(ask, merchant.main)
    const replies = []
    for (let tries = 0; tries < 20; tries += 1) replies.push(await resend(token, user.id))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, ...Array.from({ length: 17 }, () => 429)])
    expect(replies.at(-1)!.headers.get('retry-after')).toBe('3600')
    const links = await tokensOf(user)
    expect(links).toHaveLength(4)
    for (const link of links.slice(0, 3)) expect(await setNew(ask, { token: link }, NEW_PASSWORD)).toMatchObject(DEAD)
    server.clock.advance({ hours: 1 })
    const later = await logIn(ask, merchant.main)
    expect((await resend(later.token, user.id)).status).toBe(200)
    expect((await setNew(ask, { token: (await tokensOf(user)).at(-1)! }, NEW_PASSWORD)).status).toBe(200)
    expect(await resend(later.token, user.id)).toMatchObject({ status: 409, error: 'ALREADY_ACTIVE' })
  })

  it('is for who is in my scope: the same 404 for the others, for nobody and for a POS user', async () => {
    const master = await makeUser(db(), 'Additional Merchant', { organisation: merchant.organisation })
    const theirs = await makeBranch(db(), merchant.organisation, { masterUserId: master.id })
    const owner = { organisation: merchant.organisation, branch: theirs }
    const [mine, other] = [
      await makeInvited(db(), 'Branch Merchant', owner),
      await makeInvited(db(), 'Branch Merchant', merchant),
    ]
    const foreign = await makeInvited(db(), 'Additional Merchant', { organisation: await makeOrganisation(db()) })
    const till = await makePosUser(db(), owner, { status: 'Pending Activation' })
    const signed = { master: await logIn(ask, master), main: await logIn(ask, merchant.main) }
    expect((await resend(signed.master.token, mine.id)).status).toBe(200)
    for (const [token, { id }] of [
      [signed.master.token, other],
      [signed.master.token, foreign],
      [signed.main.token, foreign],
      [signed.main.token, till],
    ] as const) {
      expect(await resend(token, id)).toMatchObject({ status: 404, error: 'NOT_FOUND' })
    }
    expect((await resend(signed.main.token, other.id)).status).toBe(200)
    expect(await mailsTo(db(), foreign.loginName)).toEqual([])
  })

  it('is not for an account that was deactivated', async () => {
    const user = await invitedMaster()
    await db().update(appUser).set({ status: 'Inactive' }).where(eq(appUser.id, user.id))
    const { token } = await logIn(ask, merchant.main)
    expect(await resend(token, user.id)).toMatchObject({ status: 403, error: 'ACCOUNT_INACTIVE' })
  })
})
