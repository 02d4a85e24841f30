import type { ActivityKind } from '../contract/tables/lists.ts'
import { formatCents } from './money.ts'
import { formatInstant } from './singaporeTime.ts'

/**
 * Every action that is logged, by kind: its code and its text, with `{name}` for the name of its record. Screens and files use these texts. Codes are
 * never renamed, because stored rows never change.
 */
export const ACTIVITY_BY_KIND = {
  Logins: {
    'session.logged_in': 'Logged in',
    'session.refused': 'Failed login',
    'session.logged_out': 'Logged out',
    /** A login of the same account elsewhere ended the session. */
    'session.superseded': 'Was logged out by a login on another device',
    'account.locked': 'Locked out',
  },
  Users: {
    'master.created': 'Created master {name}',
    'master.edited': 'Edited master {name}',
    'master.deactivated': 'Deactivated master {name}',
    'master.reactivated': 'Re-activated master {name}',
    'master.deleted': 'Deleted master {name}',
    'pos_user.created': 'Created POS user {name}',
    'pos_user.edited': 'Edited POS user {name}',
    'pos_user.deactivated': 'Deactivated POS user {name}',
    'pos_user.reactivated': 'Re-activated POS user {name}',
    'pos_user.deleted': 'Deleted POS user {name}',
    'account.email_changed': 'Changed the login email of {name}',
    /** The link was mailed to the new address. */
    'account.email_change_requested': 'Requested a new login email for {name}',
    'account.activated': 'Activated the account',
    'invitation.resent': 'Resent the activation email of {name}',
  },
  Branches: {
    'branch.created': 'Created branch {name}',
    'branch.edited': 'Edited branch {name}',
    'branch.deactivated': 'Deactivated branch {name}',
    'branch.reactivated': 'Re-activated branch {name}',
    'branch.deleted': 'Deleted branch {name}',
    'till.named': 'Named the till {name}',
    /** Renamed by a person who manages the till's branch. */
    'till.renamed': 'Renamed a till to {name}',
    'till.invited': 'Made a code for a till of branch {name}',
    'till.enrolled': 'Enrolled till {name}',
    'till.moved': 'Moved till {name}',
    'till.revoked': 'Revoked till {name}',
    'till.reviewed': 'Reviewed the late uploads of till {name}',
    /** The rules for vouchers that the tills of a branch accept without a check. */
    'allowance.changed': 'Changed the allowance of branch {name}',
    'allowance.stopped': 'Stopped the allowance of branch {name}',
  },
  Profile: {
    'profile.edited': 'Edited the profile',
    'onboarding.submitted': 'Submitted the onboarding',
    'review.approved': 'Approved {name}',
    'review.rejected': 'Rejected {name}',
  },
  'Passwords and PINs': {
    'branch.pin_changed': 'Changed the PIN of branch {name}',
    /** Changed by the account's owner. */
    'password.changed': 'Changed their password',
    /** Set by somebody else; the user must replace the password at the next login. */
    'password.set': 'Set the password of {name}',
    'password.reset_requested': 'Requested a password reset link',
    'password.reset_sent': 'Sent {name} a password reset link',
    'pos_user.password_reset': 'Reset the password of POS user {name}',
    'mfa.enabled': 'Set up the authenticator app',
    'mfa.changed': 'Changed the authenticator app',
    'mfa.removed': 'Removed the authenticator app of {name}',
    'recovery_codes.renewed': 'Made new recovery codes',
  },
  Vouchers: {
    'hold.released': 'Released the hold on voucher {name}',
    'hold.settled': 'Settled the hold on voucher {name} by hand',
    'redemption.voided': 'Voided the redemption of voucher {name}',
    'voucher.revoked': 'Revoked voucher {name}',
    'vouchers.issued': 'Issued vouchers',
    /** The provider's keys that sign vouchers. */
    'voucher_key.made': 'Created signing key {name}',
    'voucher_key.rotated': 'Rotated signing key {name}',
    'voucher_key.ended': 'Ended signing key {name}',
  },
  Reports: {
    'report.downloaded': 'Downloaded {name}',
    'table.exported': 'Exported {name}',
    'resource.downloaded': 'Downloaded {name}',
    /** By the provider. */
    'payment.recorded': 'Recorded the payment for {name}',
  },
} as const satisfies Record<ActivityKind, Record<string, string>>

export type ActivityAction = { [K in ActivityKind]: keyof (typeof ACTIVITY_BY_KIND)[K] }[ActivityKind]

export const ACTIVITY_LABELS = Object.assign({}, ...Object.values(ACTIVITY_BY_KIND)) as Record<ActivityAction, string>

/** The record types of the log and their nouns, shown before the record's name or in its place. A branch includes its login. */
const SUBJECT_NOUNS = {
  account: 'account',
  organisation: 'profile',
  master: 'master',
  branch: 'branch',
  pos_user: 'POS user',
  voucher: 'voucher',
  vouchers: 'vouchers',
  voucher_key: 'key',
  till: 'till',
  report: 'report',
  list: 'list',
  statement: 'statement',
  resource: 'file',
}

export type ActivitySubject = keyof typeof SUBJECT_NOUNS

/** Returns for example `branch`. A type that this build does not know is a `record`. */
export const subjectNoun = (type: string): string =>
  Object.hasOwn(SUBJECT_NOUNS, type) ? SUBJECT_NOUNS[type as ActivitySubject] : 'record'

/** Returns for example "Deactivated branch Kallang". An action that is newer than this build is named by its code. */
export const activitySentence = ({ action, subject }: { action: string; subject: { name: string } }): string =>
  // A function, because a name may contain `$&`.
  (ACTIVITY_LABELS[action as ActivityAction] ?? action).replace('{name}', () => subject.name)

/** The names of actions whose label would be unclear without `{name}`. */
const NAMES_WITHOUT_RECORD: Partial<Record<ActivityAction, string>> = {
  'report.downloaded': 'Downloaded a report',
  'table.exported': 'Exported a list',
  'resource.downloaded': 'Downloaded a resource',
  'review.approved': 'Approved the organisation',
  'review.rejected': 'Rejected the organisation',
  'redemption.voided': 'Voided a redemption',
  'hold.released': 'Released a hold',
  'hold.settled': 'Settled a hold by hand',
  'payment.recorded': 'Recorded a payment',
  'account.email_changed': 'Changed a login email',
  'account.email_change_requested': 'Requested a new login email',
  'till.named': 'Named a till',
  'till.renamed': 'Renamed a till',
  'till.invited': 'Made a code for a till',
  'till.reviewed': 'Reviewed late uploads',
  'allowance.changed': 'Changed an allowance',
  'allowance.stopped': 'Stopped an allowance',
  'branch.pin_changed': 'Changed the PIN of a branch',
  'pos_user.password_reset': 'Reset the password of a POS user',
}

/** Returns for example "Deactivated branch": the action without its record. */
export const actionName = (action: ActivityAction): string =>
  NAMES_WITHOUT_RECORD[action] ?? ACTIVITY_LABELS[action].replace(/(?: of)? \{name\}/, '')

/** Returns the actions whose text contains this text, in upper or lower case. */
export const actionsCalled = (text: string): ActivityAction[] => {
  const called = text.trim().toLowerCase()
  return (Object.keys(ACTIVITY_LABELS) as ActivityAction[]).filter((action) =>
    [ACTIVITY_LABELS[action].replace('{name}', ''), actionName(action)].some((words) =>
      words.toLowerCase().includes(called),
    ),
  )
}

/** The labels of the details of an action. */
export const DETAIL_LABELS = {
  changed: 'Changed',
  old_name: 'Name before',
  old_email: 'Email before',
  email: 'Email',
  reason: 'Reason',
  how: 'How',
  submission: 'Submission',
  branch: 'Branch',
  till: 'Till',
  since: 'On hold since',
  receipt: 'Receipt number',
  amount_cents: 'Amount',
  reference: 'Reference',
  paid_on: 'Paid on',
  denomination_cents: 'Denomination',
  expires_on: 'Expires',
  count: 'Vouchers',
  numbers: 'Voucher numbers',
  format: 'Format',
  rows: 'Rows',
  created: 'Created',
  failed: 'Failed',
  already: 'Already recorded',
  refused: 'Refused',
  voucher_cents: 'Limit per voucher',
  till_cents: 'Limit per till',
  day_cents: 'Limit per day',
  hours: 'Hours',
} as const
export type ActivityDetail = keyof typeof DETAIL_LABELS

/** Returns the details of an action as they are shown. */
export const activityFacts = (details: Record<string, string | number>): [name: string, value: string][] =>
  Object.entries(details).map(([name, value]) => [DETAIL_LABELS[name as ActivityDetail] ?? name, factText(name, value)])

function factText(name: string, value: string | number): string {
  if (name.endsWith('_cents') && typeof value === 'number') return formatCents(value)
  if (name === 'since') return formatInstant(new Date(value))
  return String(value)
}
