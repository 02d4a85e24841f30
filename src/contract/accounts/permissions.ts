import * as v from 'valibot'

export const USER_TYPES = [
  'HRP Merchant',
  'Additional Merchant',
  'ADHOC Merchant',
  'Branch Merchant',
  'POS User',
] as const
export type UserType = (typeof USER_TYPES)[number]

/** The kinds of applicants: a merchant of the programme, or the stall of an event (rule 5.1). */
export const APPLICANT_ROLES = ['hrp', 'adhoc'] as const
export type ApplicantRole = (typeof APPLICANT_ROLES)[number]

export const ACCOUNT_STATUSES = [
  'Active',
  'Inactive',
  'Pending',
  'Pending Authorisation',
  'Pending Activation',
  'Authorisation Rejected',
] as const
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number]

/** The features that a permission can name. `src/domain/accounts/permissions.ts` decides which users get it. */
const FEATURES = [
  'dashboard',
  'profile',
  'masters',
  'branches',
  'pos',
  'vouchers',
  'reports',
  'payments',
  'resources',
  'downloads',
  'activity',
  'counter',
] as const
export type Feature = (typeof FEATURES)[number]

const ACTIONS = ['view', 'create', 'edit', 'download', 'redeem'] as const
export type Action = (typeof ACTIONS)[number]

/** Booleans by feature and action (rule 2.6). An absent pair is not allowed; pairs of a later release are ignored. */
export const PermissionMap = v.object(
  v.entriesFromList(FEATURES, v.optional(v.object(v.entriesFromList(ACTIONS, v.optional(v.boolean()))))),
)
export type PermissionMap = Partial<Record<Feature, Partial<Record<Action, boolean>>>>

export interface Permission {
  feature: Feature
  action: Action
}
