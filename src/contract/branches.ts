import * as v from 'valibot'
import { ACCOUNT_STATUSES } from './accounts/permissions.ts'
import { endpoint } from './endpoint.ts'
import { day, email, guid, text } from './fieldSchemas.ts'
import { LIMITS } from './limits.ts'
import { branchPin } from './merchants/merchantFields.ts'
import { OperatingHours } from './merchants/onboarding.ts'
import { phone, postalCode } from './merchants/singaporeNumbers.ts'
import { BRANCH_KINDS } from './tables/lists.ts'
import { actionEndpoint, byId, resourceEndpoints, revision } from './tables/resourceEndpoints.ts'
import { count, instant, MESSAGES } from './wireFields.ts'

const facts = {
  guid,
  name: v.string(),
  code: v.string(),
  kind: v.picklist(BRANCH_KINDS),
  status: v.picklist(ACCOUNT_STATUSES),
  /** The email that the branch logs in with. */
  email: v.nullable(v.string()),
  master_guid: v.nullable(guid),
  master_name: v.nullable(v.string()),
  from_day: v.nullable(day),
  to_day: v.nullable(day),
  pos_users: count,
  last_login_at: v.nullable(instant),
  /** The time when the activation link of the branch's login was last mailed; null once the link was used. */
  invited_at: v.nullable(instant),
  /** The account of the branch's login, to which invitations are sent, and its status. A branch works before its account is activated. */
  account_guid: v.nullable(guid),
  account_status: v.nullable(v.picklist(ACCOUNT_STATUSES)),
}
export const BranchRow = v.object(facts)
export type BranchRow = v.InferOutput<typeof BranchRow>

export const BusinessInformation = v.strictObject({
  address: text(LIMITS.addressLength),
  postal_code: postalCode,
  contact_number: phone,
  /** The branch's own hours; `null` means those of the organisation. */
  operating_hours: v.nullable(OperatingHours),
})
export const BranchContact = v.strictObject({ name: text(LIMITS.nameLength), email, contact_number: phone })

export const Branch = v.object({
  ...facts,
  /** The same as `guid`, because rule 7.3 has both. */
  branch_guid: guid,
  business: v.nullable(BusinessInformation),
  financial_contact: v.nullable(BranchContact),
  /** The PIN is stored as a hash and never shown again. `weak`: it is the default PIN, or easy to guess. */
  pin: v.object({ set: v.boolean(), weak: v.boolean(), set_at: v.nullable(instant) }),
  created_at: v.nullable(instant),
  created_by: v.nullable(v.string()),
  revision,
  /** True when nothing refers to the branch, so that it can be deleted; never true with redemptions. */
  deletable: v.boolean(),
  /** The number of vouchers that its tills have on hold. A deactivation ends these holds. */
  on_hold: v.optional(count, 0),
})
export type Branch = v.InferOutput<typeof Branch>

export const branchCode = v.pipe(text(20), v.regex(/^[A-Za-z0-9-]*$/, MESSAGES.alphanumericWithDashes), v.toUpperCase())

const common = {
  name: v.pipe(text(LIMITS.nameLength), v.minLength(3, MESSAGES.min3)),
  code: branchCode,
  /** Null for a branch without a login: its master or the main account manages it. */
  email: v.nullable(email),
  business: BusinessInformation,
  financial_contact: BranchContact,
}
const managed = { ...common, master_guid: v.nullable(guid) }
const dated = { ...managed, from_day: day, to_day: day }
/** Required if the organisation verifies vouchers with the PIN (rule 6.2). */
const pin = v.optional(branchPin)
const editing = { pin, revision }

export const areDaysInOrder = ({ from_day, to_day }: { from_day: string; to_day: string }) => from_day <= to_day
export const DAYS_OUT_OF_ORDER = 'must not be before the first day'

const shared = {
  feature: 'branches',
  list: 'branch',
  row: BranchRow,
  record: Branch,
  errors: ['NAME_TAKEN', 'CODE_TAKEN', 'TOO_MANY_ATTEMPTS'],
} as const

/**
 * Every branch of my scope; a branch created here is permanent. A master manages the branches that it creates. The email of an activated login cannot
 * be changed here. A login, once there, stays.
 */
export const branches = resourceEndpoints({
  ...shared,
  path: '/branch',
  noun: 'branch',
  create: v.strictObject({ ...managed, pin }),
  edit: v.strictObject({ ...managed, ...editing }),
})

/** The branches that a master manages. A new branch here needs a master. */
export const masterBranches = resourceEndpoints({
  ...shared,
  path: '/branch/master',
  noun: 'branch of a master',
  create: v.strictObject({ ...common, master_guid: guid, pin }),
  edit: v.strictObject({ ...common, master_guid: guid, ...editing }),
})

/** Temporary branches, with a first and a last day. */
export const adhocBranches = resourceEndpoints({
  ...shared,
  path: '/branch/adhoc',
  noun: 'adhoc branch',
  create: v.pipe(
    v.strictObject({ ...dated, pin }),
    v.forward(v.partialCheck([['from_day'], ['to_day']], areDaysInOrder, DAYS_OUT_OF_ORDER), ['to_day']),
  ),
  edit: v.pipe(
    v.strictObject({ ...dated, ...editing }),
    v.forward(v.partialCheck([['from_day'], ['to_day']], areDaysInOrder, DAYS_OUT_OF_ORDER), ['to_day']),
  ),
})

/** Sessions of the branch and of its POS users end at the same moment (rule 2.8). */
export const deactivateBranch = actionEndpoint({
  path: '/branch/deactivation/:id',
  feature: 'branches',
  summary: 'Deactivate a branch',
  answer: Branch,
  errors: ['INVALID_STATE'],
})
export const reactivateBranch = actionEndpoint({
  path: '/branch/reactivation/:id',
  feature: 'branches',
  summary: 'Re-activate a branch',
  answer: Branch,
  errors: ['INVALID_STATE'],
})

export const resetBranchPassword = endpoint({
  method: 'PUT',
  path: '/branch/reset_password/:id',
  access: { feature: 'branches', action: 'edit' },
  summary: 'Mail the login of a branch a link for a new password',
  params: byId,
  answer: v.object({ sent: v.literal(true) }),
  errors: ['INVALID_STATE', 'TOO_MANY_ATTEMPTS'],
})
