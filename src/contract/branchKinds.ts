/** A temporary branch has a first and a last day, Singapore's, both included. */
export const BRANCH_KINDS = ['permanent', 'adhoc'] as const
export type BranchKind = (typeof BRANCH_KINDS)[number]
