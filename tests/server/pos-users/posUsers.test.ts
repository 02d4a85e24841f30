import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { appUser } from '../../../server/db/schema/organisations.ts'
import type { PosUser, PosUserRow } from '../../../src/contract/posUsers.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import { passwordRules } from '../../../src/domain/accounts/passwords.ts'
import {
  countByStatus,
  loggedInClient,
  withoutRequestId,
  type LoggedInClient,
} from '../../support/api/loggedInClient.ts'
import { encryptPassword, get, refresh, logIn, tryToLogIn } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeUser,
  NEW_PASSWORD,
  PASSWORD,
  type Branch,
} from '../../support/database/builders.ts'
import { ask, db, merchantIt as it, main, merchant, server } from '../../support/server/serverTest.ts'

let otherBranch: Branch
beforeEach(async () => {
  otherBranch = await makeBranch(db(), merchant.organisation)
})
const THIRD = 'Seven-Lamps-In-A-Row-9'
const create = async (given: object = {}, who = main, password = NEW_PASSWORD) =>
  who.post<PosUser>('/pos', {
    branch_guid: merchant.branch.id,
    username: randomUUID(),
    encrypted_password: await encryptPassword(ask, password),
    ...given,
  })
const pos = (loginName: string) => ({ loginKind: 'pos', loginName }) as const
const stored = async (id: string) => (await db().select().from(appUser).where(eq(appUser.id, id)))[0]

describe('a new POS user', () => {
  it('gets a password from the merchant, and replaces it at the first login', async () => {
    const { status, data } = await create({ username: ' Till-A9 ' })
    expect(status).toBe(200)
    expect(data).toMatchObject({
      username: 'till-a9',
      branch_guid: merchant.branch.id,
      status: 'Active',
      last_login: null,
      must_change_password: true,
      deletable: true,
    })
    const first = await tryToLogIn(ask, pos('till-a9'), NEW_PASSWORD)
    expect(first.data).toMatchObject({ challenge: 'NEW_PASSWORD' })
    await logIn(ask, pos('till-a9'), { password: NEW_PASSWORD, newPassword: THIRD })
    expect((await main.get(`/pos/get/${data.guid}`)).data).toMatchObject({
      must_change_password: false,
      last_login: server.clock.now().toISOString(),
      deletable: false,
    })
  })

  it('has a username that nobody else on the platform has', async () => {
    const { loginName } = await makePosUser(db())
    expect(await create({ username: loginName.toUpperCase() })).toMatchObject({
      status: 422,
      error: 'NAME_TAKEN',
      body: { data: { fields: [{ path: 'username' }] } },
    })
    const username = randomUUID()
    const replies = await Promise.all(Array.from({ length: 8 }, () => create({ username })))
    expect(countByStatus(replies)).toEqual({ 200: 1, '422 NAME_TAKEN': 7 })
  })

  it('belongs to a branch of mine', async () => {
    const foreign = (await makeMerchant(db())).branch
    const refused = [await create({ branch_guid: foreign.id }), await create({ branch_guid: randomUUID() })]
    expect(refused[0]?.status).toBe(404)
    expect(withoutRequestId(refused[0]!)).toEqual(withoutRequestId(refused[1]!))
  })
})

describe('ACL-05: a branch', () => {
  let branch: LoggedInClient
  beforeEach(async () => {
    branch = await loggedInClient(ask, await makeUser(db(), 'Branch Merchant', merchant))
  })

  it('sees and edits its own POS users only', async () => {
    const mine = await makePosUser(db(), merchant)
    const theirs = await makePosUser(db(), { ...merchant, branch: otherBranch })
    const { data } = await branch.post<TablePage<PosUserRow>>('/pos/datatable', { start: 0, limit: 10 })
    expect(data.rows.map(({ guid }) => guid)).toEqual([mine.id])
    const filter = { start: 0, limit: 10, other_params: [{ key: 'branch', value: otherBranch.id }] }
    expect((await branch.post<TablePage<PosUserRow>>('/pos/datatable', filter)).data.rows).toEqual([])
    const place = { branch_guid: merchant.branch.id, branch_name: merchant.branch.name }
    expect((await branch.get('/pos/list')).data).toEqual([{ guid: mine.id, name: mine.loginName, ...place }])
    expect((await branch.get(`/pos/get/${theirs.id}`)).status).toBe(404)
    expect((await create({ branch_guid: otherBranch.id }, branch)).status).toBe(404)
    expect((await create({}, branch)).status).toBe(200)
    expect((await branch.put(`/pos/edit/${mine.id}`, { username: randomUUID(), revision: 0 })).status).toBe(200)
  })
})

describe('ACL-04: branch and user', () => {
  it('have to belong together, and to me', async () => {
    const till = await makePosUser(db(), merchant)
    const foreign = await makePosUser(db())
    const pairs = [
      [otherBranch.id, till.id],
      [merchant.branch.id, foreign.id],
      [foreign.branch.id, till.id],
      [foreign.branch.id, foreign.id],
      [merchant.branch.id, merchant.main.id],
      [merchant.branch.id, randomUUID()],
    ]
    const replies = []
    for (const [branch, id] of pairs) {
      replies.push(
        await main.put(`/pos/${branch}/deactivation/${id}`),
        await main.put(`/pos/${branch}/reactivation/${id}`),
      )
    }
    for (const one of replies) expect(withoutRequestId(one)).toEqual(withoutRequestId(replies.at(-1)!))
    expect(countByStatus(replies)).toEqual({ '404 NOT_FOUND': 12 })
    for (const { id } of [till, foreign]) expect((await stored(id))?.status).toBe('Active')
  })

  it('that do: deactivation ends the session at once, re-activation lets in again', async () => {
    const till = await makePosUser(db(), merchant)
    const { token, cookie } = await logIn(ask, till)
    const path = (what: string) => `/pos/${merchant.branch.id}/${what}/${till.id}`
    expect(await main.put(path('reactivation'))).toMatchObject({ status: 409, error: 'INVALID_STATE' })
    expect((await main.put<PosUser>(path('deactivation'))).data.status).toBe('Inactive')
    expect((await get(ask, '/api/account/my_info', token)).status).toBe(401)
    expect((await refresh(ask, token, cookie)).status).toBe(401)
    await expect(logIn(ask, till)).rejects.toThrow('ACCOUNT_INACTIVE')
    expect((await main.put<PosUser>(path('reactivation'))).data.status).toBe('Active')
    await logIn(ask, till)
  })
})

describe('another password', () => {
  const change = async (id: string, password: string) =>
    main.put(`/pos/change_password/${id}`, { encrypted_new_password: await encryptPassword(ask, password) })

  it('ends the session, and is replaced at the next login', async () => {
    const till = await makePosUser(db(), merchant)
    const { token } = await logIn(ask, till)
    expect(await change(till.id, NEW_PASSWORD)).toMatchObject({ status: 200, data: { changed: true } })
    expect((await get(ask, '/api/account/my_info', token)).status).toBe(401)
    expect((await tryToLogIn(ask, till)).error).toBe('INVALID_CREDENTIALS')
    expect((await tryToLogIn(ask, till, NEW_PASSWORD)).data).toMatchObject({ challenge: 'NEW_PASSWORD' })
    expect(await change(till.id, PASSWORD)).toMatchObject({ status: 422, error: 'PASSWORD_REUSED' })
    expect(await change(till.id, 'short')).toMatchObject({ status: 422, error: 'PASSWORD_REFUSED' })
  })

  it('is made up by a reset and shown once: it meets the rules', async () => {
    const till = await makePosUser(db(), merchant)
    const { token } = await logIn(ask, till)
    const { status, data } = await main.put<{ temporary_password: string }>(`/pos/reset_password/${till.id}`)
    expect(status).toBe(200)
    const password = data.temporary_password
    expect(passwordRules(password, till.loginName).filter(({ met }) => !met)).toEqual([])
    expect((await get(ask, '/api/account/my_info', token)).status).toBe(401)
    expect((await tryToLogIn(ask, till, password)).data).toMatchObject({ challenge: 'NEW_PASSWORD' })
    const again = await main.put<{ temporary_password: string }>(`/pos/reset_password/${till.id}`)
    expect(again.data.temporary_password).not.toBe(password)
  })

  it('is for POS users of mine: a merchant account is not one', async () => {
    const foreign = await makePosUser(db())
    for (const id of [foreign.id, merchant.main.id, randomUUID()]) {
      expect((await change(id, NEW_PASSWORD)).status).toBe(404)
      expect((await main.put(`/pos/reset_password/${id}`)).status).toBe(404)
    }
  })
})

describe('an edit', () => {
  it('renames, by either of its two paths; from an older state it is refused with the record as it is', async () => {
    const till = await makePosUser(db(), merchant)
    const username = randomUUID()
    const { data } = await main.put<PosUser>(`/pos/${till.id}`, { username, revision: 0 })
    expect(data).toMatchObject({ username, revision: 1 })
    const stale = await main.put(`/pos/edit/${till.id}`, { username: randomUUID(), revision: 0 })
    expect(stale).toMatchObject({ status: 409, error: 'STALE_REVISION', body: { data: { current: data } } })
    await logIn(ask, pos(username))
  })
})

describe('a deletion', () => {
  it('is for who never logged in and never redeemed', async () => {
    const { data } = await create()
    expect((await main.remove(`/pos/${data.guid}`)).status).toBe(200)
    expect(await stored(data.guid)).toBeUndefined()
    const used = await makePosUser(db(), merchant)
    await makeRedemption(db(), used, '2026-11-20')
    const seen = await makePosUser(db(), merchant)
    await logIn(ask, seen)
    for (const { id } of [used, seen]) {
      expect(await main.remove(`/pos/${id}`)).toMatchObject({ status: 409, error: 'IN_USE' })
    }
  })
})

it('the export has the branch by its code, so that an import takes it', async () => {
  const { username } = (await create()).data
  const { text } = await main.file('/pos/export', { start: 0, limit: 10 })
  expect(text).toContain('Username,Branch code,Branch,Status,Last login\r\n')
  expect(text).toContain(`${username},${merchant.branch.code},`)
})
