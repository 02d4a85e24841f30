import type { ActivityKind } from '../tables/lists.ts'

/** What an act was done to. A branch stands for its login too. */
export const ACTIVITY_SUBJECTS = [
  'account',
  'organisation',
  'master',
  'branch',
  'pos_user',
  'voucher',
  'vouchers',
  'voucher_key',
  'till',
  'report',
  'list',
  'resource',
] as const

export type ActivitySubject = (typeof ACTIVITY_SUBJECTS)[number]

/** Every act that is written down, and its kind. Codes are never renamed: rows with them are never changed. */
export const ACTIVITY_ACTIONS = {
  'session.signed_in': 'Logins',
  'session.refused': 'Logins',
  'session.signed_out': 'Logins',
  /** Ended by a login of the same account elsewhere. */
  'session.superseded': 'Logins',
  'account.locked': 'Logins',
  'master.created': 'Users',
  'master.edited': 'Users',
  'master.deactivated': 'Users',
  'master.reactivated': 'Users',
  'master.deleted': 'Users',
  'pos_user.created': 'Users',
  'pos_user.edited': 'Users',
  'pos_user.deactivated': 'Users',
  'pos_user.reactivated': 'Users',
  'pos_user.deleted': 'Users',
  'account.email_changed': 'Users',
  /** The link was mailed to the new address. */
  'account.email_change_asked': 'Users',
  'account.activated': 'Users',
  'invitation.resent': 'Users',
  'branch.created': 'Branches',
  'branch.edited': 'Branches',
  'branch.deactivated': 'Branches',
  'branch.reactivated': 'Branches',
  'branch.deleted': 'Branches',
  'till.named': 'Branches',
  /** By whoever manages its branch. */
  'till.renamed': 'Branches',
  'till.invited': 'Branches',
  'till.enrolled': 'Branches',
  'till.moved': 'Branches',
  'till.revoked': 'Branches',
  'till.reviewed': 'Branches',
  /** What the tills of a branch may accept without a check. */
  'allowance.changed': 'Branches',
  'allowance.stopped': 'Branches',
  'profile.edited': 'Profile',
  'onboarding.submitted': 'Profile',
  'review.approved': 'Profile',
  'review.rejected': 'Profile',
  'branch.pin_changed': 'Passwords and PINs',
  /** By the account's owner. */
  'password.changed': 'Passwords and PINs',
  /** By somebody else, to be replaced at the next login. */
  'password.set': 'Passwords and PINs',
  'password.reset_asked': 'Passwords and PINs',
  'password.reset_sent': 'Passwords and PINs',
  'pos_user.password_reset': 'Passwords and PINs',
  'mfa.enabled': 'Passwords and PINs',
  'mfa.changed': 'Passwords and PINs',
  'mfa.removed': 'Passwords and PINs',
  'recovery_codes.renewed': 'Passwords and PINs',
  'hold.released': 'Vouchers',
  'hold.settled': 'Vouchers',
  'redemption.voided': 'Vouchers',
  /** A voucher that was accepted without a check, and lost or refused. */
  'loss.reviewed': 'Vouchers',
  'voucher.revoked': 'Vouchers',
  'vouchers.issued': 'Vouchers',
  /** Of the keys that sign vouchers, by the provider. */
  'voucher_key.made': 'Vouchers',
  'voucher_key.rotated': 'Vouchers',
  'voucher_key.ended': 'Vouchers',
  'report.downloaded': 'Reports',
  'table.exported': 'Reports',
  'resource.downloaded': 'Reports',
} as const satisfies Record<string, ActivityKind>

export type ActivityAction = keyof typeof ACTIVITY_ACTIONS
