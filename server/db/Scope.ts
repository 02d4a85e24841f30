import { and, eq, inArray, type Column, type SQL } from 'drizzle-orm'

/** The organisation and branches whose data a call may see. Reads of tenant data take a scope, unless the caller has checked access already. */
export interface Scope {
  organisationId: string
  branchIds: 'all' | string[]
}

/** Returns the condition for rows of `scope`. The columns hold the organisation and branch of a row. An empty list of branches finds nothing. */
export const within = (scope: Scope, organisationId: Column, branchId: Column): SQL | undefined =>
  and(
    eq(organisationId, scope.organisationId),
    scope.branchIds === 'all' ? undefined : inArray(branchId, scope.branchIds),
  )

/** True if a row that was read without a scope belongs to it. */
export const isWithin = ({ organisationId, branchIds }: Scope, organisation: string | null, branch: string | null) =>
  organisation === organisationId && (branchIds === 'all' || (branch !== null && branchIds.includes(branch)))
