import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { savedView } from '../../../server/db/schema/views.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { View } from '../../../src/contract/views.ts'
import { viewForm } from '../../support/api/forms.ts'
import { countByStatus, signedInClient, type SignedInClient } from '../../support/api/signedInClient.ts'
import { makeMerchant, makeUser, makeView, type User } from '../../support/database/builders.ts'
import { ask, db, merchantIt as it, main, merchant } from '../../support/server/serverTest.ts'

let colleague: User
let other: SignedInClient
beforeEach(async () => {
  colleague = await makeUser(db(), 'Branch Merchant', merchant)
  other = await signedInClient(ask, colleague)
})
const save = (who: SignedInClient, given: Record<string, unknown> = {}) =>
  who.post<View>('/view', viewForm({ list: 'voucher', ...given }))
const list = async (who: SignedInClient) => (await who.get<View[]>('/view/list')).data
const edit = (view: View, change: Record<string, unknown> = {}) => {
  const { name, shared, is_default, state, revision } = view
  return { name, shared, is_default, state, revision, ...change }
}
const STATE = {
  q: '2900',
  filter: { status: 'Used', used_from: 'today' },
  sort: 'date_used',
  dir: 'asc',
  size: 50,
  hidden: ['branch'],
}

describe('a saved view', () => {
  it('is given back with all that it says of its table', async () => {
    const { status, data } = await save(main, { name: '  This month ', state: STATE })
    expect(status).toBe(200)
    expect(data).toMatchObject({ list: 'voucher', name: 'This month', mine: true, is_default: false, revision: 0 })
    expect(data.state).toEqual(STATE)
    expect(await list(main)).toEqual([data])
  })

  it('has a name that no other of mine has on this list, in whatever case, and two saved at once are one', async () => {
    const replies = await Promise.all(['Mine', 'mine', 'MINE'].map((name) => save(main, { name })))
    expect(countByStatus(replies)).toEqual({ 200: 1, '422 NAME_TAKEN': 2 })
    expect((await save(main, { name: 'Mine', list: 'branch' })).status).toBe(200)
    expect((await save(other, { name: 'Mine' })).status).toBe(200)
    const [second] = [(await save(main, { name: 'Second' })).data]
    expect(await main.put(`/view/${second.guid}`, edit(second, { name: 'mINE' }))).toMatchObject({
      status: 422,
      error: 'NAME_TAKEN',
      body: { data: { fields: [{ path: 'name' }] } },
    })
  })

  it.each([
    ['a filter of another list', { state: { ...STATE, filter: { account_status: 'Active' } } }],
    ['a column that is not there', { state: { ...STATE, hidden: ['serial'] } }],
    ['an order that is not there', { state: { ...STATE, sort: 'branch' } }],
    ['a page size of its own', { state: { ...STATE, size: 1_000_000 } }],
    ['a filter that every object has', { state: { ...STATE, filter: { toString: 'x' } } }],
    ['a list that is not there', { list: 'toString' }],
    ['no name', { name: '  ' }],
    ['a name of 61 characters', { name: 'x'.repeat(61) }],
    ['more than it takes', { owner: randomUUID() }],
  ])('is refused with %s', async (_, given) => {
    expect(await save(main, given)).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
  })

  it('is read without a column or filter that has gone since, whatever lies in its row', async () => {
    const rotten = {
      filter: { status: 'Used', gone: 'x', used_to: 7 },
      sort: 'gone',
      size: 11,
      hidden: ['gone', 'branch'],
    }
    await makeView(db(), merchant.main, { name: 'Rotten', state: rotten })
    await makeView(db(), merchant.main, { name: 'Text', state: 'nonsense' })
    await makeView(db(), merchant.main, { name: 'Unknown', list: 'gone' })
    const found = await list(main)
    expect(found.map(({ name }) => name)).toEqual(['Rotten', 'Text'])
    expect(found[0]?.state).toEqual({
      q: '',
      filter: { status: 'Used' },
      sort: 'guid',
      dir: 'desc',
      size: 10,
      hidden: ['branch'],
    })
  })

  it('is one of 50 at most, however many are saved at once', async () => {
    for (let n = 0; n < LIMITS.views - 2; n += 1) await makeView(db(), merchant.main)
    const replies = await Promise.all(Array.from({ length: 6 }, () => save(main)))
    expect(countByStatus(replies)).toEqual({ 200: 2, '409 VIEW_LIMIT': 4 })
    expect((await save(other)).status).toBe(200)
  })
})

describe('sharing', () => {
  it('shows a view to the organisation with whose it is, and to nobody else', async () => {
    const mine = (await save(main, { name: 'Shared', shared: true })).data
    await save(main, { name: 'My own' })
    expect(await list(other)).toEqual([{ ...mine, mine: false, owner: merchant.main.loginName }])
    const stranger = await signedInClient(ask, (await makeMerchant(db())).main)
    expect(await list(stranger)).toEqual([])
    expect(await stranger.put(`/view/${mine.guid}`, edit(mine))).toMatchObject({ status: 404 })
    expect(await stranger.remove(`/view/${mine.guid}`)).toMatchObject({ status: 404 })
    expect(await stranger.post('/view/default', { list: 'voucher', view_guid: mine.guid })).toMatchObject({
      status: 404,
    })
  })

  it('lets its owner alone change or delete it', async () => {
    const mine = (await save(main, { shared: true })).data
    expect(await other.put(`/view/${mine.guid}`, edit(mine, { name: 'Theirs' }))).toMatchObject({ status: 403 })
    expect(await other.remove(`/view/${mine.guid}`)).toMatchObject({ status: 403 })
    expect(await list(main)).toEqual([mine])
  })

  it('shows views of a list to those who see the list', async () => {
    await save(main, { list: 'master', shared: true })
    await save(main, { list: 'branch', shared: true })
    expect(await list(other)).toEqual([])
    expect(await save(other, { list: 'master' })).toMatchObject({ status: 403 })
  })
})

describe('an edit', () => {
  it('that began from another state is refused with the view as it is', async () => {
    const first = (await save(main)).data
    const second = (await main.put<View>(`/view/${first.guid}`, edit(first, { name: 'Second' }))).data
    expect(second).toMatchObject({ name: 'Second', revision: 1 })
    expect(await main.put(`/view/${first.guid}`, edit(first, { name: 'Third' }))).toMatchObject({
      status: 409,
      error: 'STALE_REVISION',
      body: { data: { current: second } },
    })
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, n) => main.put(`/view/${first.guid}`, edit(second, { name: `Race ${n}` }))),
    )
    expect(countByStatus(replies)).toEqual({ 200: 1, '409 STALE_REVISION': 4 })
  })

  it('cannot give it the state of another list', async () => {
    const view = (await save(main)).data
    const state = { ...view.state, filter: { kind: 'adhoc' } }
    expect(await main.put(`/view/${view.guid}`, edit(view, { state }))).toMatchObject({
      status: 422,
      error: 'VALIDATION_FAILED',
    })
  })

  it('that deletes it leaves nothing behind', async () => {
    const view = (await save(main, { is_default: true })).data
    expect(await main.remove(`/view/${view.guid}`)).toMatchObject({ status: 200, data: { deleted: true } })
    expect(await list(main)).toEqual([])
    expect(await main.remove(`/view/${view.guid}`)).toMatchObject({ status: 404 })
    expect(await db().select().from(savedView).where(eq(savedView.id, view.guid))).toEqual([])
  })
})

describe('the default', () => {
  const defaultsOf = async (who: SignedInClient) =>
    (await list(who)).filter(({ is_default }) => is_default).map(({ name }) => name)
  const choose = (who: SignedInClient, view_guid: string | null, of = 'voucher') =>
    who.post('/view/default', { list: of, view_guid })

  it('is one for each person and list, and may be a view that somebody shares', async () => {
    await save(main, { name: 'First', is_default: true })
    await save(main, { name: 'Elsewhere', list: 'branch', is_default: true })
    const shared = (await save(main, { name: 'Shared', shared: true, is_default: true })).data
    expect(await defaultsOf(main)).toEqual(['Elsewhere', 'Shared'])
    expect(await defaultsOf(other)).toEqual([])
    expect((await choose(other, shared.guid)).status).toBe(200)
    expect(await defaultsOf(other)).toEqual(['Shared'])
    expect(await choose(other, shared.guid, 'pos')).toMatchObject({ status: 404 })
    expect((await choose(other, null)).status).toBe(200)
    expect(await defaultsOf(other)).toEqual([])
    expect(await defaultsOf(main)).toEqual(['Elsewhere', 'Shared'])
  })

  it('ends for the others when the view is shared no longer', async () => {
    const shared = (await save(main, { name: 'Shared', shared: true, is_default: true })).data
    await choose(other, shared.guid)
    await main.put(`/view/${shared.guid}`, edit(shared, { shared: false }))
    expect(await list(other)).toEqual([])
    expect(await defaultsOf(main)).toEqual(['Shared'])
    await main.put(`/view/${shared.guid}`, edit(shared, { shared: true, is_default: false, revision: 1 }))
    expect(await defaultsOf(other)).toEqual([])
    expect(await defaultsOf(main)).toEqual([])
  })
})
