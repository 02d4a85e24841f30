import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect } from 'vitest'
import { appUser, branch as branchTable } from '../../../server/db/schema/organisations.ts'
import type { Master, MasterRow } from '../../../src/contract/masters.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import { freshEmail, masterForm } from '../../support/api/forms.ts'
import { countByStatus } from '../../support/api/loggedInClient.ts'
import { mailedTokens, mailsTo } from '../../support/api/mailbox.ts'
import { encryptPassword, get, post, logIn } from '../../support/api/portalClient.ts'
import { makeBranch, makeInvited, makeMerchant, makeUser, NEW_PASSWORD } from '../../support/database/builders.ts'
import { ask, db, merchantIt as it, main, merchant, server } from '../../support/server/serverTest.ts'

const create = (form = masterForm()) => main.post<Master>('/merchant/additional', form)
const read = (id: string) => main.get<Master>(`/merchant/additional/get/${id}`)
const deactivate = (id: string) => main.put<Master>(`/merchant/additional/deactivation/${id}`)
const reactivate = (id: string) => main.put<Master>(`/merchant/additional/reactivation/${id}`)
const makeMasters = async (count: number) => {
  const made = []
  for (let n = 0; n < count; n += 1) made.push(await makeUser(db(), 'Additional Merchant', merchant))
  return made
}
const activate = async (token: string) =>
  post(ask, '/api/auth/set_new_password', { token, encrypted_new_password: await encryptPassword(ask, NEW_PASSWORD) })

describe('a new master', () => {
  it('is invited by mail, and Active once the link was used', async () => {
    const form = masterForm()
    const { status, data } = await create(form)
    expect(status).toBe(200)
    expect(data).toMatchObject({ name: form.name, email: form.email, status: 'Pending Activation', deletable: true })
    expect(data.invited_at).toBe(server.clock.now().toISOString())
    const [token] = await mailedTokens(db(), form.email, 'invitation')
    expect((await activate(token!)).status).toBe(200)
    expect((await read(data.guid)).data).toMatchObject({ status: 'Active', invited_at: null, deletable: false })
  })

  it('is invited and logs in with what a mail server takes: apostrophe, ampersand, two hyphens', async () => {
    const email = `m.d'cruz&co-${randomUUID()}@my--shop.example`
    expect((await create(masterForm({ email: email.toUpperCase() }))).status).toBe(200)
    const [token] = await mailedTokens(db(), email, 'invitation')
    expect((await activate(token!)).status).toBe(200)
    expect(await logIn(ask, { loginKind: 'merchant', loginName: email }, { password: NEW_PASSWORD })).toMatchObject({
      token: expect.any(String),
    })
  })

  it('cannot have an email that logs in already, whoever has it', async () => {
    const { main: stranger } = await makeMerchant(db())
    expect(await create(masterForm({ email: stranger.loginName.toUpperCase() }))).toMatchObject({
      status: 422,
      error: 'NAME_TAKEN',
      body: { data: { fields: [{ path: 'email' }] } },
    })
  })

  it('of the same email twenty times at once is one', async () => {
    const form = masterForm()
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(form)))
    expect(countByStatus(replies)).toEqual({ 200: 1, '422 NAME_TAKEN': 19 })
    expect(await mailsTo(db(), form.email)).toHaveLength(1)
  })
})

describe('five masters at most are Active or Pending Activation (rule 7.1)', () => {
  it('however many are created at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => create()))
    expect(countByStatus(replies)).toEqual({ 200: 5, '409 ACCOUNT_LIMIT_EXCEEDED': 15 })
    const rows = await db().select().from(appUser).where(eq(appUser.organisationId, merchant.organisation.id))
    expect(rows.filter(({ type }) => type === 'Additional Merchant')).toHaveLength(5)
  })

  it('however many are re-activated at once', async () => {
    await makeMasters(4)
    const inactive = []
    for (let n = 0; n < 5; n += 1) {
      inactive.push(await makeUser(db(), 'Additional Merchant', merchant, { status: 'Inactive' }))
    }
    const replies = await Promise.all(inactive.map(({ id }) => reactivate(id)))
    expect(countByStatus(replies)).toEqual({ 200: 1, '409 ACCOUNT_LIMIT_EXCEEDED': 4 })
  })

  it('so that one has to be deactivated first; other organisations do not count', async () => {
    const [one] = await makeMasters(5)
    const elsewhere = await makeMerchant(db())
    await makeUser(db(), 'Additional Merchant', elsewhere)
    expect(await create()).toMatchObject({ status: 409, error: 'ACCOUNT_LIMIT_EXCEEDED' })
    expect((await deactivate(one!.id)).status).toBe(200)
    expect((await create()).status).toBe(200)
    expect(await reactivate(one!.id)).toMatchObject({ status: 409, error: 'ACCOUNT_LIMIT_EXCEEDED' })
  })
})

describe('deactivation', () => {
  it('ends the sessions and leaves the branches to the main account in the same moment', async () => {
    const [master] = await makeMasters(1)
    const managed = await makeBranch(db(), merchant.organisation, { masterUserId: master!.id })
    const { token } = await logIn(ask, master!)
    expect((await read(master!.id)).data.managed).toEqual([{ guid: managed.id, name: managed.name }])
    expect(await deactivate(master!.id)).toMatchObject({ status: 200, data: { status: 'Inactive', managed: [] } })
    expect(await get(ask, '/api/account/my_info', token)).toMatchObject({ status: 401, error: 'SESSION_ENDED' })
    const [branch] = await db().select().from(branchTable).where(eq(branchTable.id, managed.id))
    expect(branch?.masterUserId).toBeNull()
    await expect(logIn(ask, master!)).rejects.toThrow('ACCOUNT_INACTIVE')
    expect((await reactivate(master!.id)).data).toMatchObject({ status: 'Active' })
    await logIn(ask, master!)
  })

  it('twice, or re-activation of an active one, is INVALID_STATE', async () => {
    const [master] = await makeMasters(1)
    expect(await reactivate(master!.id)).toMatchObject({ status: 409, error: 'INVALID_STATE' })
    const replies = await Promise.all([deactivate(master!.id), deactivate(master!.id)])
    expect(countByStatus(replies)).toEqual({ 200: 1, '409 INVALID_STATE': 1 })
  })

  it('ends an invitation; re-activation sends another', async () => {
    const form = masterForm()
    const { data } = await create(form)
    await deactivate(data.guid)
    const [first] = await mailedTokens(db(), form.email, 'invitation')
    expect(await activate(first!)).toMatchObject({ status: 400, error: 'LINK_INVALID' })
    expect((await reactivate(data.guid)).data.status).toBe('Pending Activation')
    const [, second] = await mailedTokens(db(), form.email, 'invitation')
    expect((await activate(second!)).status).toBe(200)
  })
})

describe('an edit', () => {
  const edit = (id: string, form: object) => main.put<Master>(`/merchant/additional/${id}`, form)

  it('of what somebody else has changed meanwhile is refused, and shows both', async () => {
    const { data: master } = await create()
    const form = { name: 'West Region Master', email: master.email, revision: master.revision }
    const replies = await Promise.all([edit(master.guid, form), edit(master.guid, { ...form, name: 'North' })])
    expect(countByStatus(replies)).toEqual({ 200: 1, '409 STALE_REVISION': 1 })
    const saved = replies.find(({ status }) => status === 200)!.data
    const stale = replies.find(({ status }) => status === 409)!
    expect(stale.body).toMatchObject({ data: { current: saved } })
    expect((await read(master.guid)).data).toEqual(saved)
    expect((await edit(master.guid, { ...form, revision: saved.revision })).status).toBe(200)
  })

  it('of the email invites the new address, as long as nobody has activated the account', async () => {
    const { data: master } = await create()
    const email = freshEmail()
    const { name } = master
    expect((await edit(master.guid, { name, email, revision: master.revision })).data.email).toBe(email)
    const [old] = await mailedTokens(db(), master.email, 'invitation')
    expect(await activate(old!)).toMatchObject({ error: 'LINK_INVALID' })
    const [token] = await mailedTokens(db(), email, 'invitation')
    expect((await activate(token!)).status).toBe(200)
    const { revision } = (await read(master.guid)).data
    expect(await edit(master.guid, { name, email: freshEmail(), revision })).toMatchObject({
      status: 422,
      body: {
        data: {
          fields: [{ path: 'email', rule: 'fixed', message: expect.stringContaining('Change login email') as string }],
        },
      },
    })
  })
})

describe('a password reset', () => {
  const reset = (id: string) => main.put(`/merchant/reset_password/${id}`)

  it('mails the master a link, three an hour; who was not activated has none', async () => {
    const [master] = await makeMasters(1)
    for (let n = 0; n < 3; n += 1) expect(await reset(master!.id)).toMatchObject({ status: 200, data: { sent: true } })
    const fourth = await reset(master!.id)
    expect(fourth).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await mailedTokens(db(), master!.loginName)).toHaveLength(3)
    const invited = await makeInvited(db(), 'Additional Merchant', merchant)
    expect(await reset(invited.id)).toMatchObject({ status: 409, error: 'INVALID_STATE' })
    expect((await reset(merchant.main.id)).status).toBe(404)
  })
})

describe('a deletion', () => {
  const remove = (id: string) => main.remove(`/merchant/additional/${id}`)

  it('is for a master that nothing refers to', async () => {
    const { data } = await create()
    await makeBranch(db(), merchant.organisation, { masterUserId: data.guid })
    expect(await remove(data.guid)).toMatchObject({
      status: 409,
      error: 'IN_USE',
      body: { message: 'Unable to Delete', data: { reasons: ['branches'] } },
    })
    await db().update(branchTable).set({ masterUserId: null }).where(eq(branchTable.masterUserId, data.guid))
    expect(await remove(data.guid)).toMatchObject({ status: 200, data: { deleted: true } })
    expect((await read(data.guid)).status).toBe(404)
    const [token] = await mailedTokens(db(), data.email, 'invitation')
    expect(await activate(token!)).toMatchObject({ error: 'LINK_INVALID' })
  })

  it('is not for one who has logged in', async () => {
    const [master] = await makeMasters(1)
    await logIn(ask, master!)
    expect(await remove(master!.id)).toMatchObject({ error: 'IN_USE', body: { data: { reasons: ['logins'] } } })
  })
})

describe('the table', () => {
  it('shows the masters of my organisation with branches and last login', async () => {
    const [first, second] = await makeMasters(2)
    await makeBranch(db(), merchant.organisation, { masterUserId: first!.id })
    await logIn(ask, second!)
    await makeUser(db(), 'Additional Merchant', await makeMerchant(db()))
    const order_by = [{ column: 'last_login_at', sort_type: 'desc' }]
    const { data } = await main.post<TablePage<MasterRow>>('/merchant/additional/datatable', {
      start: 0,
      limit: 10,
      order_by,
    })
    expect(data.rows).toMatchObject([
      { guid: second!.id, branches: 0, last_login_at: server.clock.now().toISOString() },
      { guid: first!.id, branches: 1, last_login_at: null },
    ])
  })
})
