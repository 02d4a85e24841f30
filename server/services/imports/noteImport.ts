import { noteActivity } from '../../db/activities.ts'
import type { Db } from '../../db/Database.ts'
import type { Import } from '../../db/importRows.ts'
import type { Actor } from '../Actor.ts'

const WORDS = { branch: 'imported branches', 'pos user': 'imported POS users' } as const

/** Writes down that a batch of an import created something; its subject is the whole import. */
export async function noteImport(tx: Db, actor: Actor, of: Import, created: number, now: Date): Promise<void> {
  if (created === 0) return
  const doer = { userId: actor.userId, loginName: actor.loginName, via: 'portal' } as const
  const subject = { type: 'import', id: of.importId }
  const deed = { organisationId: actor.scope.organisationId, action: WORDS[of.kind], subject, details: { created } }
  await noteActivity(tx, doer, deed, now)
}
