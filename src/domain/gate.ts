import type { AccountStatus, Permission, PermissionMap, UserType } from '../contract/accounts/permissions.ts'
import { may } from './accounts/permissions.ts'

export interface Visitor {
  type: UserType
  status: AccountStatus
  permissions?: PermissionMap
}

/** The paths of rule 16.2; /review and /enrol are opened by a link with a secret. */
const PUBLIC = [
  '/login',
  '/help',
  '/register',
  '/terms-and-conditions',
  '/terms-of-use',
  '/voucher-management-guidelines',
  '/404',
  '/review',
  '/enrol',
]
/** Paths that every account may open, the gated main merchant included (rule 2.7). */
const ALWAYS = ['/', '/onboarding', '/onboarding-submitted', '/pending-authorisation']

/** The permission for the first segment of a path, or the first two; a path that is not here does not exist. */
const FEATURE_OF: Record<string, Permission> = {
  dashboard: { feature: 'dashboard', action: 'view' },
  profile: { feature: 'profile', action: 'view' },
  masters: { feature: 'masters', action: 'view' },
  branches: { feature: 'branches', action: 'view' },
  vouchers: { feature: 'vouchers', action: 'view' },
  reports: { feature: 'reports', action: 'view' },
  payments: { feature: 'payments', action: 'view' },
  resources: { feature: 'resources', action: 'view' },
  downloads: { feature: 'downloads', action: 'view' },
  activity: { feature: 'activity', action: 'view' },
  devices: { feature: 'pos', action: 'view' },
  redeem: { feature: 'counter', action: 'view' },
  'imports/branches': { feature: 'branches', action: 'create' },
  'imports/pos-users': { feature: 'pos', action: 'create' },
}

/** Every logged-in person may open the settings of the device, and practise. */
const FOR_EVERYBODY = ['settings', 'practise']

/** True for an HRP Merchant that may log in but only open its status page (rule 2.7). */
export const isGated = ({ type, status }: Visitor) => type === 'HRP Merchant' && status !== 'Active'

/** Every place that a guard can redirect to. */
export type Destination = '/login' | '/onboarding' | '/pending-authorisation' | '/redeem' | '/dashboard' | '/404'

/** Returns the page of a gated account: it waits for the review, or fills in the onboarding, also again after a rejection. */
const statusPage = (status: AccountStatus): Destination =>
  status === 'Pending Authorisation' ? '/pending-authorisation' : '/onboarding'

/** Returns the page that `/` redirects this visitor to (rule 16.3). */
export function homeOf(visitor: Visitor | undefined): Destination {
  if (!visitor) return '/login'
  if (isGated(visitor)) return statusPage(visitor.status)
  return visitor.type === 'POS User' ? '/redeem' : '/dashboard'
}

/**
 * Decides about every navigation (rules 2.7, 16.2): `undefined` allows it, a path redirects. A screen that a type may not open is answered like one
 * that does not exist.
 */
export function gate(path: string, visitor: Visitor | undefined): Destination | undefined {
  if (path === '/') return homeOf(visitor)
  if (path === '/login' && visitor) return homeOf(visitor)
  if (PUBLIC.includes(path) || ALWAYS.includes(path)) return undefined
  const [, segment = '', next] = path.split('/')
  const permission = FEATURE_OF[segment] ?? FEATURE_OF[`${segment}/${next}`]
  if (!permission && !FOR_EVERYBODY.includes(segment)) return '/404'
  if (!visitor) return '/login'
  if (isGated(visitor)) return statusPage(visitor.status)
  if (!permission) return undefined
  return may(visitor, permission, visitor.permissions) ? undefined : '/404'
}

/** The query parameter of addresses that others open: a shortcut of the app, or a password manager. They do not know who is logged in. */
export const SOURCE_PARAMETER = 'source'

/** Returns the page that is shown instead of one that the visitor may not open. A POS user changes the password in My day. */
export const pageInsteadOf = (path: string | undefined, visitor: Visitor | undefined): string =>
  path === '/profile' && visitor?.type === 'POS User' ? '/redeem?view=day' : homeOf(visitor)

/**
 * Returns the page after a login: the path the person was going to, if it is a path of this portal and they may open it, otherwise that of
 * `pageInsteadOf`. Paths such as `//evil`, `\\evil` and `javascript:` lead elsewhere and do not count (WEB-10).
 */
export function landingOf(wanted: string | undefined, visitor: Visitor | undefined): string {
  const path = wanted?.split(/[?#]/)[0]
  const isOurs = path !== undefined && /^\/(?![/\\])[\w/.-]*$/.test(path)
  return isOurs && wanted !== undefined && gate(path, visitor) === undefined ? wanted : pageInsteadOf(path, visitor)
}
