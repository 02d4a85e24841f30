import type { ReportPreviewRequest } from '../../../src/contract/reports/reportPreview.ts'
import { findBranch, findPosUser } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Scope } from '../../db/Scope.ts'
import { Refusal } from '../Refusal.ts'

/** Filters by name, as the head of a report states them. */
export interface NamedFilters {
  branch: string | undefined
  posUser: string | undefined
  denominationCents: number | null
}

/** Throws Refusal NOT_FOUND for a branch or POS user outside the scope, or one that is not of the other (cases ACL-05). */
export async function nameFilters(db: Db, scope: Scope, { params }: ReportPreviewRequest): Promise<NamedFilters> {
  const { branch_guid: branchId, pos_guid: posId, denomination_cents: denominationCents } = params
  const branch = branchId === null ? undefined : await findBranch(db, scope, branchId)
  const posUser = posId === null ? undefined : await findPosUser(db, scope, posId)
  const isMissing = (branchId !== null && !branch) || (posId !== null && !posUser)
  const isElsewhere = branch && posUser && posUser.branchId !== branch.guid
  if (isMissing || isElsewhere) throw new Refusal('NOT_FOUND')
  return { branch: branch?.name, posUser: posUser?.name, denominationCents }
}
