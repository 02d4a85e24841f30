import type { Till } from '../../../src/contract/redemptions/counter.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lockTill, putTill } from '../../db/redemptions/tills.ts'
import type { Deps, Settings } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'

/** Gives the device `id` its name at the actor's branch. Holds that are made from now on carry it. Throws Refusal TILL_REVOKED, TILL_NOT_ENROLLED. */
export async function nameTill(
  { database, clock, settings }: Deps,
  actor: Actor,
  id: string,
  { name }: { name: string },
): Promise<Till> {
  // The permission is a POS user's, and a POS user has a branch.
  if (!actor.branch) throw new Refusal('FORBIDDEN')
  const branchId = actor.branch.id
  await database.db.transaction(async (tx: Db) => {
    const now = clock.now()
    const till = await lockTill(tx, branchId, id)
    refuseTill(till, settings)
    await putTill(tx, { id, branchId, name, namedBy: actor.userId, namedAt: now })
    const subject = { type: 'till', id, name } as const
    await noteActivity(tx, actor, { organisationId: actor.organisation.id, action: 'till.named', subject }, now)
  })
  return { guid: id, name, branch_guid: branchId }
}

/** Throws Refusal TILL_REVOKED, or TILL_NOT_ENROLLED where the installation wants a code of a manager (decision 0079). */
export function refuseTill(
  till: { enrolledAt: Date | null; revokedAt: Date | null } | undefined,
  { unenrolledTills }: Settings,
): void {
  if (till?.revokedAt) throw new Refusal('TILL_REVOKED')
  if (!till?.enrolledAt && unenrolledTills === 'refused') throw new Refusal('TILL_NOT_ENROLLED')
}
