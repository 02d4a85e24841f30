import type { PosUser } from '../../../src/contract/posUsers.ts'
import { type ActivityEntry, noteActivity } from '../../db/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'

/** Writes down what `actor` did to a POS user of its scope. */
export const notePosUser = (
  tx: Db,
  actor: Actor,
  { guid, username, branch_guid, branch_name }: Pick<PosUser, 'guid' | 'username' | 'branch_guid' | 'branch_name'>,
  { action, details }: Pick<ActivityEntry, 'action' | 'details'>,
  now: Date,
): Promise<void> => {
  const organisationId = actor.organisation.id
  const subject = { type: 'pos_user', id: guid, name: username } as const
  const facts = { branch: branch_name, ...details }
  return noteActivity(tx, actor, { organisationId, action, subject, branchId: branch_guid, details: facts }, now)
}
