import { deleteAccount } from '../../db/accounts/accounts.ts'
import { deleteBranchRow, lockBranch } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { inUse, refuseInUse } from '../refuseInUse.ts'
import { Refusal } from '../Refusal.ts'
import type { BranchList } from './branchListing.ts'
import { noteBranch } from './noteBranch.ts'
import { findBranchRow } from './readBranch.ts'
import { usesOfBranch } from './usesOfBranch.ts'

/** Deletes a branch that nothing refers to, and its login with it. Throws Refusal NOT_FOUND, IN_USE with the reasons. */
export async function removeBranch(
  { database, clock }: Deps,
  actor: Actor,
  list: BranchList,
  id: string,
): Promise<void> {
  await refuseInUse('redemptions', () =>
    database.db.transaction(async (tx: Db) => {
      await lockBranch(tx, id)
      const found = await findBranchRow(tx, actor.scope, id, list)
      if (!found) throw new Refusal('NOT_FOUND')
      const reasons = await usesOfBranch(tx, found)
      if (reasons.length > 0) throw inUse(reasons)
      if (found.loginId !== null) await deleteAccount(tx, found.loginId)
      await deleteBranchRow(tx, id)
      await noteBranch(tx, actor, found, { action: 'branch.deleted' }, clock.now())
    }),
  )
}
