import { asc, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { noteActivity, type ActivityEntry } from '../../../server/db/activity/activity.ts'
import { activity } from '../../../server/db/schema/activity.ts'
import { branch as branchTable } from '../../../server/db/schema/organisations.ts'
import type { ActivityRow } from '../../../src/contract/activity/activity.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import { ACTIVITY_LABELS, activitySentence, type ActivityAction } from '../../../src/domain/activityLabels.ts'
import { singaporeWallTime } from '../../../src/domain/singaporeTime.ts'
import { makeActors, type Actors, type Signed } from '../../support/api/actors.ts'
import { branchEdit, branchForm } from '../../support/api/forms.ts'
import { loggedInClient, type LoggedInClient } from '../../support/api/loggedInClient.ts'
import { type Ask } from '../../support/api/portalClient.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { db, it, server } from '../../support/server/serverTest.ts'
import { parseSentCsv } from '../../support/tables/parseCsv.ts'
import { ACTIVITY_CASES, NEVER_LOGGED, type ActivityWorld } from './activityCases.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36'
const PAGE = { start: 0, limit: 100 }

const ask: Ask = (path, init) =>
  server.app.request(path, {
    ...init,
    headers: { ...(init?.headers as Record<string, string>), 'user-agent': CHROME },
  })
beforeEach(() => server.clock.set('2026-11-21T02:00:00.000Z'))

const logOf = (organisationId: string) =>
  db().select().from(activity).where(eq(activity.organisationId, organisationId)).orderBy(asc(activity.id))
const read = async (at: LoggedInClient, query: object = {}) =>
  (await at.post<TablePage<ActivityRow>>('/activity/datatable', { ...PAGE, ...query })).data.rows
const filtered = (at: LoggedInClient, key: string, value: string) => read(at, { other_params: [{ key, value }] })
const actionsOf = (rows: { action: string }[]) => rows.map(({ action }) => action)

function doerOf(how: string) {
  if (how === 'by the provider') return { actor: 'Provider', device: null, userId: null, via: 'command line' }
  // A call with the secret of a hold names the till, and has no session.
  return { device: how === 'at the till' ? 'Till 2' : 'Chrome on Windows', via: 'portal' }
}

describe('what is written down', () => {
  it.each(ACTIVITY_CASES)(
    '%s, %s: once, with who and from where, and nothing that opens anything',
    async (action, how, prepare) => {
      const merchant = await makeMerchant(db())
      const world: ActivityWorld = {
        ask,
        merchant,
        main: await loggedInClient(ask, merchant.main),
        secrets: [...NEVER_LOGGED],
      }
      const act = await prepare(world)
      const before = await logOf(merchant.organisation.id)
      await act()
      const written = (await logOf(merchant.organisation.id)).slice(before.length)
      // Activating an account logs the user in too.
      expect(actionsOf(written)).toEqual(action === 'account.activated' ? [action, 'session.logged_in'] : [action])
      const [row] = written
      expect(row).toMatchObject({ at: server.clock.now(), ...doerOf(how) })
      expect(row?.actor).not.toBe('')
      const text = JSON.stringify(written)
      expect(world.secrets.filter((secret) => secret === '' || text.includes(secret))).toEqual([])
    },
  )

  it('covers every act there is but those of reviews and of the programme, which are tested with theirs', () => {
    const tested = new Set<ActivityAction>([...ACTIVITY_CASES.map(([action]) => action), 'session.superseded'])
    const others = (Object.keys(ACTIVITY_LABELS) as ActivityAction[]).filter((action) => !tested.has(action))
    expect(others.toSorted()).toEqual([
      'onboarding.submitted',
      'payment.recorded',
      'review.approved',
      'review.rejected',
      'voucher.revoked',
      'voucher_key.ended',
      'voucher_key.made',
      'voucher_key.rotated',
      'vouchers.issued',
    ])
  })

  it('SES-09: a login that ends another says so of both', async () => {
    const { main, organisation: owner } = await makeMerchant(db())
    await loggedInClient(ask, main)
    await loggedInClient(ask, main)
    expect(actionsOf(await logOf(owner.id))).toEqual(['session.logged_in', 'session.superseded', 'session.logged_in'])
  })

  it('names the fields that an edit changed, and not one that it left; saving what was there is no act', async () => {
    const { main, organisation: owner } = await makeMerchant(db())
    const at = await loggedInClient(ask, main)
    const { data } = await at.post<{ guid: string; email: string }>('/branch', branchOf())
    await at.put(`/branch/${data.guid}`, edit(0, { email: data.email, name: 'Kallang' }))
    await at.put(`/branch/${data.guid}`, edit(1, { email: data.email, name: 'Kallang' }))
    const [, , edited, ...more] = await logOf(owner.id)
    expect(edited).toMatchObject({
      action: 'branch.edited',
      subjectType: 'branch',
      subjectId: data.guid,
      subjectName: 'Kallang',
      branchId: data.guid,
      details: { changed: 'name', old_name: 'Tampines Central' },
    })
    expect(more).toEqual([])
  })

  it('keeps what is told of a master that is deleted', async () => {
    const { main, organisation: owner } = await makeMerchant(db())
    const at = await loggedInClient(ask, main)
    const { data } = await at.post<{ guid: string }>('/merchant/additional', {
      name: 'East',
      email: 'east@log.example',
    })
    expect((await at.remove(`/merchant/additional/${data.guid}`)).status).toBe(200)
    expect(await logOf(owner.id)).toMatchObject([
      { action: 'session.logged_in' },
      { action: 'master.created', subjectId: data.guid, subjectName: 'East' },
      { action: 'master.deleted', subjectId: data.guid, subjectName: 'East', details: { email: 'east@log.example' } },
    ])
  })

  it('is not written of what did not happen', async () => {
    const { main, branch, organisation: owner } = await makeMerchant(db())
    const at = await loggedInClient(ask, main)
    expect((await at.put(`/branch/reactivation/${branch.id}`)).error).toBe('INVALID_STATE')
    expect((await at.post('/branch', branchOf({ email: main.loginName }))).error).toBe('NAME_TAKEN')
    expect(actionsOf(await logOf(owner.id))).toEqual(['session.logged_in'])
  })
})

const branchOf = (given: object = {}) => branchForm({ code: 'LOG-1', ...given })
const edit = (revision: number, given: object) => branchEdit(revision, { code: 'LOG-1', ...given })

describe('the log', () => {
  const never = { cause: { message: expect.stringContaining('never changed or deleted') as string } }

  it('is changed, shortened and emptied by nobody: the database refuses', async () => {
    const { main, organisation: owner } = await makeMerchant(db())
    await loggedInClient(ask, main)
    const [row] = await logOf(owner.id)
    const one = eq(activity.id, row!.id)
    await expect(db().update(activity).set({ actor: 'x' }).where(one)).rejects.toMatchObject(never)
    await expect(db().delete(activity).where(one)).rejects.toMatchObject(never)
    await expect(db().execute(sql`TRUNCATE activity`)).rejects.toMatchObject(never)
    await expect(db().execute(sql`TRUNCATE organisation CASCADE`)).rejects.toMatchObject(never)
    expect(await logOf(owner.id)).toEqual([row])
  })
})

describe('who reads what', () => {
  let actors: Actors
  it.beforeAll(async () => {
    actors = await makeActors(db())
  })

  /** Writes one act for each kind of user, and one about each branch. The name of the subject tells them apart. */
  async function everyAct(): Promise<void> {
    const { users, organisation: here, branch, otherBranch, till, otherTill } = actors
    const place = (id: string) => ({ id })
    const note = (
      userId: string,
      of: { id: string } | null,
      entry: Pick<ActivityEntry, 'organisationId' | 'branchId'>,
      name: string,
    ) =>
      noteActivity(
        db(),
        { userId, loginName: name, device: 'Chrome on Windows', branch: of },
        { ...entry, action: 'table.exported', subject: { type: 'list', id: 'x', name } },
        server.clock.now(),
      )
    await note(users.HRP.id, null, { organisationId: here.id }, 'main')
    await note(users.HRP.id, null, { organisationId: here.id, branchId: branch.id }, 'main on branch')
    await note(users.HRP.id, null, { organisationId: here.id, branchId: otherBranch.id }, 'main on other branch')
    await note(users.Additional.id, null, { organisationId: here.id }, 'master')
    await note(users.Branch.id, place(branch.id), { organisationId: here.id }, 'branch')
    await note(till.id, place(branch.id), { organisationId: here.id }, 'till')
    await note(otherTill.id, place(otherBranch.id), { organisationId: here.id }, 'other till')
    await note(users['other tenant'].id, null, { organisationId: users['other tenant'].organisationId }, 'other tenant')
    await note(users.ADHOC.id, null, { organisationId: users.ADHOC.organisationId }, 'adhoc')
    // A row belongs to its tenant, even when it names a user and a branch of another one.
    await note(
      users.Additional.id,
      null,
      { organisationId: users.ADHOC.organisationId, branchId: branch.id },
      'foreign',
    )
  }

  const SEES: [Signed, string[]][] = [
    ['HRP', ['branch', 'main', 'main on branch', 'main on other branch', 'master', 'other till', 'till']],
    ['Additional', ['branch', 'main on branch', 'master', 'till']],
    ['Branch', ['branch', 'main on branch', 'till']],
    ['ADHOC', ['adhoc', 'foreign']],
    ['other tenant', ['other tenant']],
  ]

  it('ACL-05: the organisation to its main account, to others what concerns their branches and what they did', async () => {
    await everyAct()
    for (const [who, seen] of SEES) {
      const rows = await filtered(await loggedInClient(ask, actors.users[who]), 'kind', 'Reports')
      expect([who, rows.map(({ subject }) => subject.name).toSorted()]).toEqual([who, seen])
    }
  })

  it('ACL-05: no filter and no search shows a row of somebody else', async () => {
    const foreign = actors.users['other tenant']
    for (const who of ['HRP', 'Additional', 'Branch', 'ADHOC'] as const) {
      const at = await loggedInClient(ask, actors.users[who])
      expect(await filtered(at, 'actor', foreign.id)).toEqual([])
      expect(await filtered(at, 'subject', `account:${foreign.id}`)).toEqual([])
      expect(await read(at, { search_str: 'other tenant' })).toEqual([])
    }
  })
})

describe('reading it', () => {
  let at: LoggedInClient
  let mine: Awaited<ReturnType<typeof makeMerchant>>
  beforeEach(async () => {
    mine = await makeMerchant(db())
    at = await loggedInClient(ask, mine.main)
    await at.put(`/branch/deactivation/${mine.branch.id}`)
    server.clock.set('2026-11-22T16:30:00.000Z')
    at = await loggedInClient(ask, mine.main)
    await at.put(`/branch/reactivation/${mine.branch.id}`)
  })

  it('has the newest first, each as a sentence with what is told beside it', async () => {
    const rows = await read(at)
    expect(rows.map(activitySentence)).toEqual([
      `Re-activated branch ${mine.branch.name}`,
      'Logged in',
      `Deactivated branch ${mine.branch.name}`,
      'Logged in',
    ])
    expect(rows[0]).toMatchObject({
      at: '2026-11-22T16:30:00.000Z',
      actor: mine.main.loginName,
      actor_guid: mine.main.id,
      device: 'Chrome on Windows',
      via: 'portal',
      subject: { type: 'branch', id: mine.branch.id, name: mine.branch.name },
      branch_guid: mine.branch.id,
      branch_name: mine.branch.name,
    })
    expect(rows[1]).toMatchObject({ branch_guid: null, branch_name: null })
  })

  it('finds an action by its own words, and narrows to one action or one branch', async () => {
    const { id: userId, loginName } = mine.main
    const person = { userId, loginName, device: 'Chrome on Windows', branch: null }
    const of = (branchId: string) => ({ organisationId: mine.organisation.id, branchId })
    const foreign = await makeMerchant(db())
    const subject = { type: 'voucher', id: mine.branch.id, name: '…0042' } as const
    const note = (branchId: string) =>
      noteActivity(db(), person, { ...of(branchId), action: 'redemption.voided', subject }, server.clock.now())
    await note(mine.branch.id)
    await note(foreign.branch.id)
    for (const search_str of ['void', 'VOIDED the REDEMPTION']) {
      expect(actionsOf(await read(at, { search_str }))).toEqual(['redemption.voided', 'redemption.voided'])
    }
    expect(actionsOf(await filtered(at, 'action', 'branch.deactivated'))).toEqual(['branch.deactivated'])
    expect(actionsOf(await filtered(at, 'branch', mine.branch.id))).toEqual([
      'redemption.voided',
      'branch.reactivated',
      'branch.deactivated',
    ])
    // A row that names a branch of another tenant does not show that branch's name.
    expect(await filtered(at, 'branch', foreign.branch.id)).toMatchObject([{ branch_name: null }])
  })

  it('narrows by Singapore days, kind, person, record and text, and refuses what is none of them', async () => {
    const [on, off] = ['branch.reactivated', 'branch.deactivated']
    expect(actionsOf(await filtered(at, 'from', '2026-11-23'))).toEqual([on, 'session.logged_in'])
    expect(actionsOf(await filtered(at, 'to', '2026-11-22'))).toEqual([off, 'session.logged_in'])
    expect(actionsOf(await filtered(at, 'kind', 'Branches'))).toEqual([on, off])
    expect(actionsOf(await filtered(at, 'actor', mine.main.id))).toHaveLength(4)
    expect(actionsOf(await filtered(at, 'subject', `branch:${mine.branch.id}`))).toEqual([on, off])
    expect(actionsOf(await filtered(at, 'subject', `master:${mine.branch.id}`))).toEqual([])
    expect(actionsOf(await read(at, { search_str: mine.branch.name.toUpperCase() }))).toEqual([on, off])
    expect(await read(at, { search_str: '%' })).toEqual([])
    expect(await filtered(at, 'action', 'branch.painted')).toEqual([])
    for (const [key, value] of [
      ['kind', 'Other'],
      ['action', 'painted'],
      ['branch', 'x'],
      ['actor', 'x'],
      ['subject', 'branch'],
      ['from', '2026-13-01'],
    ] as const) {
      const refused = await at.post('/activity/datatable', { ...PAGE, other_params: [{ key, value }] })
      expect(refused).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
    }
  })

  it('TBL-11: is a file with exactly the rows of the table, in its words, that no spreadsheet runs', async () => {
    await db().update(branchTable).set({ name: '=1+1' }).where(eq(branchTable.id, mine.branch.id))
    await at.put(`/branch/deactivation/${mine.branch.id}`)
    const query = { ...PAGE, other_params: [{ key: 'kind', value: 'Branches' }] }
    const rows = await read(at, query)
    const { text } = await at.file('/activity/export', query)
    const [columns, ...lines] = parseSentCsv(text.slice(1))
    expect(columns).toEqual(['Time', 'Person', 'Action', 'Branch', 'Device', 'Via', 'Details'])
    expect(lines).toEqual(
      rows.map((row) => [
        singaporeWallTime(new Date(row.at)),
        row.actor,
        activitySentence(row),
        "'=1+1",
        'Chrome on Windows',
        'portal',
        '',
      ]),
    )
    expect(lines[0]?.[2]).toBe('Deactivated branch =1+1')
  })

  it('tells facts in words in the file too', async () => {
    const doer = { provider: true, via: 'command line' } as const
    const subject = { type: 'voucher', id: mine.branch.id, name: '…0042' } as const
    const details = { till: 'Till 2', since: '2026-11-21T02:00:00.000Z', amount_cents: 1050 }
    const deed = { organisationId: mine.organisation.id, action: 'hold.released', subject, details } as const
    await noteActivity(db(), doer, deed, server.clock.now())
    const { text } = await at.file('/activity/export', { ...PAGE, other_params: [{ key: 'kind', value: 'Vouchers' }] })
    expect(parseSentCsv(text.slice(1))[1]).toEqual([
      '2026-11-23 00:30:00',
      'Provider',
      'Released the hold on voucher …0042',
      '',
      '',
      'command line',
      'Till: Till 2; On hold since: 2026-11-21 10:00:00; Amount: 10.50',
    ])
  })
})
