import type { InUse } from '../../../src/contract/resourceEndpoints.ts'
import { hasPast } from '../../db/accounts.ts'
import { hasRedemptions } from '../../db/branches.ts'
import type { FoundBranch } from '../../db/branchTable.ts'
import type { Db } from '../../db/Database.ts'

/** What refers to a branch, so that it cannot be deleted. */
export async function usesOfBranch(db: Db, branch: FoundBranch): Promise<InUse['reasons']> {
  const reasons: InUse['reasons'] = []
  if (await hasRedemptions(db, branch.id)) reasons.push('redemptions')
  if (branch.posUsers > 0) reasons.push('POS users')
  if (branch.loginId !== null && (await hasPast(db, branch.loginId))) reasons.push('sign-ins')
  return reasons
}
