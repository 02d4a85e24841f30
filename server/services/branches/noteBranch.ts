import type { Branch } from '../../../src/contract/branches.ts'
import { noteActivity, type ActivityEntry } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { changedFields, oldName } from '../activity/activity.ts'
import type { BranchForm } from './branchForm.ts'

/** Writes down what `actor` did to a branch of its organisation. */
export const noteBranch = (
  tx: Db,
  actor: Actor,
  { id, name }: { id: string; name: string },
  entry: Pick<ActivityEntry, 'action' | 'details'>,
  now: Date,
): Promise<void> => {
  const subject = { type: 'branch', id, name } as const
  return noteActivity(tx, actor, { organisationId: actor.organisation.id, subject, branchId: id, ...entry }, now)
}

/**
 * Writes down what an edit changed; the PIN and the login's email have entries of their own. An edit that changed nothing has none.
 * `before` is the branch as it was.
 */
export async function noteBranchEdit(
  tx: Db,
  actor: Actor,
  before: Branch,
  asked: BranchForm & { pin?: string | undefined },
  now: Date,
): Promise<void> {
  const branch = { id: before.guid, name: asked.name }
  const changed = changedIn(before, asked)
  if (changed) {
    const details = { changed, ...oldName(before.name, asked.name) }
    await noteBranch(tx, actor, branch, { action: 'branch.edited', details }, now)
  }
  if (before.email !== asked.email) {
    const details = { ...(before.email === null ? {} : { old_email: before.email }), email: asked.email }
    await noteBranch(tx, actor, branch, { action: 'account.email_changed', details }, now)
  }
  if (asked.pin !== undefined) await noteBranch(tx, actor, branch, { action: 'branch.pin_changed' }, now)
}

function changedIn(before: Branch, asked: BranchForm): string | undefined {
  const [was, is] = [before.business, asked.business]
  return changedFields([
    ['name', before.name, asked.name],
    ['branch code', before.code, asked.code],
    ['address', was?.address, is.address],
    ['postal code', was?.postal_code, is.postal_code],
    ['contact number', was?.contact_number, is.contact_number],
    ['operating hours', was?.operating_hours, is.operating_hours],
    ['financial contact', before.financial_contact, asked.financial_contact],
    ['master', before.master_guid, asked.master_guid],
    ['first day', before.from_day, asked.from_day],
    ['last day', before.to_day, asked.to_day],
  ])
}
