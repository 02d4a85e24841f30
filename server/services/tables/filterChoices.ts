import { findBranch, listBranches } from '../../db/branches/branches.ts'
import { posUsersOfBranch } from '../../db/posUsers.ts'
import { DENOMINATIONS_STATEMENT } from '../../db/vouchers/vouchers.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'

/** Returns the denominations of all vouchers of the programme: a voucher belongs to no organisation before it is redeemed. */
export const denominationChoices = ({ database }: Deps) => database.forAllTenants().run(DENOMINATIONS_STATEMENT, [])

/** Returns the branches of the scope. */
export const branchChoices = ({ database }: Deps, { scope }: Actor) => listBranches(database.db, scope)

/** Returns the POS users of one branch. Throws Refusal NOT_FOUND for a branch outside the scope. */
export async function posUserChoices({ database }: Deps, { scope }: Actor, { branch_guid }: { branch_guid: string }) {
  const branch = await findBranch(database.db, scope, branch_guid)
  if (!branch) throw new Refusal('NOT_FOUND')
  return posUsersOfBranch(database.db, scope, branch.guid)
}
