import { LIMITS } from '../../../src/contract/limits.ts'
import type { LateUploadsNotice, Notice, Notices, TillSilent, VouchersLost } from '../../../src/contract/notices.ts'
import { isMainAccount, may } from '../../../src/domain/accounts/permissions.ts'
import { LINK_MINUTES } from '../../db/accounts/passwords.ts'
import { tillsWithLosses } from '../../db/allowance/lossTable.ts'
import { invitationsMailed } from '../../db/dashboard/attention.ts'
import { silentTills } from '../../db/devices.ts'
import type { Db } from '../../db/engine/Database.ts'
import { findApproval } from '../../db/merchants/reviews.ts'
import { dropOldKeys, insertKeysRead, keysRead } from '../../db/notices.ts'
import { holdsTakenAway } from '../../db/redemptions/holds.ts'
import { tillsToReview } from '../../db/redemptions/lateUploads.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'

const DAY_MS = 86_400_000

const noticesSince = (now: Date) => new Date(now.getTime() - LIMITS.noticeDays * DAY_MS)

/**
 * What concerns the actor, made of what happened and never written down a second time: it cannot be forgotten where a new way of
 * doing the same thing is built, and what the actor may no longer see is gone from it at once.
 */
export async function readNotices({ database: { db }, clock }: Deps, actor: Actor): Promise<Notices> {
  const now = clock.now()
  const since = noticesSince(now)
  const found = [
    ...(await approvals(db, actor, since)),
    ...(await expiredInvitations(db, actor, since, now)),
    ...(await lostHolds(db, actor, since)),
  ]
  const read_keys = await keysRead(db, actor.userId)
  const isRead = new Set(read_keys)
  const newest = found.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, LIMITS.notices)
  const marked = <N extends { key: string }>(one: N) => Object.assign(one, { read: isRead.has(one.key) })
  const silent_tills = (await silences(db, actor, since, now)).map(marked)
  const late_uploads = (await lateUploads(db, actor, since)).map(marked)
  const losses = (await lostVouchers(db, actor, since)).map(marked)
  return { notices: newest.map(marked), silent_tills, late_uploads, losses, read_keys }
}

/** Remembers that the actor has read them. Answers how many keys were told. */
export const markNoticesRead = (
  { database, clock }: Deps,
  { userId }: Actor,
  { keys }: { keys: string[] },
): Promise<number> =>
  database.db.transaction(async (tx: Db) => {
    const now = clock.now()
    await insertKeysRead(tx, userId, keys, now)
    await dropOldKeys(tx, userId, noticesSince(noticesSince(now)), LIMITS.noticeMarksKept)
    return keys.length
  })

/** Whether it was read is known only when all of them are together. */
type Unread = Notice extends infer N ? (N extends Notice ? Omit<N, 'read'> : never) : never

/** The one who applied hears of it. */
async function approvals(db: Db, { type, organisation }: Actor, since: Date): Promise<Unread[]> {
  if (!isMainAccount(type)) return []
  const found = await findApproval(db, organisation.id, since)
  if (!found) return []
  const what = { kind: 'approved', organisation: organisation.name } as const
  return [{ key: `approved:${found.id}`, at: found.at.toISOString(), ...what }]
}

const LINK_MS = LINK_MINUTES.activation * 60_000

const earlier = (moment: Date, ms: number) => new Date(moment.getTime() - ms)

/** For whoever could send it again. One more mail is a new link, and a new key. */
async function expiredInvitations(db: Db, actor: Actor, since: Date, now: Date): Promise<Unread[]> {
  if (!may(actor, { feature: 'branches', action: 'view' })) return []
  const hasMasters = may(actor, { feature: 'masters', action: 'view' })
  const mailed = { from: earlier(since, LINK_MS), to: earlier(now, LINK_MS) }
  const { count, rows } = await invitationsMailed(db, actor.scope, hasMasters, mailed, LIMITS.namedNotices)
  const named = rows.map(invitationExpired)
  const [newest, oldest] = [named[0], named.at(-1)]
  if (!newest || !oldest || count <= named.length) return named
  // One that runs out later is news again.
  const key = `invitations:${Date.parse(newest.at)}`
  return [...named, { key, at: oldest.at, kind: 'more invitations expired', count: count - named.length }]
}

type Mailed = Awaited<ReturnType<typeof invitationsMailed>>['rows'][number]

function invitationExpired({ type, accountId, branchId, name, email, invitedAt }: Mailed) {
  const at = new Date((invitedAt?.getTime() ?? 0) + LINK_MS)
  return {
    key: `invitation:${accountId}:${at.getTime()}`,
    at: at.toISOString(),
    kind: 'invitation expired' as const,
    of: type === 'Branch Merchant' ? ('branch' as const) : ('master' as const),
    guid: branchId ?? accountId,
    name,
    email,
  }
}

/** A till hears of every hold it has lost; its merchant of those that somebody else let go. */
async function lostHolds(db: Db, { type, userId, scope }: Actor, since: Date): Promise<Unread[]> {
  const of = type === 'POS User' ? { posUserId: userId, organisationId: scope.organisationId } : { scope }
  const found = await holdsTakenAway(db, of, since, LIMITS.notices)
  return found.map(({ id, by, at, till, branchName, voucherId, serial, cents }) => ({
    key: `hold:${id}`,
    at: at.toISOString(),
    kind: 'hold released',
    by,
    till,
    branch_name: branchName,
    voucher_guid: voucherId,
    serial,
    cents,
  }))
}

/** For whoever manages the counter. A till that is heard again is none, and its next silence is news. */
async function silences(db: Db, actor: Actor, since: Date, now: Date): Promise<Omit<TillSilent, 'read'>[]> {
  if (!may(actor, { feature: 'pos', action: 'view' })) return []
  const before = earlier(now, LIMITS.silentHours * 3_600_000)
  const found = await silentTills(db, actor.scope, { since, before }, LIMITS.namedNotices)
  return found.map(({ guid, name, branchName, heardAt, count, cents }) => ({
    key: `silent:${guid}:${heardAt.getTime()}`,
    at: new Date(heardAt.getTime() + LIMITS.silentHours * 3_600_000).toISOString(),
    kind: 'till silent',
    till: name,
    branch_name: branchName,
    count,
    cents,
  }))
}

/** For the same people, until somebody has reviewed it. What comes after that, or meanwhile, is news again. */
async function lateUploads(db: Db, actor: Actor, since: Date): Promise<Omit<LateUploadsNotice, 'read'>[]> {
  if (!may(actor, { feature: 'pos', action: 'view' })) return []
  const found = await tillsToReview(db, actor.scope, since, LIMITS.namedNotices)
  return found.map(({ guid, name, branchName, newestAt, count, cents }) => ({
    key: `late:${guid}:${newestAt.getTime()}`,
    at: newestAt.toISOString(),
    kind: 'late uploads',
    till: name,
    branch_name: branchName,
    count,
    cents,
  }))
}

/** For the same people, until somebody has reviewed each. More that come later are news again. */
async function lostVouchers(db: Db, actor: Actor, since: Date): Promise<Omit<VouchersLost, 'read'>[]> {
  if (!may(actor, { feature: 'pos', action: 'view' })) return []
  const found = await tillsWithLosses(db, actor.scope, since, LIMITS.namedNotices)
  return found.map(({ guid, name, branchName, newestAt, count, cents }) => ({
    key: `lost:${guid}:${newestAt.getTime()}`,
    at: newestAt.toISOString(),
    kind: 'vouchers lost',
    till: name ?? '',
    branch_name: branchName,
    count,
    cents,
  }))
}
