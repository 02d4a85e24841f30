import type { InUse } from '../../../src/contract/tables/resourceEndpoints.ts'
import { hasHistory } from '../../db/accounts/accounts.ts'
import { hasRedemptions } from '../../db/branches/branches.ts'
import type { FoundBranch } from '../../db/branches/branchTable.ts'
import type { Db } from '../../db/engine/Database.ts'

/** What refers to a branch, so that it cannot be deleted. */
export async function usesOfBranch(db: Db, branch: FoundBranch): Promise<InUse['reasons']> {
  const reasons: InUse['reasons'] = []
  if (await hasRedemptions(db, branch.id)) reasons.push('redemptions')
  if (branch.posUsers > 0) reasons.push('POS users')
  if (branch.loginId !== null && (await hasHistory(db, branch.loginId))) reasons.push('sign-ins')
  return reasons
}
