import type { FieldIssue } from '../../../src/contract/envelope.ts'
import { lockOpenMaster } from '../../db/accounts/accounts.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'

/**
 * Who is to manage a branch that `actor` creates or edits; nobody deactivates that master meanwhile. A master manages its own
 * branches, and gives them to nobody. Throws Refusal VALIDATION_FAILED for another master than an open one of the organisation.
 */
export async function lockChosenMaster(tx: Db, actor: Actor, asked: string | null): Promise<string | null> {
  if (actor.type === 'Additional Merchant') {
    if (asked !== null && asked !== actor.userId) throw refusal()
    // Whose session is being ended manages nothing any more.
    if (!(await lockOpenMaster(tx, actor.scope, actor.userId))) throw new Refusal('FORBIDDEN')
    return actor.userId
  }
  if (asked === null) return null
  if (!(await lockOpenMaster(tx, actor.scope, asked))) throw refusal()
  return asked
}

export const noMaster: FieldIssue = {
  path: 'master_guid',
  rule: 'master',
  message: 'must be an active master of this organisation',
}
const refusal = () => new Refusal('VALIDATION_FAILED', { fields: [noMaster] })
