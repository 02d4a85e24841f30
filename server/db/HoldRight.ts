import { type Column, eq, type SQL } from 'drizzle-orm'
import { type Scope, within } from './Scope.ts'

/** By what right somebody asks about a hold or what came of it: its secret, or a scope it lies in. */
export type HoldRight = { secretHash: string } | { scope: Scope }

/** The rows that the right reaches. */
export const reachedBy = (
  right: HoldRight,
  { secretHash, organisationId, branchId }: { secretHash: Column; organisationId: Column; branchId: Column },
): SQL | undefined =>
  'scope' in right ? within(right.scope, organisationId, branchId) : eq(secretHash, right.secretHash)
