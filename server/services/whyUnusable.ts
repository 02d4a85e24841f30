import type { LoginUser } from '../db/users.ts'

/**
 * Why this account may not sign in, or `undefined`. A main merchant may while its application is under way, and meets the
 * gate (spec §4).
 */
export function whyUnusable({ type, status, organisationStatus, branchStatus }: LoginUser) {
  if ([status, organisationStatus, branchStatus].includes('Inactive')) return 'ACCOUNT_INACTIVE'
  const isGated = type === 'HRP Merchant' && status !== 'Pending'
  return status === 'Active' || isGated ? undefined : 'ACCOUNT_PENDING_ACTIVATION'
}
