import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { review } from '../../../server/db/schema/merchants.ts'
import { releaseAnyHold } from '../../../server/services/redemptions/holds.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Notices } from '../../../src/contract/notices.ts'
import { invite } from '../../support/accounts/invite.ts'
import { makeActors, type Actors } from '../../support/api/actors.ts'
import { get, post, signIn } from '../../support/api/portalClient.ts'
import { makeBranch, makeVoucher } from '../../support/database/builders.ts'
import { testTill, cancelHeld } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const START = '2026-11-21T02:00:00.000Z'
const DAY_MS = 86_400_000

let actors: Actors
beforeEach(async () => {
  server.clock.set(START)
  actors = await makeActors(db())
})

const daysAgo = (days: number) => new Date(Date.parse(START) - days * DAY_MS)
type Who = { loginName: string; loginKind: 'merchant' | 'pos' }
const tokenOf = async (who: Who) => (await signIn(ask, who)).token
const readBy = async (token: string) => (await get<Notices>(ask, '/api/notices', token)).data
const noticesOf = async (who: Who) => (await readBy(await tokenOf(who))).notices
const mark = (token: string, keys: string[]) => post<{ read: number }>(ask, '/api/notices/read', { keys }, token)

const someHash = () => createHash('sha256').update(randomUUID()).digest('hex')

/** A login of a new branch that `Additional` manages. */
async function inviteBranch(mailedAt: Date) {
  const { organisation, users } = actors
  const branch = await makeBranch(db(), organisation, { masterUserId: users.Additional.id })
  return { branch, user: await invite(db(), { organisation, branch }, mailedAt) }
}

describe('an invitation that ran out', () => {
  it('concerns who can send it again, from the moment the link ends and for 30 days', async () => {
    const { user: late, branch } = await inviteBranch(daysAgo(8))
    await inviteBranch(daysAgo(6))
    await inviteBranch(daysAgo(38))
    const expired = {
      key: `invitation:${late.id}:${daysAgo(1).getTime()}`,
      at: daysAgo(1).toISOString(),
      kind: 'invitation expired',
      of: 'branch',
      guid: branch.id,
      name: branch.name,
      email: late.loginName,
      read: false,
    }
    expect(await noticesOf(actors.users.HRP)).toEqual([expired])
    expect(await noticesOf(actors.users.Additional)).toEqual([expired])
    for (const who of ['Branch', 'POS', 'other tenant'] as const) expect(await noticesOf(actors.users[who])).toEqual([])
  })

  it('of very many is named for the newest, and one notice for the others, which a later one makes new', async () => {
    const older = daysAgo(9)
    for (let count = 0; count < LIMITS.namedNotices + 2; count += 1) {
      await inviteBranch(new Date(older.getTime() + count * 60_000))
    }
    const found = await noticesOf(actors.users.HRP)
    expect(found.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: LIMITS.namedNotices }, () => 'invitation expired'),
      'more invitations expired',
    ])
    const more = found.at(-1)!
    expect(more).toMatchObject({ count: 2, read: false })
    await inviteBranch(daysAgo(8))
    expect((await noticesOf(actors.users.HRP)).at(-1)).toMatchObject({ count: 3 })
    expect((await noticesOf(actors.users.HRP)).at(-1)!.key).not.toBe(more.key)
  })

  it('of a master concerns the main account alone', async () => {
    const late = await invite(db(), { organisation: actors.organisation }, daysAgo(8))
    expect(await noticesOf(actors.users.HRP)).toMatchObject([{ of: 'master', guid: late.id, email: late.loginName }])
    expect(await noticesOf(actors.users.Additional)).toEqual([])
  })
})

describe('a hold that was let go', () => {
  async function held() {
    const till = await testTill(ask, actors.till)
    const voucher = await makeVoucher(db())
    const key = await till.hold(voucher.serial)
    return { till, voucher, key }
  }

  it('by the merchant is told at its till, and nowhere else', async () => {
    const { till, voucher, key } = await held()
    const token = await tokenOf(actors.users.HRP)
    const release = { guid: voucher.id, since: START }
    expect(await post(ask, '/api/voucher/release', release, token)).toMatchObject({ status: 200 })
    expect((await readBy(till.token)).notices).toEqual([
      {
        key: `hold:${key.id}`,
        at: START,
        kind: 'hold released',
        by: 'released by merchant',
        till: expect.any(String),
        branch_name: actors.branch.name,
        voucher_guid: voucher.id,
        serial: voucher.serial,
        cents: voucher.denominationCents,
        read: false,
      },
    ])
    for (const who of ['HRP', 'Additional', 'Branch', 'other tenant'] as const)
      expect(await noticesOf(actors.users[who])).toEqual([])
  })

  it('by the provider is told to the till and to its merchant, in each scope', async () => {
    const { till, voucher } = await held()
    await releaseAnyHold(server.deps, voucher.serial)
    const told = [{ kind: 'hold released', by: 'released by provider', serial: voucher.serial }]
    expect((await readBy(till.token)).notices).toMatchObject(told)
    for (const who of ['HRP', 'Additional', 'Branch'] as const)
      expect(await noticesOf(actors.users[who])).toMatchObject(told)
    for (const who of ['ADHOC', 'other tenant'] as const) expect(await noticesOf(actors.users[who])).toEqual([])
  })

  it('by the till itself is no news', async () => {
    const { till, key } = await held()
    await cancelHeld(ask, key)
    expect((await readBy(till.token)).notices).toEqual([])
  })
})

it('an approval is told to the main account, for 30 days', async () => {
  const decided = {
    decision: 'approve' as const,
    decidedVia: 'review link' as const,
    submittedBy: 'x',
    snapshot: { application: null, onboarding: null },
  }
  const row = { ...decided, organisationId: actors.organisation.id, subject: 'onboarding' as const }
  const at = (moment: Date) => ({ submittedAt: moment, expiresAt: moment, decidedAt: moment })
  await db()
    .insert(review)
    .values({ ...row, ...at(daysAgo(2)), id: randomUUID(), tokenHash: someHash() })
  const told = [{ kind: 'approved', organisation: actors.organisation.name, at: daysAgo(2).toISOString() }]
  expect(await noticesOf(actors.users.HRP)).toMatchObject(told)
  expect(await noticesOf(actors.users.Additional)).toEqual([])
  server.clock.advance({ hours: 29 * 24 })
  expect(await noticesOf(actors.users.HRP)).toEqual([])
})

describe('what was read', () => {
  it('stays read for that person on every device, and is unread for the next', async () => {
    await inviteBranch(daysAgo(8))
    const [one, other] = [await tokenOf(actors.users.HRP), await tokenOf(actors.users.Additional)]
    const key = (await readBy(one)).notices[0]!.key
    // A notice that a device made itself is remembered beside it.
    expect((await mark(one, [key, 'report:0198', key])).data).toEqual({ read: 3 })
    expect((await mark(one, [key])).status).toBe(200)
    const again = await readBy(await tokenOf(actors.users.HRP))
    expect(again.notices).toMatchObject([{ key, read: true }])
    expect(again.read_keys.toSorted()).toEqual([key, 'report:0198'].toSorted())
    expect(await readBy(other)).toMatchObject({ notices: [{ key, read: false }], read_keys: [] })
  })

  it('refuses what is no key, and more than one call may hold', async () => {
    const token = await tokenOf(actors.users.HRP)
    for (const keys of [[], ['no key'], ['report:' + 'x'.repeat(200)], Array(LIMITS.noticeMarks + 1).fill('a:b')])
      expect(await mark(token, keys)).toMatchObject({ status: 422 })
  })

  it('is remembered of the newest thousand, so that nobody fills the table', async () => {
    const token = await tokenOf(actors.users.HRP)
    const user = actors.users.HRP.id
    await db().execute(
      sql`INSERT INTO notice_read SELECT ${user}, 'old:' || n, ${START}::timestamptz - n * interval '1 minute'
          FROM generate_series(1, ${LIMITS.noticeMarksKept}) n`,
    )
    await mark(token, ['report:new'])
    const { read_keys } = await readBy(token)
    expect(read_keys).toHaveLength(LIMITS.noticeMarksKept)
    expect(read_keys).toContain('report:new')
    expect(read_keys).not.toContain(`old:${LIMITS.noticeMarksKept}`)
  })
})
