import type { Till } from '../../../src/contract/till.ts'
import { putTill } from '../../db/tills.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../Actor.ts'
import { Refusal } from '../Refusal.ts'

/** Gives the device `id` its name at the actor's branch. Holds that are made from now on carry it. */
export async function nameTill({ database, clock }: Deps, actor: Actor, id: string, name: string): Promise<Till> {
  // The permission is a POS user's, and a POS user has a branch.
  if (!actor.branch) throw new Refusal('FORBIDDEN')
  const branchId = actor.branch.id
  await putTill(database.db, { id, branchId, name, namedBy: actor.userId, namedAt: clock.now() })
  return { guid: id, name, branch_guid: branchId }
}
