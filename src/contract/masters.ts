import * as v from 'valibot'
import { ACCOUNT_STATUSES } from './accounts/permissions.ts'
import { endpoint } from './endpoint.ts'
import { email, guid, text } from './fieldSchemas.ts'
import { LIMITS } from './limits.ts'
import { actionEndpoint, byId, resourceEndpoints, revision } from './tables/resourceEndpoints.ts'
import { Option } from './tables/tableQuery.ts'
import { count, instant, MESSAGES } from './wireFields.ts'

const facts = {
  guid,
  name: v.string(),
  email: v.string(),
  status: v.picklist(ACCOUNT_STATUSES),
  branches: count,
  last_login_at: v.nullable(instant),
  /** The time when the activation link was last mailed; null once the link was used. */
  invited_at: v.nullable(instant),
  created_at: instant,
}
export const MasterRow = v.object(facts)
export type MasterRow = v.InferOutput<typeof MasterRow>

export const Master = v.object({
  ...facts,
  revision,
  managed: v.array(Option),
  /** True when nothing refers to the master, so that it can be deleted. */
  deletable: v.boolean(),
})
export type Master = v.InferOutput<typeof Master>

const name = v.pipe(text(LIMITS.nameLength), v.minLength(3, MESSAGES.min3))

/** Rule 7.1: at most 5 may be Active or Pending Activation. The server enforces this even when two are created at once. */
export const masters = resourceEndpoints({
  path: '/merchant/additional',
  feature: 'masters',
  list: 'master',
  noun: 'master',
  row: MasterRow,
  record: Master,
  create: v.strictObject({ name, email }),
  /** The email of an activated account cannot be changed here. */
  edit: v.strictObject({ name, email, revision }),
  errors: ['ACCOUNT_LIMIT_EXCEEDED', 'NAME_TAKEN'],
})

/** The master's sessions end at once, and its branches go back to the main account (rule 7.2). */
export const deactivateMaster = actionEndpoint({
  path: '/merchant/additional/deactivation/:id',
  feature: 'masters',
  summary: 'Deactivate a master',
  answer: Master,
  errors: ['INVALID_STATE'],
})
export const reactivateMaster = actionEndpoint({
  path: '/merchant/additional/reactivation/:id',
  feature: 'masters',
  summary: 'Re-activate a master',
  answer: Master,
  errors: ['INVALID_STATE', 'ACCOUNT_LIMIT_EXCEEDED'],
})

/** Mails the master a link to set a new password; only the master sees the link. */
export const resetMerchantPassword = endpoint({
  method: 'PUT',
  path: '/merchant/reset_password/:id',
  access: { feature: 'masters', action: 'edit' },
  summary: 'Mail a master a link for a new password',
  params: byId,
  answer: v.object({ sent: v.literal(true) }),
  errors: ['INVALID_STATE', 'TOO_MANY_ATTEMPTS'],
})
