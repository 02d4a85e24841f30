import type { LoginUser } from '../../../db/accounts/loginUsers.ts'

/** Whether it, its branch or its organisation was deactivated. */
export const isInactive = ({ status, organisationStatus, branchStatus }: LoginUser): boolean =>
  [status, organisationStatus, branchStatus].includes('Inactive')

/**
 * Why this account may not sign in, or `undefined`. A main merchant may while its application is under way, and meets the
 * gate (rule 2.7).
 */
export function signInBlocker(user: LoginUser) {
  if (isInactive(user)) return 'ACCOUNT_INACTIVE'
  const isGated = user.type === 'HRP Merchant' && user.status !== 'Pending'
  return user.status === 'Active' || isGated ? undefined : 'ACCOUNT_PENDING_ACTIVATION'
}
