import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect } from 'vitest'
import { appUser, branch as branchTable, organisation } from '../../../server/db/schema/organisations.ts'
import type { Branch, BranchRow } from '../../../src/contract/branches.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import { branchEdit, branchForm, business, DAYS, financialContact, freshEmail, PIN } from '../../support/api/forms.ts'
import { countByStatus, loggedInClient, withoutRequestId } from '../../support/api/loggedInClient.ts'
import { mailedTokens } from '../../support/api/mailbox.ts'
import { encryptPassword, post, logIn } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeUser,
  makeVoucher,
  NEW_PASSWORD,
  type User,
} from '../../support/database/builders.ts'
import { newHoldKey, testTill, redeemHeld } from '../../support/redemptions/testTill.ts'
import { ask, db, merchantIt as it, main, merchant, server } from '../../support/server/serverTest.ts'

const create = (given: object = {}, who = main) => who.post<Branch>('/branch', branchForm(given))
const edit = (id: string, form: object, who = main) => who.put<Branch>(`/branch/${id}`, form)
const read = (id: string, who = main) => who.get<Branch>(`/branch/get/${id}`)
const rowsOf = async (list: string, who = main, query: object = {}) => {
  const { data } = await who.post<TablePage<BranchRow>>(`${list}/datatable`, { start: 0, limit: 100, ...query })
  return data.rows
}
const stored = async (id: string) => (await db().select().from(branchTable).where(eq(branchTable.id, id)))[0]!
const masterAtWork = async (at = merchant, given: Partial<User> = {}) => {
  const user = await makeUser(db(), 'Additional Merchant', at, given)
  return { user, desk: await loggedInClient(ask, user) }
}

describe('a new branch', () => {
  it('has a login that is invited by mail, and trades before that is used', async () => {
    const form = branchForm({ code: 'tpc-01' })
    const { status, data } = await main.post<Branch>('/branch', form)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      name: form.name,
      code: 'TPC-01',
      kind: 'permanent',
      status: 'Active',
      email: form.email,
      account_status: 'Pending Activation',
      master_guid: null,
      business,
      financial_contact: financialContact,
      pin: { set: true, weak: false, set_at: server.clock.now().toISOString() },
      created_by: merchant.main.loginName,
      deletable: true,
      revision: 0,
    })
    expect(data.branch_guid).toBe(data.guid)
    const till = await makePosUser(db(), { ...merchant, branch: await stored(data.guid) })
    await logIn(ask, till)
    const [token] = await mailedTokens(db(), form.email, 'invitation')
    const encrypted_new_password = await encryptPassword(ask, NEW_PASSWORD)
    expect((await post(ask, '/api/auth/set_new_password', { token, encrypted_new_password })).status).toBe(200)
    expect((await read(data.guid)).data).toMatchObject({ account_status: 'Active', invited_at: null })
  })

  it('needs neither a login nor a PIN; it can get a login later, and then keeps it', async () => {
    const { pin: _pin, ...form } = branchForm({ email: null })
    const { status, data } = await main.post<Branch>('/branch', form)
    expect(status).toBe(200)
    expect(data).toMatchObject({ email: null, account_guid: null, pin: { set: false } })
    await logIn(ask, await makePosUser(db(), { ...merchant, branch: await stored(data.guid) }))
    const invited = await edit(data.guid, branchEdit(0))
    expect(invited.data).toMatchObject({ account_status: 'Pending Activation' })
    const withdrawn = await edit(data.guid, branchEdit(invited.data.revision, { email: null }))
    expect(withdrawn).toMatchObject({ status: 422, body: { data: { fields: [{ path: 'email', rule: 'required' }] } } })
  })

  it('needs a PIN where vouchers are verified with it', async () => {
    await db()
      .update(organisation)
      .set({ verificationMethod: 'Serial and branch PIN' })
      .where(eq(organisation.id, merchant.organisation.id))
    const refused = await create({ pin: undefined })
    expect(refused).toMatchObject({ status: 422, body: { data: { fields: [{ path: 'pin', rule: 'required' }] } } })
    expect((await create()).status).toBe(200)
  })

  it('has a code that no other branch of the organisation has, whatever the case', async () => {
    await makeBranch(db(), merchant.organisation, { code: 'tpc-01' })
    expect(await create({ code: 'TPC-01' })).toMatchObject({
      status: 422,
      error: 'CODE_TAKEN',
      body: { data: { fields: [{ path: 'code' }] } },
    })
    const elsewhere = await loggedInClient(ask, (await makeMerchant(db())).main)
    expect((await create({ code: 'TPC-01' }, elsewhere)).status).toBe(200)
    const replies = await Promise.all(Array.from({ length: 10 }, () => create({ code: 'BDK-01' })))
    expect(countByStatus(replies)).toEqual({ 200: 1, '422 CODE_TAKEN': 9 })
    expect(await create({ email: merchant.main.loginName })).toMatchObject({ status: 422, error: 'NAME_TAKEN' })
  })

  it('of a master is managed by that master, who can give it to nobody else', async () => {
    const { user, desk: master } = await masterAtWork()
    const other = await makeUser(db(), 'Additional Merchant', merchant)
    const { data } = await create({}, master)
    expect(data).toMatchObject({ master_guid: user.id, created_by: user.loginName })
    expect((await rowsOf('/branch', master)).map(({ guid }) => guid)).toEqual([data.guid])
    for (const master_guid of [other.id, randomUUID()]) {
      expect(await create({ master_guid }, master)).toMatchObject({
        status: 422,
        body: { data: { fields: [{ path: 'master_guid' }] } },
      })
      expect((await edit(data.guid, branchEdit(0, { master_guid }), master)).status).toBe(422)
    }
    expect((await edit(data.guid, branchEdit(0), master)).data.master_guid).toBe(user.id)
  })

  it('can be given to an open master of the organisation, and to no other', async () => {
    const { user } = await masterAtWork()
    const foreign = await makeUser(db(), 'Additional Merchant', await makeMerchant(db()))
    const inactive = await makeUser(db(), 'Additional Merchant', merchant, { status: 'Inactive' })
    const { data } = await create({ master_guid: user.id })
    expect(data).toMatchObject({ master_guid: user.id, master_name: user.loginName })
    const refused = []
    for (const { id } of [foreign, inactive, merchant.main, { id: randomUUID() }]) {
      refused.push(withoutRequestId(await create({ master_guid: id })))
    }
    expect(refused[0]).toMatchObject({ status: 422, body: { error: 'VALIDATION_FAILED' } })
    for (const one of refused) expect(one).toEqual(refused[0])
  })

  it('stays with nobody when its master is deactivated at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { user } = await masterAtWork()
      const [created] = await Promise.all([
        create({ master_guid: user.id }),
        main.put(`/merchant/additional/deactivation/${user.id}`),
      ])
      // Either call may be first: the master was removed from the branch, or was already inactive.
      const outcome = created.status === 200 ? (await stored(created.data.guid)).masterUserId : created.status
      expect([null, 422]).toContain(outcome)
    }
  })
})

describe('the operating hours', () => {
  const withHours = (operating_hours: object) => ({ business: { ...business, operating_hours } })
  const night = { opens: '18:00', closes: '02:00' }
  const rested = { opens: '11:30', closes: '22:00', break: { from: '14:30', to: '17:30' } }
  const whole = { opens: '00:00', closes: '24:00' }
  const week = { ...business.operating_hours, Thursday: rested, Friday: night, Saturday: whole }

  it('may have a break, pass midnight or be the whole day, and are so in the export', async () => {
    const { data } = await create(withHours(week))
    expect((await main.get<Branch>(`/branch/get/${data.guid}`)).data.business?.operating_hours).toEqual(week)
    const { text } = await main.file('/branch/export', { start: 0, limit: 10 })
    expect(text).toContain(
      '"Mon–Wed 09:00–21:30, Thu 11:30–14:30 and 17:30–22:00, Fri 18:00–02:00 (next day), Sat 24 hours, Sun closed"',
    )
  })

  it.each([
    ['09:00', '09:00', 'closes'],
    ['24:00', '09:00', 'opens'],
    ['09:00', '24:01', 'closes'],
  ])('%s to %s is refused', async (opens, closes, end) => {
    expect(await create(withHours({ ...week, Monday: { opens, closes } }))).toMatchObject({
      status: 422,
      body: { data: { fields: [{ path: `business.operating_hours.Monday.${end}` }] } },
    })
  })
})

it.each([
  ['09:00', '10:00'],
  ['08:00', '12:00'],
  ['14:00', '13:00'],
  ['13:00', '21:30'],
])('a break from %s to %s, which is not between opening and closing, is refused', async (from, to) => {
  const operating_hours = {
    ...business.operating_hours,
    Monday: { opens: '09:00', closes: '21:30', break: { from, to } },
  }
  expect(await create({ business: { ...business, operating_hours } })).toMatchObject({
    status: 422,
    body: { data: { fields: [{ path: 'business.operating_hours.Monday.break.to' }] } },
  })
})

describe('the PIN', () => {
  it('VCH-09: is kept as Argon2id and never leaves again', async () => {
    const { data } = await create()
    expect((await stored(data.guid)).pinHash).toMatch(/^\$argon2id\$/)
    const edited = await edit(data.guid, branchEdit(0, { pin: '583920' }))
    const listed = await rowsOf('/branch')
    const exported = await main.file('/branch/export', { start: 0, limit: 10 })
    const said = JSON.stringify([data, edited.body, listed, exported.text])
    expect(said).not.toContain(PIN)
    expect(said).not.toContain('583920')
    expect(said).not.toContain('argon2')
    expect((await stored(data.guid)).pinHash).toMatch(/^\$argon2id\$/)
  })

  it('is flagged when anybody would try it first, and stays when an edit does not name it', async () => {
    const start = merchant.organisation.merchantId.slice(-3)
    const { data } = await create({ pin: `${start}000` })
    expect(data.pin).toMatchObject({ set: true, weak: true })
    const before = (await stored(data.guid)).pinHash
    expect((await edit(data.guid, branchEdit(0))).data.pin.weak).toBe(true)
    expect((await stored(data.guid)).pinHash).toBe(before)
    expect((await edit(data.guid, branchEdit(1, { pin: '583920' }))).data.pin.weak).toBe(false)
  })

  it.each([['12345'], ['1234567'], ['12345a'], [123456]])('%s is refused', async (pin) => {
    expect(await create({ pin })).toMatchObject({ status: 422, body: { data: { fields: [{ path: 'pin' }] } } })
  })
})

describe('deactivation', () => {
  it('twice is INVALID_STATE, and so is re-activation of an active branch', async () => {
    const deactivate = () => main.put(`/branch/deactivation/${merchant.branch.id}`)
    expect(await main.put(`/branch/reactivation/${merchant.branch.id}`)).toMatchObject({ error: 'INVALID_STATE' })
    expect(countByStatus(await Promise.all([deactivate(), deactivate()]))).toEqual({ 200: 1, '409 INVALID_STATE': 1 })
  })

  it('VCH-12: leaves no redemption behind it', async () => {
    const till = await testTill(ask, await makePosUser(db(), merchant))
    const serials = await Promise.all(Array.from({ length: 10 }, async () => (await makeVoucher(db())).serial))
    const redeem = async (serial: string) => {
      const key = newHoldKey()
      const checked = await till.verify(serial, key)
      if (checked.status === 200) await redeemHeld(ask, key)
      return checked
    }
    const [ended, ...redeemed] = await Promise.all([
      main.put(`/branch/deactivation/${merchant.branch.id}`),
      ...serials.map(redeem),
    ])
    expect(ended.status).toBe(200)
    for (const { status } of redeemed) expect([200, 401, 403]).toContain(status)
    expect((await redeem((await makeVoucher(db())).serial)).status).toBe(401)
  })
})

describe('an adhoc branch', () => {
  const adhoc = (given: object = {}) => main.post<Branch>('/branch/adhoc', branchForm({ ...DAYS, ...given }))

  it('has a first and a last day, in that order', async () => {
    expect((await adhoc()).data).toMatchObject({ kind: 'adhoc', ...DAYS })
    expect((await adhoc({ to_day: DAYS.from_day })).status).toBe(200)
    expect(await adhoc({ from_day: '2026-11-24' })).toMatchObject({
      status: 422,
      body: { data: { fields: [{ path: 'to_day', message: 'must not be before the first day' }] } },
    })
    expect(await adhoc({ from_day: undefined })).toMatchObject({ status: 422 })
  })

  it.each([
    ['2026-11-19T15:59:59Z', 403, 'the second before its first Singapore day'],
    ['2026-11-19T16:00:00Z', 200, 'its first second'],
    ['2026-11-23T15:59:59Z', 200, 'its last second'],
    ['2026-11-23T16:00:00Z', 403, 'the second after'],
  ])('at %s answers %i: %s', async (at, status) => {
    const branch = await makeBranch(db(), merchant.organisation, {
      kind: 'adhoc',
      fromDay: DAYS.from_day,
      toDay: DAYS.to_day,
    })
    const till = await makePosUser(db(), { ...merchant, branch })
    const before = server.clock.now()
    server.clock.set(new Date(at))
    const { serial } = await makeVoucher(db())
    const verified = await (await testTill(ask, till)).verify(serial, newHoldKey())
    server.clock.set(before)
    const error = status === 403 ? 'BRANCH_CLOSED' : undefined
    expect([verified.status, verified.error]).toEqual([status, error])
  })
})

describe('the three lists', () => {
  it('hold what their name says, and find nothing else', async () => {
    const { user } = await masterAtWork()
    const managed = (await create({ master_guid: user.id })).data
    const temporary = (await main.post<Branch>('/branch/adhoc', branchForm(DAYS))).data
    const guids = async (list: string) => (await rowsOf(list)).map(({ guid }) => guid).toSorted()
    expect(await guids('/branch')).toEqual([merchant.branch.id, managed.guid, temporary.guid].toSorted())
    expect(await guids('/branch/master')).toEqual([managed.guid])
    expect(await guids('/branch/adhoc')).toEqual([temporary.guid])
    expect((await main.get(`/branch/adhoc/get/${managed.guid}`)).status).toBe(404)
    expect((await main.get(`/branch/master/get/${temporary.guid}`)).status).toBe(404)
    expect((await main.remove(`/branch/master/${temporary.guid}`)).status).toBe(404)
    const { data: options } = await main.get<{ guid: string }[]>('/branch/adhoc/list')
    expect(options).toEqual([{ guid: temporary.guid, name: temporary.name }])
    expect((await rowsOf('/branch', main, { other_params: [{ key: 'master', value: user.id }] })).length).toBe(1)
    expect((await rowsOf('/branch', main, { other_params: [{ key: 'master', value: 'none' }] })).length).toBe(2)
    const account = { key: 'account_status', value: 'Pending Activation' }
    expect((await rowsOf('/branch', main, { other_params: [account] })).length).toBe(2)
  })

  it('show a master its own branches only', async () => {
    const { user, desk: master } = await masterAtWork()
    const mine = await makeBranch(db(), merchant.organisation, { masterUserId: user.id })
    expect((await rowsOf('/branch', master)).map(({ guid }) => guid)).toEqual([mine.id])
    expect((await read(merchant.branch.id, master)).status).toBe(404)
    expect((await master.put(`/branch/deactivation/${merchant.branch.id}`)).status).toBe(404)
  })
})

describe('an edit', () => {
  it('from an older state is refused with the record as it is', async () => {
    const { data } = await create()
    const forms = [branchEdit(0, { name: 'Bedok North' }), branchEdit(0, { name: 'Pasir Ris' })]
    const same = { email: data.email, code: data.code }
    const replies = await Promise.all(forms.map((form) => edit(data.guid, { ...form, ...same })))
    expect(countByStatus(replies)).toEqual({ 200: 1, '409 STALE_REVISION': 1 })
    const saved = replies.find(({ status }) => status === 200)!.data
    expect(replies.find(({ status }) => status === 409)!.body).toMatchObject({ data: { current: saved } })
    expect((await read(data.guid)).data).toEqual(saved)
  })

  it('gives a branch from before it had a login one', async () => {
    const email = freshEmail()
    const { data } = await edit(merchant.branch.id, branchEdit(0, { email }))
    expect(data).toMatchObject({ email, account_status: 'Pending Activation' })
    expect(await mailedTokens(db(), email, 'invitation')).toHaveLength(1)
  })
})

describe('a password reset', () => {
  it('mails the login of the branch a link', async () => {
    const user = await makeUser(db(), 'Branch Merchant', merchant)
    expect(await main.put(`/branch/reset_password/${merchant.branch.id}`)).toMatchObject({ data: { sent: true } })
    expect(await mailedTokens(db(), user.loginName)).toHaveLength(1)
    const { data } = await create()
    expect(await main.put(`/branch/reset_password/${data.guid}`)).toMatchObject({ status: 409, error: 'INVALID_STATE' })
  })
})

describe('a deletion', () => {
  const remove = (id: string) => main.remove(`/branch/${id}`)

  it('takes the login with it', async () => {
    const { data } = await create()
    expect(await remove(data.guid)).toMatchObject({ status: 200, data: { deleted: true } })
    expect((await read(data.guid)).status).toBe(404)
    expect(await db().select().from(appUser).where(eq(appUser.loginName, data.email!))).toEqual([])
    // The address can be used again.
    expect((await create({ email: data.email })).status).toBe(200)
  })

  it('is refused with its reason for a branch with redemptions or POS users', async () => {
    const { data } = await create()
    const branch = await stored(data.guid)
    const till = await makePosUser(db(), { ...merchant, branch })
    expect(await remove(data.guid)).toMatchObject({ error: 'IN_USE', body: { data: { reasons: ['POS users'] } } })
    await makeRedemption(db(), till, '2026-11-20')
    expect(await remove(data.guid)).toMatchObject({
      status: 409,
      error: 'IN_USE',
      body: { message: 'Unable to Delete', data: { reasons: ['redemptions', 'POS users'] } },
    })
    expect((await read(data.guid)).data.deletable).toBe(false)
  })
})

it('ACL-07: a branch has no branches and no masters', async () => {
  const branchUser = await loggedInClient(ask, await makeUser(db(), 'Branch Merchant', merchant))
  const { user } = await masterAtWork()
  const replies = [
    await branchUser.get('/branch/list'),
    await branchUser.get(`/branch/get/${merchant.branch.id}`),
    await branchUser.get(`/merchant/additional/get/${user.id}`),
    await branchUser.get('/merchant/additional/list'),
  ]
  expect(countByStatus(replies)).toEqual({ '403 FORBIDDEN': 4 })
})
