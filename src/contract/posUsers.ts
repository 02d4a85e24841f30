import * as v from 'valibot'
import { ACCOUNT_STATUSES } from './accounts/permissions.ts'
import { endpoint } from './endpoint.ts'
import { guid, username } from './fieldSchemas.ts'
import { byId, resourceEndpoints, revision } from './tables/resourceEndpoints.ts'
import { Option } from './tables/tableQuery.ts'
import { count, encryptedPassword, instant } from './wireFields.ts'

const facts = {
  guid,
  username: v.string(),
  branch_guid: guid,
  branch_name: v.string(),
  last_login: v.nullable(instant),
  status: v.picklist(ACCOUNT_STATUSES),
  /** True until the user replaces the password that the merchant or the server set. */
  must_change_password: v.boolean(),
}
export const PosUserRow = v.object({ ...facts, revision })
export type PosUserRow = v.InferOutput<typeof PosUserRow>

export const PosUser = v.object({
  ...facts,
  created_at: instant,
  revision,
  deletable: v.boolean(),
  /** The number of vouchers on hold for the user. A deactivation ends these holds. */
  on_hold: v.optional(count, 0),
})
export type PosUser = v.InferOutput<typeof PosUser>

const NEW_PASSWORD_ERRORS = ['KEY_EXPIRED', 'PASSWORD_REFUSED', 'PASSWORD_REUSED', 'PASSWORD_TOO_COMMON'] as const

/** An entry of the list: users look for usernames together with their branches. */
export const PosUserOption = v.object({ ...Option.entries, branch_guid: guid, branch_name: v.string() })
export type PosUserOption = v.InferOutput<typeof PosUserOption>

/** The merchant sets the password; the cashier replaces it at the first login. Usernames are unique on the whole platform. */
const generic = resourceEndpoints({
  path: '/pos',
  feature: 'pos',
  list: 'pos',
  noun: 'POS user',
  row: PosUserRow,
  record: PosUser,
  create: v.strictObject({ branch_guid: guid, username, encrypted_password: encryptedPassword }),
  edit: v.strictObject({ username, revision }),
  errors: ['NAME_TAKEN', ...NEW_PASSWORD_ERRORS],
})
export const posUsers = { ...generic, list: endpoint({ ...generic.list, answer: v.array(PosUserOption) }) }

const edit = { access: { feature: 'pos', action: 'edit' } } as const

/** `posUsers.update` under a path of its own, with the same handler. The portal uses this one. */
export const editPosUser = endpoint({ ...posUsers.update, path: '/pos/edit/:id' })

/** Branch and user are checked as a pair (ACL-04). */
const inBranch = v.strictObject({ branch: guid, id: guid })
export const deactivatePosUser = endpoint({
  ...edit,
  method: 'PUT',
  path: '/pos/:branch/deactivation/:id',
  summary: 'Deactivate a POS user; its session and its holds end',
  params: inBranch,
  answer: PosUser,
  errors: ['INVALID_STATE'],
})
export const reactivatePosUser = endpoint({
  ...edit,
  method: 'PUT',
  path: '/pos/:branch/reactivation/:id',
  summary: 'Re-activate a POS user',
  params: inBranch,
  answer: PosUser,
  errors: ['INVALID_STATE'],
})

export const changePosPassword = endpoint({
  ...edit,
  method: 'PUT',
  path: '/pos/change_password/:id',
  summary: 'Give a POS user a password, to be replaced at the next login; its session ends',
  params: byId,
  body: v.strictObject({ encrypted_new_password: encryptedPassword }),
  answer: v.object({ changed: v.literal(true) }),
  errors: NEW_PASSWORD_ERRORS,
})

/** A POS user has no email address for a link, so the answer has the new password: the user who resets it reads it to the cashier. */
export const resetPosPassword = endpoint({
  ...edit,
  method: 'PUT',
  path: '/pos/reset_password/:id',
  summary: 'Give a POS user a made-up password, shown once; its session ends',
  params: byId,
  answer: v.object({ temporary_password: v.string() }),
})
