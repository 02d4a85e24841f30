import { randomUUID } from 'node:crypto'
import { and, count, eq } from 'drizzle-orm'
import { describe, expect } from 'vitest'
import { claimMail } from '../../../server/db/mailOutbox.ts'
import { throttle } from '../../../server/db/schema/accounts.ts'
import { activity } from '../../../server/db/schema/activity.ts'
import { appUser, branch as branchTable } from '../../../server/db/schema/organisations.ts'
import { THROTTLES } from '../../../server/db/throttles.ts'
import type { ImportAnswer } from '../../../src/contract/imports.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import { branchRecord, DAYS, freshEmail, importOf, posRecord } from '../../support/api/forms.ts'
import { countByStatus, loggedInClient } from '../../support/api/loggedInClient.ts'
import { mailedTokens } from '../../support/api/mailbox.ts'
import { post, logIn, tryToLogIn } from '../../support/api/portalClient.ts'
import { makeBranch, makeMerchant, makeUser, type Merchant, type User } from '../../support/database/builders.ts'
import { ask, db, merchantIt as it, main, merchant, server } from '../../support/server/serverTest.ts'

const take = (batch: object, who = main) => who.post<{ rows: ImportAnswer[] }>('/branch/import', batch)
const check = (batch: object, who = main) => take({ ...batch, dry_run: true }, who)
const takePos = (batch: object, who = main) => who.post<{ rows: ImportAnswer[] }>('/pos/import', batch)
const outcomes = (rows: { outcome: string }[]) => rows.map(({ outcome }) => outcome)
const refusedAt = (row: ImportAnswer | undefined) =>
  row?.outcome === 'refused' ? row.fields.map(({ path, rule }) => `${path} ${rule}`) : row?.outcome
const guidsOf = (rows: ImportAnswer[]) => rows.map((row) => ('guid' in row ? row.guid : undefined))

async function branchesOf({ organisation }: Merchant): Promise<number> {
  const [found] = await db()
    .select({ n: count() })
    .from(branchTable)
    .where(eq(branchTable.organisationId, organisation.id))
  return found!.n
}
const invitationsTo = async (emails: string[]) =>
  (await Promise.all(emails.map((email) => mailedTokens(db(), email, 'invitation')))).map(({ length }) => length)
const masterAtWork = async (given: Partial<User> = {}) => {
  const user = await makeUser(db(), 'Additional Merchant', merchant, given)
  return { user, desk: await loggedInClient(ask, user) }
}
const loginOf = (username: string) => ({ loginKind: 'pos', loginName: username }) as const

describe('an import of branches', () => {
  it('creates each row as the form would: the branch, its login and one invitation', async () => {
    const records = [branchRecord(), { ...branchRecord(DAYS), kind: 'adhoc' }, branchRecord({ pin: '123456' })]
    const { status, data } = await take(importOf(...records))
    expect([status, outcomes(data.rows)]).toEqual([200, ['created', 'created', 'created']])
    const [first, adhoc, weak] = await Promise.all(
      guidsOf(data.rows).map(async (id) => (await main.get(`/branch/get/${id}`)).data),
    )
    expect(first).toMatchObject({
      name: records[0]!.name,
      code: records[0]!.code,
      kind: 'permanent',
      status: 'Active',
      email: records[0]!.email,
      account_status: 'Pending Activation',
      pin: { set: true, weak: false },
      created_by: merchant.main.loginName,
      deletable: true,
    })
    expect(adhoc).toMatchObject({ kind: 'adhoc', ...DAYS })
    expect(weak).toMatchObject({ pin: { weak: true } })
    expect(await invitationsTo(records.map(({ email }) => email))).toEqual([1, 1, 1])
    const ofMerchant = eq(activity.organisationId, merchant.organisation.id)
    const noted = await db().select().from(activity).where(ofMerchant).orderBy(activity.id)
    const actor = merchant.main.loginName
    expect(noted.filter(({ action }) => !action.startsWith('session.'))).toMatchObject(
      records.map(({ name, email }, index) => {
        const branchId = guidsOf(data.rows)[index]
        const created = { actor, action: 'branch.created', subjectName: name, details: { email } }
        return Object.assign(created, { subjectId: branchId, branchId })
      }),
    )
  })

  it('answers a repeat with what the first did, and creates and mails nothing again', async () => {
    const batch = importOf(branchRecord(), branchRecord())
    const first = (await take(batch)).data.rows
    const before = await branchesOf(merchant)
    const repeat = (await take(batch)).data.rows
    expect(outcomes(repeat)).toEqual(['existing', 'existing'])
    expect(guidsOf(repeat)).toEqual(guidsOf(first))
    expect(outcomes((await check(batch)).data.rows)).toEqual(['existing', 'existing'])
    expect(await branchesOf(merchant)).toBe(before)
    expect(await invitationsTo(batch.rows.map(({ record }) => record.email))).toEqual([1, 1])
  })

  it('that two tabs commit at the same moment creates every row once', async () => {
    const batch = importOf(...Array.from({ length: 12 }, () => branchRecord()))
    const before = await branchesOf(merchant)
    const tabs = await Promise.all([batch, { ...batch, rows: batch.rows.toReversed() }, batch].map((one) => take(one)))
    expect(countByStatus(tabs)).toEqual({ 200: 3 })
    const rows = tabs.flatMap(({ data }) => data.rows)
    expect(rows.filter(({ outcome }) => outcome === 'created')).toHaveLength(12)
    expect(rows.filter(({ outcome }) => outcome === 'existing')).toHaveLength(24)
    expect(new Set(guidsOf(rows)).size).toBe(12)
    expect(await branchesOf(merchant)).toBe(before + 12)
    expect(await invitationsTo(batch.rows.map(({ record }) => record.email))).toEqual(Array(12).fill(1))
  })

  it('at the same moment as another of the same branches creates each once, and leaves no half of any', async () => {
    const records = Array.from({ length: 10 }, () => branchRecord())
    const before = await branchesOf(merchant)
    const sameMail = records.map(({ email }) => branchRecord({ email }))
    const imports = await Promise.all(
      [importOf(...records), importOf(...records.toReversed()), importOf(...sameMail)].map((one) => take(one)),
    )
    expect(countByStatus(imports)).toEqual({ 200: 3 })
    const created = imports.flatMap(({ data }) => data.rows).filter(({ outcome }) => outcome === 'created')
    expect(created).toHaveLength(10)
    expect(await branchesOf(merchant)).toBe(before + 10)
    const { rows } = (
      await main.post<{ rows: { email: string | null }[] }>('/branch/datatable', { start: 0, limit: 50 })
    ).data
    expect(rows.filter(({ email }) => email === null)).toHaveLength(before)
  })

  it('creates the rest when some rows are refused, and a mended row under its old number', async () => {
    const [code, email] = ['TPC-01', freshEmail()]
    await take(importOf(branchRecord({ code, email })))
    const batch = importOf(
      branchRecord({ code: 'tpc-01' }),
      branchRecord({ email: email.toUpperCase() }),
      branchRecord({ code: 'NEW-01' }),
      branchRecord({ code: 'NEW-01' }),
      branchRecord({ code: 'TPC-01', email }),
      branchRecord(),
    )
    const [code1, email2] = [['code unique'], ['email unique']]
    const checked = (await check(batch)).data.rows.map(refusedAt)
    expect(checked).toEqual([code1, email2, 'ok', 'ok', 'existing', 'ok'])
    const done = (await take(batch)).data.rows.map(refusedAt)
    expect(done).toEqual([code1, email2, 'created', code1, 'existing', 'created'])
    const mended = { ...batch, rows: [{ number: 1, record: branchRecord({ code: 'TPC-02' }) }] }
    expect(outcomes((await take(mended)).data.rows)).toEqual(['created'])
  })

  it('knows nothing of the codes and the imports of another organisation', async () => {
    const other = await makeMerchant(db())
    await makeBranch(db(), other.organisation, { code: 'TPC-01' })
    const batch = importOf(branchRecord({ code: 'TPC-01' }))
    expect(outcomes((await take(batch)).data.rows)).toEqual(['created'])
    const foreign = await loggedInClient(ask, other.main)
    expect((await take(batch, foreign)).data.rows.map(refusedAt)).toEqual([['code unique', 'email unique']])
  })

  it('by a master makes branches of that master, who can give them to nobody else', async () => {
    const { user, desk: master } = await masterAtWork()
    const other = await makeUser(db(), 'Additional Merchant', merchant)
    const batch = importOf(branchRecord(), branchRecord({ master_guid: other.id }))
    const { rows } = (await take(batch, master)).data
    expect(rows.map(refusedAt)).toEqual(['created', ['master_guid master']])
    expect((await main.get(`/branch/get/${guidsOf(rows)[0]}`)).data).toMatchObject({ master_guid: user.id })
  })

  it('gives branches to open masters of the organisation only', async () => {
    const { user } = await masterAtWork()
    const inactive = await makeUser(db(), 'Additional Merchant', merchant, { status: 'Inactive' })
    const foreign = await makeUser(db(), 'Additional Merchant', await makeMerchant(db()))
    const batch = importOf(...[user, inactive, foreign].map(({ id }) => branchRecord({ master_guid: id })))
    const expected = [['master_guid master'], ['master_guid master']]
    expect((await check(batch)).data.rows.map(refusedAt)).toEqual(['ok', ...expected])
    expect((await take(batch)).data.rows.map(refusedAt)).toEqual(['created', ...expected])
  })

  it('takes what the form takes, and no more rows at once than the limit', async () => {
    const wrong = importOf(branchRecord(), branchRecord({ pin: '12' }))
    expect(await take(wrong)).toMatchObject({
      status: 422,
      error: 'VALIDATION_FAILED',
      body: { data: { fields: [{ path: 'rows.1.record.pin' }] } },
    })
    const late = importOf({ ...branchRecord({ from_day: '2026-11-23', to_day: '2026-11-20' }), kind: 'adhoc' })
    expect(await take(late)).toMatchObject({
      status: 422,
      body: { data: { fields: [{ path: 'rows.0.record.to_day' }] } },
    })
    const many = importOf(...Array.from({ length: LIMITS.importBatch + 1 }, () => branchRecord()))
    const beyond = { dry_run: false, rows: [{ number: LIMITS.importRows + 2, record: branchRecord() }] }
    const twice = { dry_run: false, rows: [1, 1].map((number) => ({ number, record: branchRecord() })) }
    const before = await branchesOf(merchant)
    for (const batch of [many, beyond, twice, importOf()]) expect((await take(batch)).status).toBe(422)
    expect(await branchesOf(merchant)).toBe(before)
  })

  it('does not keep the mails of others waiting: a password link that is asked for then goes out first', async () => {
    const records = Array.from({ length: 5 }, () => branchRecord())
    await take({ dry_run: false, rows: records.map((record, index) => ({ number: index + 1, record })) })
    server.clock.advance({ seconds: 1 })
    await post(ask, '/api/auth/forgot_password', { email: merchant.main.loginName })
    await server.deps.background.settled()
    const sent: string[] = []
    while (!sent.includes(merchant.main.loginName)) sent.push((await claimMail(db(), server.clock.now()))!.to)
    for (const { email } of records) expect(sent).not.toContain(email)
  })
})

describe('an import of POS users', () => {
  const posUser = (given: object = {}) => posRecord({ branch_code: merchant.branch.code, ...given })

  it('makes a temporary password for each, which the cashier replaces', async () => {
    const batch = importOf(posUser({ username: `Till-${randomUUID()}` }), posUser())
    const { rows } = (await takePos(batch)).data
    expect(outcomes(rows)).toEqual(['created', 'created'])
    const [first] = rows
    const password = first?.outcome === 'created' ? first.temporary_password! : ''
    const username = batch.rows[0]!.record.username.toLowerCase()
    expect((await tryToLogIn(ask, loginOf(username), password)).data).toMatchObject({ challenge: 'NEW_PASSWORD' })
  })

  it('repeated tells the password again of whom nobody has touched since, to who imported, and nobody else', async () => {
    const batch = importOf(posUser(), posUser(), posUser())
    const first = passwordsOf((await takePos(batch)).data.rows)
    const [, used, reset] = batch.rows.map(({ record }) => record.username)
    server.clock.advance({ seconds: 1 })
    const resetId = (await db().select().from(appUser).where(eq(appUser.loginName, reset!)))[0]!.id
    await logIn(ask, loginOf(used!), { password: first[1]!, newPassword: 'Seven-Lamps-In-A-Row-9' })
    await main.put(`/pos/reset_password/${resetId}`)
    const again = (await takePos(batch)).data.rows
    expect(outcomes(again)).toEqual(['existing', 'existing', 'existing'])
    const second = passwordsOf(again)
    expect(second.map((password) => password !== null)).toEqual([true, false, false])
    expect(second[0]).toBe(first[0])
    const untouched = loginOf(batch.rows[0]!.record.username)
    expect((await tryToLogIn(ask, untouched, second[0]!)).data).toMatchObject({ challenge: 'NEW_PASSWORD' })
    const { desk } = await masterAtWork()
    expect(passwordsOf((await takePos(batch, desk)).data.rows).filter(Boolean)).toEqual([])
    const checked = (await takePos({ ...batch, dry_run: true })).data.rows
    expect(outcomes(checked)).toEqual(outcomes(again))
    expect(passwordsOf(checked)).toEqual([null, null, null])
  })

  it('that two tabs commit at the same moment creates every user once', async () => {
    const batch = importOf(...Array.from({ length: 8 }, () => posUser()))
    const tabs = await Promise.all([takePos(batch), takePos({ ...batch, rows: batch.rows.toReversed() })])
    const rows = tabs.flatMap(({ data }) => data.rows)
    expect(rows.filter(({ outcome }) => outcome === 'created')).toHaveLength(8)
    const made = await db()
      .select({ n: count() })
      .from(appUser)
      .where(and(eq(appUser.branchId, merchant.branch.id), eq(appUser.type, 'POS User')))
    expect(made[0]!.n).toBe(8)
  })

  it('puts them into branches of the scope only, and of a Branch Merchant into its own', async () => {
    const other = await makeBranch(db(), merchant.organisation)
    const foreign = (await makeMerchant(db())).branch
    const own = await loggedInClient(ask, await makeUser(db(), 'Branch Merchant', merchant))
    const batch = importOf(
      posRecord(),
      ...[merchant.branch, other, foreign].map(({ code }) => posRecord({ branch_code: code.toLowerCase() })),
    )
    const [no, both] = [['branch_code branch'], ['created', 'created']]
    expect((await takePos(batch)).data.rows.map(refusedAt)).toEqual([no, ...both, no])
    const mine = importOf(...batch.rows.map(({ record: { branch_code } }) => posRecord({ branch_code })))
    expect((await takePos(mine, own)).data.rows.map(refusedAt)).toEqual(['created', 'created', no, no])
  })

  it('refuses a name that somebody on the platform has, and makes one of two rows with the same', async () => {
    const elsewhere = await makeMerchant(db())
    const till = await makeUser(db(), 'POS User', elsewhere)
    const name = randomUUID()
    const batch = importOf(
      posUser({ username: till.loginName }),
      posUser({ username: name }),
      posUser({ username: name.toUpperCase() }),
    )
    const { rows } = (await takePos(batch)).data
    expect(rows.map(refusedAt)).toEqual([['username unique'], 'created', 'existing'])
  })
})

it('Whoever asks for more batches than four files have is asked to wait', async () => {
  expect((await check(importOf(branchRecord()))).status).toBe(200)
  const counted = eq(throttle.key, `${THROTTLES.importBatch.prefix}${merchant.main.id}`)
  await db()
    .update(throttle)
    .set({ failures: 4 * 2 * (LIMITS.importRows / LIMITS.importBatch) - 1 })
    .where(counted)
  expect((await check(importOf(branchRecord()))).status).toBe(200)
  expect(await check(importOf(branchRecord()))).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
})

const passwordsOf = (rows: ImportAnswer[]) =>
  rows.map((row) => ('temporary_password' in row ? (row.temporary_password ?? null) : null))
