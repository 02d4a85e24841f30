import type { Branch } from '../../../src/contract/branches.ts'
import { findLoginOf, lockBranch, updateBranchRow } from '../../db/branches/branches.ts'
import type { FoundBranch } from '../../db/branches/branchTable.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { changeLoginEmail } from '../changeLoginEmail.ts'
import { Refusal } from '../Refusal.ts'
import { refuseTaken, UNIQUE_BRANCH_CODE, UNIQUE_EMAIL } from '../recordConflicts.ts'
import { staleRevision } from '../staleRevision.ts'
import { type BranchForm, columnsOf } from './branchForm.ts'
import type { BranchList } from './branchListing.ts'
import { inviteLogin } from './inviteLogin.ts'
import { lockChosenMaster } from './masterOf.ts'
import { noteBranchEdit } from './noteBranch.ts'
import { pinColumns } from './pinColumns.ts'
import { findBranchRow, readBranch } from './readBranch.ts'

type BranchEdit = BranchForm & { pin?: string | undefined; revision: number }

/**
 * Throws Refusal NOT_FOUND, STALE_REVISION with the record as it is, CODE_TAKEN, NAME_TAKEN, and the codes of `lockChosenMaster` and
 * `changeLoginEmail`.
 */
export async function updateBranch(
  deps: Deps,
  actor: Actor,
  list: BranchList,
  id: string,
  asked: BranchEdit,
): Promise<Branch> {
  const { scope } = actor
  const pin = asked.pin === undefined ? {} : await pinColumns(asked.pin, actor, deps.clock.now())
  const updated = await refuseTaken([UNIQUE_EMAIL, UNIQUE_BRANCH_CODE], () =>
    deps.database.db.transaction(async (tx: Db) => {
      const found = await findToEdit(tx, actor, list, id, asked)
      // The master's row before the branch's: who deactivates a master takes them in this order too.
      const masterUserId = await lockChosenMaster(tx, actor, asked.master_guid)
      await lockBranch(tx, id)
      const current = await readBranch(tx, scope, id, list)
      if (current.revision !== asked.revision) throw staleRevision(current)
      await updateBranchRow(tx, id, { ...columnsOf(asked), masterUserId, ...pin })
      await changeEmail(tx, deps, found, asked.email)
      await noteBranchEdit(tx, actor, current, { ...asked, master_guid: masterUserId }, deps.clock.now())
      return readBranch(tx, scope, id)
    }),
  )
  deps.mailWaiting()
  return updated
}

/** Foreign before stale, stale before wrong: who sees old data should not be told that its master is gone. */
async function findToEdit(tx: Db, { scope }: Actor, list: BranchList, id: string, { revision }: BranchEdit) {
  const found = await findBranchRow(tx, scope, id, list)
  if (!found) throw new Refusal('NOT_FOUND')
  if (found.revision !== revision) throw staleRevision(await readBranch(tx, scope, id, list))
  return found
}

/** A branch from before it had a login gets one now. */
async function changeEmail(tx: Db, deps: Deps, branch: FoundBranch, email: string): Promise<void> {
  const account = await findLoginOf(tx, branch.id)
  if (account) await changeLoginEmail(tx, deps, account, email)
  else await inviteLogin(tx, deps, branch, email)
}
