import { LIMITS } from '../../../src/contract/limits.ts'
import type { Notices } from '../../../src/contract/notices.ts'
import { keysRead } from '../../db/notices.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { approvals, expiredInvitations, lostHolds } from './noticeSources.ts'

const DAY_MS = 86_400_000
export const noticesSince = (now: Date) => new Date(now.getTime() - LIMITS.noticeDays * DAY_MS)

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
  return { notices: newest.map((one) => Object.assign(one, { read: isRead.has(one.key) })), read_keys }
}
