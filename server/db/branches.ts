import { and, asc, eq } from 'drizzle-orm'
import { LIMITS } from '../../src/contract/limits.ts'
import type { Option } from '../../src/contract/tableQuery.ts'
import type { Db } from './Database.ts'
import { appUser, branch } from './schema.ts'
import { type Scope, within } from './Scope.ts'

/** Branches of the scope by name, at most LIMITS.listRows. */
export const listBranches = (db: Db, scope: Scope): Promise<Option[]> =>
  db
    .select({ guid: branch.id, name: branch.name })
    .from(branch)
    .where(within(scope, branch.organisationId, branch.id))
    .orderBy(asc(branch.name), asc(branch.id))
    .limit(LIMITS.listRows)

/** POS users of one branch of the scope, by username, at most LIMITS.listRows. Inactive ones have a past to report. */
export const listPosUsers = (db: Db, scope: Scope, branchId: string): Promise<Option[]> =>
  db
    .select({ guid: appUser.id, name: appUser.loginName })
    .from(appUser)
    .where(
      and(
        within(scope, appUser.organisationId, appUser.branchId),
        eq(appUser.type, 'POS User'),
        eq(appUser.branchId, branchId),
      ),
    )
    .orderBy(asc(appUser.loginName))
    .limit(LIMITS.listRows)

/** `undefined` for a branch that is not there or not in the scope: the caller cannot tell which. */
export async function findBranch(db: Db, scope: Scope, id: string): Promise<Option | undefined> {
  const [found] = await db
    .select({ guid: branch.id, name: branch.name })
    .from(branch)
    .where(and(within(scope, branch.organisationId, branch.id), eq(branch.id, id)))
  return found
}

/** A POS user of the scope, with the branch it belongs to. */
export async function findPosUser(db: Db, scope: Scope, id: string) {
  const [found] = await db
    .select({ guid: appUser.id, name: appUser.loginName, branchId: appUser.branchId })
    .from(appUser)
    .where(
      and(within(scope, appUser.organisationId, appUser.branchId), eq(appUser.type, 'POS User'), eq(appUser.id, id)),
    )
  return found
}
