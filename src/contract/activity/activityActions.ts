// Apart from the schemas: the route reads the filters from the URL before the screen is loaded.

/** What acts are sorted into, as the filter offers them. */
export const ACTIVITY_KINDS = [
  'Logins',
  'Users',
  'Branches',
  'Profile',
  'Passwords and PINs',
  'Vouchers',
  'Reports',
  'Imports',
] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

/** What an act was done to. A branch stands for its login too. */
export const ACTIVITY_SUBJECTS = [
  'account',
  'organisation',
  'master',
  'branch',
  'pos_user',
  'voucher',
  'vouchers',
  'till',
  'report',
  'list',
  'resource',
  'import',
] as const
export type ActivitySubject = (typeof ACTIVITY_SUBJECTS)[number]

/** A subject in a filter: `branch:` and its guid. */
export const SUBJECT_FILTER = new RegExp(`^(${ACTIVITY_SUBJECTS.join('|')}):([\\w-]{1,50})$`)
