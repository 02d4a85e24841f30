import type { Branch } from '../../../src/contract/branches.ts'
import type { AccountStatus } from '../../../src/contract/accounts/permissions.ts'
import { changeBranchRowStatus } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import { endHoldsOf } from '../../db/redemptions/holds.ts'
import { endSessionsOfBranch } from '../../db/accounts/sessions.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { noteBranch } from './noteBranch.ts'
import { readBranch } from './readBranch.ts'

/**
 * Closes a branch: the sessions of its login and of its POS users end in the same moment, and the holds of its tills (DESIGN §5,
 * cases SES-15); none of them can sign in. Throws Refusal NOT_FOUND, INVALID_STATE.
 */
export const deactivateBranch = (deps: Deps, actor: Actor, id: string): Promise<Branch> =>
  change(deps, actor, id, 'Active', 'Inactive')

/** Opens it again, for those of its users that are active themselves. Throws Refusal NOT_FOUND, INVALID_STATE. */
export const reactivateBranch = (deps: Deps, actor: Actor, id: string): Promise<Branch> =>
  change(deps, actor, id, 'Inactive', 'Active')

const change = (
  { database, clock }: Deps,
  actor: Actor,
  id: string,
  from: AccountStatus,
  to: AccountStatus,
): Promise<Branch> =>
  database.db.transaction(async (tx: Db) => {
    const { scope } = actor
    const { name } = await readBranch(tx, scope, id)
    if (!(await changeBranchRowStatus(tx, id, from, to))) throw new Refusal('INVALID_STATE')
    if (to === 'Inactive') await endSessionsAndHolds(tx, id, clock.now())
    const action = to === 'Inactive' ? 'branch.deactivated' : 'branch.reactivated'
    await noteBranch(tx, actor, { id, name }, { action }, clock.now())
    return readBranch(tx, scope, id)
  })

/** Sessions before holds: a hold that is just being made has locked its session. */
async function endSessionsAndHolds(tx: Db, branchId: string, now: Date): Promise<void> {
  await endSessionsOfBranch(tx, branchId, now)
  await endHoldsOf(tx, { branchId }, now)
}
