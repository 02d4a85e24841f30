import type { User } from '../contract/accounts/account.ts'
import type { ActivitySubject } from '../contract/activity/activityActions.ts'

/** Where the log shows what was done to one record alone. */
export const activityRoute = (type: ActivitySubject, guid: string) =>
  ({ to: '/activity', search: { filter: { subject: `${type}:${guid}` } } }) as const

/** What the profile of this person stands for in the log: a main account speaks for its organisation. */
export function ownSubject({ type, guid, organisation_guid, branch_guid }: User): [ActivitySubject, string] {
  if (type === 'Additional Merchant') return ['master', guid]
  return branch_guid === null ? ['organisation', organisation_guid] : ['branch', branch_guid]
}
