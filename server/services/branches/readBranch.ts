import * as v from 'valibot'
import { BranchContact, BusinessInformation, type Branch, type BranchRow } from '../../../src/contract/branches.ts'
import type { InUse } from '../../../src/contract/tables/resourceEndpoints.ts'
import type { Option } from '../../../src/contract/tables/tableQuery.ts'
import { hasHistory } from '../../db/accounts/accounts.ts'
import { BRANCH_TABLES, type FoundBranch } from '../../db/branches/branchTable.ts'
import type { Db } from '../../db/engine/Database.ts'
import { countHolds } from '../../db/redemptions/holds.ts'
import { hasRedemptions } from '../../db/redemptions/redemptions.ts'
import type { Scope } from '../../db/Scope.ts'
import { selectRow } from '../../db/tables/TableSource.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { readChoices, type Listing } from '../tables/readTable.ts'

/** Returns a branch. Throws Refusal NOT_FOUND if it is not in the actor's scope or not in this list. */
export const getBranch = ({ database }: Deps, { scope }: Actor, id: string, list: BranchList): Promise<Branch> =>
  readBranch(database.db, scope, id, list)

/** Returns the row of a branch; `undefined` for a branch that does not exist, or is not in the scope or this list: the caller cannot tell which. */
export const findBranchRow = (db: Db, scope: Scope, id: string, list: BranchList = 'branches') =>
  selectRow(db, BRANCH_LISTINGS[list].table, scope, id)

/** Returns a branch of the scope with the data for a form. Throws Refusal NOT_FOUND. */
export async function readBranch(db: Db, scope: Scope, id: string, list?: BranchList): Promise<Branch> {
  const found = await findBranchRow(db, scope, id, list)
  if (!found) throw new Refusal('NOT_FOUND')
  return recordOf(db, found)
}

async function recordOf(db: Db, found: FoundBranch): Promise<Branch> {
  const uses = await usesOfBranch(db, found)
  return {
    ...branchRow(found),
    branch_guid: found.id,
    business: v.parse(v.nullable(BusinessInformation), found.business),
    financial_contact: v.parse(v.nullable(BranchContact), found.financialContact),
    pin: { set: found.pinHash !== null, weak: found.pinWeak, set_at: found.pinSetAt?.toISOString() ?? null },
    created_at: found.createdAt?.toISOString() ?? null,
    created_by: found.createdBy,
    revision: found.revision,
    deletable: uses.length === 0,
    on_hold: await countHolds(db, { organisationId: found.organisationId, branchId: found.id }),
  }
}

/** Returns the kinds of data that refer to a branch and so prevent its deletion. */
export async function usesOfBranch(db: Db, branch: FoundBranch): Promise<InUse['reasons']> {
  const reasons: InUse['reasons'] = []
  if (await hasRedemptions(db, branch.id)) reasons.push('redemptions')
  if (branch.posUsers > 0) reasons.push('POS users')
  if (branch.loginId !== null && (await hasHistory(db, branch.loginId))) reasons.push('logins')
  return reasons
}

export type BranchList = keyof typeof BRANCH_TABLES

type BranchListing = Listing<FoundBranch, BranchRow, 'branch'>

const listingOf = (list: BranchList, title: string): BranchListing => ({
  table: BRANCH_TABLES[list],
  rowOf: branchRow,
  title,
})

/** The lists of rule 7.4: all branches, the branches of masters, temporary branches. */
export const BRANCH_LISTINGS: Record<BranchList, BranchListing> = {
  branches: listingOf('branches', 'Branches'),
  masterBranches: listingOf('masterBranches', 'Branches of masters'),
  adhocBranches: listingOf('adhocBranches', 'Adhoc branches'),
}

/** Returns a function that reads the branches of one list as choices, by name; at most LIMITS.listRows. */
export const listBranchesOf =
  (list: BranchList) =>
  (deps: Deps, { scope }: Actor): Promise<Option[]> =>
    readChoices(deps, scope, { table: BRANCH_TABLES[list], nameOf: ({ name }) => name, column: 'name' })

function branchRow(found: FoundBranch): BranchRow {
  return {
    guid: found.id,
    name: found.name,
    code: found.code,
    kind: found.kind,
    status: found.status,
    email: found.email,
    account_guid: found.loginId,
    account_status: found.loginStatus,
    master_guid: found.masterId,
    master_name: found.masterId === null ? null : (found.masterName ?? found.masterEmail),
    from_day: found.fromDay,
    to_day: found.toDay,
    pos_users: found.posUsers,
    last_login_at: found.lastLoginAt?.toISOString() ?? null,
    invited_at: found.invitedAt?.toISOString() ?? null,
  }
}
