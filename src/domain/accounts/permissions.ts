import type {
  AccountStatus,
  Action,
  Feature,
  Permission,
  PermissionMap,
  UserType,
} from '../../contract/accounts/permissions.ts'

const MERCHANTS: readonly UserType[] = ['HRP Merchant', 'Additional Merchant', 'ADHOC Merchant', 'Branch Merchant']
/** True for the account that an organisation begins with: its masters, branches and POS users are below it. */
export const isMainAccount = (type: UserType): boolean => type === 'HRP Merchant' || type === 'ADHOC Merchant'

const merchantsExcept = (...types: UserType[]) => MERCHANTS.filter((type) => !types.includes(type))

/**
 * The table of permissions (rules 2.2 and 2.5). Server checks, route guards, sidebar and buttons all read it. Only Active accounts get permissions
 * from it.
 */
const ALLOWED: Record<Feature, Partial<Record<Action, readonly UserType[]>>> = {
  dashboard: { view: MERCHANTS },
  profile: { view: MERCHANTS, edit: MERCHANTS },
  masters: { view: ['HRP Merchant'], create: ['HRP Merchant'], edit: ['HRP Merchant'] },
  branches: {
    view: merchantsExcept('Branch Merchant'),
    create: merchantsExcept('Branch Merchant'),
    edit: merchantsExcept('Branch Merchant'),
  },
  // A branch manages its own POS users, from /profile (rule 7.6).
  pos: { view: MERCHANTS, create: MERCHANTS, edit: MERCHANTS },
  // A merchant may release a till's hold; the vouchers themselves belong to the provider.
  vouchers: { view: MERCHANTS, edit: MERCHANTS },
  reports: { view: MERCHANTS, download: MERCHANTS },
  // A branch sees what it redeemed, not what its organisation is paid (rule 10.10).
  payments: { view: merchantsExcept('Branch Merchant'), download: merchantsExcept('Branch Merchant') },
  resources: { view: merchantsExcept('ADHOC Merchant'), download: merchantsExcept('ADHOC Merchant') },
  downloads: { view: MERCHANTS },
  activity: { view: MERCHANTS },
  counter: { view: ['POS User'], redeem: ['POS User'] },
}

/** Returns the permission map of an account; empty if the account is not Active. */
export function permissionsOf(type: UserType, status: AccountStatus): PermissionMap {
  if (status !== 'Active') return {}
  const map: PermissionMap = {}
  for (const [feature, actions] of Object.entries(ALLOWED) as [Feature, (typeof ALLOWED)[Feature]][]) {
    const allowed = Object.entries(actions).filter(([, types]) => types.includes(type))
    if (allowed.length > 0) map[feature] = Object.fromEntries(allowed.map(([action]) => [action, true]))
  }
  return map
}

/** True if `account` has the permission by the table and, if given, by the map that the server sent. The map can only narrow the table (rule 2.6). */
export function may(
  account: { type: UserType; status: AccountStatus },
  { feature, action }: Permission,
  narrowedBy?: PermissionMap,
): boolean {
  const byTable = permissionsOf(account.type, account.status)[feature]?.[action] === true
  return byTable && (narrowedBy === undefined || narrowedBy[feature]?.[action] === true)
}
