import { and, eq, inArray, type Column, type SQL } from 'drizzle-orm'

/** Whose data a call may see. Every read of tenant data takes one. */
export interface Scope {
  organisationId: string
  branchIds: 'all' | string[]
}

/** The rows of `scope`, by the columns that say whose a row is. An empty list of branches sees nothing. */
export const within = (scope: Scope, organisationId: Column, branchId: Column): SQL | undefined =>
  and(
    eq(organisationId, scope.organisationId),
    scope.branchIds === 'all' ? undefined : inArray(branchId, scope.branchIds),
  )

/** The same of a row that was read for everybody. */
export const isWithin = ({ organisationId, branchIds }: Scope, organisation: string | null, branch: string | null) =>
  organisation === organisationId && (branchIds === 'all' || (branch !== null && branchIds.includes(branch)))
