import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { ACCOUNT_STATUSES, USER_TYPES } from './permissions.ts'

/**
 * The person who logged in, as stored in the browser: no token, no permissions (rule 4.11). Apart from the endpoints, since
 * /login reads it before anything is asked.
 */
export const User = v.object({
  guid,
  type: v.picklist(USER_TYPES),
  status: v.picklist(ACCOUNT_STATUSES),
  /** The email of a merchant account, the username of a POS user. */
  login_name: v.string(),
  organisation_guid: guid,
  organisation_name: v.string(),
  /** Three digits or more, beside the guid; it is printed and dialled, so it stays text. */
  merchant_id: v.string(),
  branch_guid: v.nullable(guid),
  branch_name: v.nullable(v.string()),
})
export type User = v.InferOutput<typeof User>
