import { and, eq, inArray, type Column, type SQL } from 'drizzle-orm'

/** The organisation and branches whose data a call may see. Reads of tenant data take one, unless the caller has checked it already. */
export interface Scope {
  organisationId: string
  branchIds: 'all' | string[]
}

/** The condition for rows of `scope`, by the columns with their organisation and branch. An empty list of branches finds nothing. */
export const within = (scope: Scope, organisationId: Column, branchId: Column): SQL | undefined =>
  and(
    eq(organisationId, scope.organisationId),
    scope.branchIds === 'all' ? undefined : inArray(branchId, scope.branchIds),
  )

/** The same check for a row that was read without a scope. */
export const isWithin = ({ organisationId, branchIds }: Scope, organisation: string | null, branch: string | null) =>
  organisation === organisationId && (branchIds === 'all' || (branch !== null && branchIds.includes(branch)))
