import { isDeepStrictEqual } from 'node:util'
import type { ActivityRow } from '../../../src/contract/activity/activity.ts'
import type { LoginUser } from '../../db/accounts/loginUsers.ts'
import type { Person, Subject } from '../../db/activity/activity.ts'
import { activityTable, type FoundActivity, type Reader } from '../../db/activity/activityTable.ts'
import type { Caller } from '../accounts/sessions/Actor.ts'
import type { Listing } from '../tables/readTable.ts'

/** Returns the listing of the log, as far as `reader` may see it. */
export const activityListing = (reader: Reader): Listing<FoundActivity, ActivityRow, 'activity'> => ({
  table: activityTable(reader),
  rowOf: activityRow,
  title: 'Activity',
})

const activityRow = (found: FoundActivity): ActivityRow => ({
  guid: found.id,
  at: found.at.toISOString(),
  actor: found.actor,
  actor_guid: found.userId,
  via: found.via,
  device: found.device,
  action: found.action,
  subject: { type: found.subjectType, id: found.subjectId, name: found.subjectName },
  branch_guid: found.branchId,
  branch_name: found.branchName,
  details: found.details,
})

/**
 * Returns the organisation, subject and branch under which an action on `user` is logged. A branch and its login are one record for their merchant.
 */
export const activityTarget = (user: LoginUser) => ({
  organisationId: user.organisationId,
  subject: subjectOf(user),
  branchId: user.branchId,
})

function subjectOf({ id, type, loginName, name, branchId, branchName }: LoginUser): Subject {
  switch (type) {
    case 'Additional Merchant':
      return { type: 'master', id, name: name ?? loginName }
    case 'Branch Merchant':
      return { type: 'branch', id: branchId ?? id, name: branchName ?? loginName }
    case 'POS User':
      return { type: 'pos_user', id, name: loginName }
    case 'HRP Merchant':
    case 'ADHOC Merchant':
      return { type: 'account', id, name: loginName }
  }
}

/** Returns the account as a person who acts without a session: with a login or a mailed link. */
export const personOf = ({ id, loginName, branchId }: LoginUser, { device }: Pick<Caller, 'device'>): Person => ({
  userId: id,
  loginName,
  device,
  branch: branchId === null ? null : { id: branchId },
})

/** A field in words, with its value before and after. A missing value and `null` are the same. */
type ComparedField = [words: string, before: unknown, after: unknown]

/** Returns the words of the fields that differ, never their values, for the activity log. Returns `undefined` when all are equal. */
export function changedFields(fields: ComparedField[]): string | undefined {
  const changed = fields.filter(([, before, after]) => !isDeepStrictEqual(before ?? null, after ?? null))
  return changed.length === 0 ? undefined : changed.map(([words]) => words).join(', ')
}

/** Returns the earlier name as a detail, if the name has changed. */
export const oldName = (before: string, after: string) => (before === after ? {} : { old_name: before })
