import { v7 as uuidv7 } from 'uuid'
import type { Branch } from '../../../src/contract/branches.ts'
import { insertBranch } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { refuseTaken, UNIQUE_BRANCH_CODE, UNIQUE_EMAIL } from '../recordConflicts.ts'
import { type BranchForm, columnsOf } from './branchForm.ts'
import { inviteLogin } from './inviteLogin.ts'
import { lockChosenMaster } from './masterOf.ts'
import { noteBranch } from './noteBranch.ts'
import { pinColumns } from './pinColumns.ts'
import { readBranch } from './readBranch.ts'

/**
 * Creates a branch with its login, which is invited by mail; its tills can be set up at once. Throws Refusal NAME_TAKEN for an
 * e-mail that signs in already, CODE_TAKEN, and the codes of `lockChosenMaster`.
 */
export async function createBranch(deps: Deps, actor: Actor, asked: BranchForm & { pin: string }): Promise<Branch> {
  const { database, clock } = deps
  const { organisationId } = actor.scope
  const [id, now] = [uuidv7(), clock.now()]
  const pin = await pinColumns(asked.pin, actor, now)
  await refuseTaken([UNIQUE_EMAIL, UNIQUE_BRANCH_CODE], () =>
    database.db.transaction(async (tx: Db) => {
      const masterUserId = await lockChosenMaster(tx, actor, asked.master_guid)
      const by = { createdAt: now, createdBy: actor.userId }
      await insertBranch(tx, { id, organisationId, status: 'Active', masterUserId, ...columnsOf(asked), ...pin, ...by })
      await inviteLogin(tx, deps, { id, organisationId, name: asked.name }, asked.email)
      const details = { email: asked.email }
      await noteBranch(tx, actor, { id, name: asked.name }, { action: 'branch.created', details }, now)
    }),
  )
  deps.mailWaiting()
  // What a master creates is not in the scope it came with.
  return readBranch(database.db, { organisationId, branchIds: [id] }, id)
}
