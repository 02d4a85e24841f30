import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { ACCOUNT_STATUSES, USER_TYPES } from './permissions.ts'

/**
 * The logged-in user, as stored in the browser: no token, no permissions (rule 4.11). The schema is not with the endpoints, because /login reads it
 * before the first request.
 */
export const User = v.object({
  guid,
  type: v.picklist(USER_TYPES),
  status: v.picklist(ACCOUNT_STATUSES),
  /** The email of a merchant account, the username of a POS user. */
  login_name: v.string(),
  organisation_guid: guid,
  organisation_name: v.string(),
  /** Three digits or more, as text, so that leading zeros stay. */
  merchant_id: v.string(),
  branch_guid: v.nullable(guid),
  branch_name: v.nullable(v.string()),
})
export type User = v.InferOutput<typeof User>
