import type { Till } from '../../../src/contract/redemptions/counter.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lockTill, upsertTill, type KnownTill } from '../../db/redemptions/tills.ts'
import type { Deps, Settings } from '../../Deps.ts'
import type { Actor, Caller } from '../accounts/sessions/Actor.ts'
import { hashToken, newToken } from '../opaqueToken.ts'
import { Refusal } from '../Refusal.ts'

/** A till that was just named or enrolled. `token` is the value of its new cookie; undefined when the device keeps its cookie. */
export interface NamedTill<T extends Till = Till> {
  till: T
  token: string | undefined
}

/** Names the till `id` at the actor's branch. Later holds have this name. Throws Refusal TILL_REVOKED, TILL_NOT_ENROLLED. */
export async function nameTill(
  { database, clock, settings }: Deps,
  actor: Actor,
  caller: Pick<Caller, 'till'>,
  { id, name }: { id: string; name: string },
): Promise<NamedTill> {
  // Only POS users have the permission, and a POS user has a branch.
  if (!actor.branch) throw new Refusal('FORBIDDEN')
  const branchId = actor.branch.id
  const now = clock.now()
  const before = await caller.till()
  const token = await database.db.transaction(async (tx: Db) => {
    const till = await lockTill(tx, branchId, id)
    refuseUnusableTill(till, settings, actor)
    const newCookie = keepsToken(before, till?.guid) ? undefined : newToken()
    const newHash = newCookie === undefined ? {} : { tokenHash: hashToken(newCookie) }
    await upsertTill(tx, { id, branchId, name, namedBy: actor.userId, namedAt: now, ...newHash })
    const subject = { type: 'till', id, name } as const
    await noteActivity(tx, actor, { organisationId: actor.organisation.id, action: 'till.named', subject }, now)
    return newCookie
  })
  return { till: { guid: id, name, branch_guid: branchId }, token }
}

/** True when the cookie already identifies this till, or an enrolled till elsewhere, whose cookie must not be lost. */
const keepsToken = (before: KnownTill | undefined, guid: string | undefined): boolean =>
  before !== undefined && (before.guid === guid || (before.enrolledAt !== null && before.revokedAt === null))

interface TillEnrolment {
  enrolledAt: Date | null
  revokedAt: Date | null
  tokenHash: string | null
}

/**
 * Throws Refusal TILL_REVOKED for a revoked till. Throws TILL_NOT_ENROLLED when the installation demands a manager's code (decision 0079), or when
 * the device has the id of an enrolled till but not its cookie.
 */
function refuseUnusableTill(
  till: TillEnrolment | undefined,
  { unenrolledTills }: Settings,
  actor: Pick<Actor, 'tillTokenHash'>,
): void {
  if (till?.revokedAt) throw new Refusal('TILL_REVOKED')
  if (!till?.enrolledAt && unenrolledTills === 'refused') throw new Refusal('TILL_NOT_ENROLLED')
  if (till && isOtherDevice(till, actor)) throw new Refusal('TILL_NOT_ENROLLED')
}

/** True for a device with the id of an enrolled till but without its cookie. */
export const isOtherDevice = (
  { enrolledAt, tokenHash }: Pick<TillEnrolment, 'enrolledAt' | 'tokenHash'>,
  { tillTokenHash }: Pick<Actor, 'tillTokenHash'>,
): boolean => enrolledAt !== null && (tokenHash === null || tokenHash !== tillTokenHash)
