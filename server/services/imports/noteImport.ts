import type { ActivityAction, ActivitySubject } from '../../../src/contract/activity/activityActions.ts'
import { pluralize } from '../../../src/domain/quantities.ts'
import { noteActivities } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Import } from '../../db/imports.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'

interface Kind {
  imported: ActivityAction
  created: ActivityAction
  subject: ActivitySubject
  words: [one: string, many: string]
}
const KINDS: Record<Import['kind'], Kind> = {
  branch: {
    imported: 'branches.imported',
    created: 'branch.created',
    subject: 'branch',
    words: ['branch', 'branches'],
  },
  'pos user': {
    imported: 'pos_users.imported',
    created: 'pos_user.created',
    subject: 'pos_user',
    words: ['POS user', 'POS users'],
  },
}

/** Writes down that a batch of an import created something, and for each record where it came from, in one statement. */
export async function noteImport(
  tx: Db,
  actor: Actor,
  batchImport: Import,
  created: readonly { id: string; name: string; branchId: string }[],
  now: Date,
): Promise<void> {
  if (created.length === 0) return
  const { organisationId } = actor.scope
  const { imported, created: made, subject, words } = KINDS[batchImport.kind]
  const batch = { type: 'import' as const, id: batchImport.importId, name: pluralize(created.length, ...words) }
  const rows = created.map(({ id, name, branchId }) => ({
    organisationId,
    action: made,
    subject: { type: subject, id, name },
    branchId,
    details: { how: 'import' },
  }))
  const whole = { organisationId, action: imported, subject: batch, details: { created: created.length } }
  await noteActivities(tx, actor, [whole, ...rows], now)
}
