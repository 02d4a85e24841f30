import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { activity } from '../../../server/db/schema/activity.ts'
import { changeEmailByProvider } from '../../../server/services/accounts/loginEmail.ts'
import { enrolMfa } from '../../support/accounts/enrolMfa.ts'
import { confirmReset, mailedResetToken } from '../../support/accounts/passwordEndpoints.ts'
import { mailedTokens, mailsTo } from '../../support/api/mailbox.ts'
import { encryptPassword, get, post, refresh, send, logIn, tryToLogIn } from '../../support/api/portalClient.ts'
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
let master: User
let email: string
beforeEach(async () => {
  merchant = await makeMerchant(db())
  master = await makeUser(db(), 'Additional Merchant', merchant, { name: 'East' })
  email = `${randomUUID()}@test.example`
})

interface Given {
  target?: User
  by?: User
  own?: string
  code?: string
}

async function change({ by = merchant.main, ...given }: Given = {}, to = email) {
  const { token } = await logIn(ask, by)
  return changeWith(token, given, to)
}

const changeWith = async (token: string, { target = master, own = PASSWORD, code }: Given = {}, to = email) =>
  post(
    ask,
    '/api/account/admin/change_email',
    { user_guid: target.id, email: to, encrypted_own_password: await encryptPassword(ask, own), code },
    token,
  )

const tokenTo = async (address = email) => (await mailedTokens(db(), address, 'email_change')).at(-1)!
const confirm = (token: string) => post<{ email: string }>(ask, '/api/auth/confirm_email', { token })
const myInfo = (token: string) => get(ask, '/api/account/my_info', token)
const moved = (user: User, loginName = email) => ({ ...user, loginName })

describe('AUT-31 the login email of a master or a branch', () => {
  it('stays until the link to the new address is followed, and moves with it', async () => {
    const theirs = await logIn(ask, master)
    expect(await change()).toMatchObject({ status: 200, data: { sent: true } })
    expect((await myInfo(theirs.token)).status).toBe(200)
    expect((await tryToLogIn(ask, moved(master))).error).toBe('INVALID_CREDENTIALS')
    const [mail] = await mailsTo(db(), email)
    expect(mail).toMatchObject({
      kind: 'email_change',
      subject: expect.stringMatching(/^New login email to confirm: ./),
    })
    expect(mail!.text).toContain(`The main account of ${merchant.organisation.name} asks`)
    expect(mail!.text).toContain('/login?step=email#token=')

    const last = await logIn(ask, master)
    expect(await confirm(await tokenTo())).toMatchObject({ status: 200, data: { email } })
    expect(await myInfo(last.token)).toMatchObject({ status: 401, error: 'SESSION_ENDED' })
    expect((await refresh(ask, last.token, last.cookie)).status).toBe(401)
    expect((await tryToLogIn(ask, master)).error).toBe('INVALID_CREDENTIALS')
    expect((await tryToLogIn(ask, moved(master))).data).toHaveProperty('access_token')
  })

  it('tells the old address when it is asked and when it is done, without a link that opens anything', async () => {
    await change()
    await confirm(await tokenTo())
    const mails = (await mailsTo(db(), master.loginName)).filter(({ kind }) => kind === 'email_changed')
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Login email about to change: ./),
      expect.stringMatching(/^Login email changed: ./),
    ])
    for (const { text } of mails) expect(text).not.toMatch(/token=/)
    for (const { text } of mails) expect(text).not.toContain(email)
  })

  it('moves once: the link works once, for a day, and a newer one replaces it', async () => {
    await change()
    const first = await tokenTo()
    const other = `${randomUUID()}@test.example`
    await change({}, other)
    expect(await confirm(first)).toMatchObject({ status: 400, error: 'LINK_INVALID' })
    const second = await tokenTo(other)
    const statuses = (await Promise.all([confirm(second), confirm(second)])).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400])
    await change({ target: moved(master, other) })
    const late = await tokenTo()
    server.clock.advance({ seconds: 24 * 60 * 60 })
    expect(await confirm(late)).toMatchObject({ status: 400, error: 'LINK_INVALID' })
    expect(await confirm('x'.repeat(43))).toMatchObject({ status: 400, error: 'LINK_INVALID' })
  })

  it('ends the links that were mailed to the old address, and no reset link ends the move', async () => {
    await change()
    const reset = await mailedResetToken(server, master)
    expect((await confirm(await tokenTo())).status).toBe(200)
    expect(await confirmReset(ask, reset, NEW_PASSWORD)).toMatchObject({ status: 400, error: 'LINK_INVALID' })
  })

  it('needs the main account’s own password, and its code where an authenticator app is in force', async () => {
    expect(await change({ own: 'Wrong-Horse-2026!' })).toMatchObject({
      status: 422,
      error: 'WRONG_PASSWORD',
      body: { data: { fields: [{ path: 'encrypted_own_password' }] } },
    })
    const { token } = await logIn(ask, merchant.main)
    const { recoveryCodes } = await enrolMfa(db(), merchant.main)
    expect(await changeWith(token)).toMatchObject({ status: 403, error: 'REAUTH_REQUIRED' })
    expect(await changeWith(token, { code: '000000' })).toMatchObject({ error: 'MFA_CODE_WRONG' })
    expect(await mailsTo(db(), email)).toEqual([])
    expect((await changeWith(token, { code: recoveryCodes[0]! })).status).toBe(200)
  })

  it('is moved by main accounts alone, within their organisation, and not their own', async () => {
    const place = { organisation: merchant.organisation, branch: await makeBranch(db(), merchant.organisation) }
    const branchLogin = await makeUser(db(), 'Branch Merchant', place)
    expect(await change({ by: master, target: branchLogin })).toMatchObject({ status: 403 })
    expect(await change({ by: branchLogin, target: master })).toMatchObject({ status: 403 })
    expect(await change({ target: merchant.main })).toMatchObject({ status: 403 })
    const foreign = await makeMerchant(db())
    expect(await change({ by: foreign.main })).toMatchObject({ status: 404 })
    expect(await change({ target: await makePosUser(db(), place) })).toMatchObject({ status: 404 })
    expect(await mailsTo(db(), email)).toEqual([])
  })

  it('is not moved to an address in use, then or by the time the link is followed', async () => {
    const taken = { error: 'NAME_TAKEN', body: { data: { fields: [{ path: 'email' }] } } }
    expect(await change({}, (await makeMerchant(db())).main.loginName)).toMatchObject(taken)
    expect(await change({}, master.loginName)).toMatchObject(taken)
    await change()
    await makeUser(db(), 'Additional Merchant', merchant, { loginName: email })
    expect(await confirm(await tokenTo())).toMatchObject(taken)
    expect((await tryToLogIn(ask, master)).status).toBe(200)
  })

  it('does not move before the account is activated, nor once it is Inactive', async () => {
    const invited = await makeInvited(db(), 'Additional Merchant', merchant)
    expect(await change({ target: invited })).toMatchObject({ status: 409, error: 'INVALID_STATE' })
    await change()
    const { token } = await logIn(ask, merchant.main)
    await send(ask, 'PUT', `/api/merchant/additional/deactivation/${master.id}`, { token })
    expect(await confirm(await tokenTo())).toMatchObject({ status: 400, error: 'LINK_INVALID' })
    expect(await change()).toMatchObject({ status: 409, error: 'INVALID_STATE' })
  })

  it('of a branch shows on its page, and who edits the branch meanwhile is told', async () => {
    const login = await makeUser(db(), 'Branch Merchant', merchant)
    const { token } = await logIn(ask, merchant.main)
    const read = () =>
      get<{ email: string; revision: number }>(ask, `/api/branch/get/${merchant.branch.id}`, token).then(
        ({ data }) => data,
      )
    const before = await read()
    await changeWith(token, { target: login })
    expect((await confirm(await tokenTo())).status).toBe(200)
    const after = await read()
    expect(after.email).toBe(email)
    expect(after.revision).toBe(before.revision + 1)
  })

  it('stands in the log with the old address and the new, and who asked and who followed', async () => {
    await change()
    await confirm(await tokenTo())
    const entries = await db().select().from(activity).where(eq(activity.subjectId, master.id))
    const details = { old_email: master.loginName, email }
    expect(entries.filter(({ action }) => action.startsWith('account.'))).toMatchObject([
      { action: 'account.email_change_requested', userId: merchant.main.id, details },
      { action: 'account.email_changed', userId: master.id, details },
    ])
  })

  it('is moved by the provider as well, that of a main account too', async () => {
    await changeEmailByProvider(server.deps, merchant.main.loginName, email)
    expect((await mailsTo(db(), email))[0]!.text).toContain('The programme asks')
    expect((await confirm(await tokenTo())).status).toBe(200)
    expect((await tryToLogIn(ask, moved(merchant.main))).data).toHaveProperty('access_token')
    await expect(changeEmailByProvider(server.deps, merchant.main.loginName, email)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})
