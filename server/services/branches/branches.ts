import { v7 as uuidv7 } from 'uuid'
import type { Branch } from '../../../src/contract/branches.ts'
import { MESSAGES } from '../../../src/contract/wireFields.ts'
import { deleteAccount } from '../../db/accounts/accounts.ts'
import { findOwnUser } from '../../db/accounts/loginUsers.ts'
import { endSessionsOfBranch } from '../../db/accounts/sessions.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import {
  changeBranchRowStatus,
  deleteBranchRow,
  findLoginOf,
  insertBranch,
  lockBranch,
  updateBranchRow,
} from '../../db/branches/branches.ts'
import type { FoundBranch } from '../../db/branches/branchTable.ts'
import type { Db } from '../../db/engine/Database.ts'
import { endHoldsOf } from '../../db/redemptions/holds.ts'
import type { Deps } from '../../Deps.ts'
import { changeLoginEmail } from '../accounts/invitations.ts'
import { sendResetLinkToOther } from '../accounts/passwords/forgotPassword.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { inUse, refuseInUse, refuseTaken, staleRevision, UNIQUE_BRANCH_CODE, UNIQUE_EMAIL } from '../recordConflicts.ts'
import { Refusal } from '../Refusal.ts'
import {
  branchTarget,
  columnsOf,
  inviteLogin,
  lockChosenMaster,
  noteBranchEdit,
  type BranchForm,
} from './branchForm.ts'
import { pinColumns, requiresPin } from './branchPin.ts'
import { findBranchRow, readBranch, usesOfBranch, type BranchList } from './readBranch.ts'

/**
 * Creates a branch, and with an email its login, which is invited by mail. The branch's tills can be set up at once. Throws Refusal VALIDATION_FAILED
 * without a PIN that vouchers need, NAME_TAKEN for an email in use, CODE_TAKEN, and the codes of `lockChosenMaster`.
 */
export async function createBranch(deps: Deps, actor: Actor, asked: NewBranch): Promise<Branch> {
  const { database, clock } = deps
  const { organisationId } = actor.scope
  const [id, now] = [uuidv7(), clock.now()]
  if (asked.pin === undefined && requiresPin(actor)) throw required('pin')
  const pin = asked.pin === undefined ? {} : await pinColumns(deps, asked.pin, actor, now)
  await refuseTaken([UNIQUE_EMAIL, UNIQUE_BRANCH_CODE], () =>
    database.db.transaction(async (tx: Db) => {
      const masterUserId = await lockChosenMaster(tx, actor, asked.master_guid)
      const by = { createdAt: now, createdBy: actor.userId }
      await insertBranch(tx, { id, organisationId, status: 'Active', masterUserId, ...columnsOf(asked), ...pin, ...by })
      if (asked.email !== null) await inviteLogin(tx, deps, { id, organisationId, name: asked.name }, asked.email)
      const details = asked.email === null ? {} : { email: asked.email }
      const target = branchTarget(actor, { id, name: asked.name })
      await noteActivity(tx, actor, { action: 'branch.created', ...target, details }, now)
    }),
  )
  deps.wakeMailSender()
  // The actor's scope does not contain the new branch yet, so it is read with a scope of its own.
  return readBranch(database.db, { organisationId, branchIds: [id] }, id)
}

const required = (path: string) =>
  new Refusal('VALIDATION_FAILED', { fields: [{ path, rule: 'required', message: MESSAGES.required }] })

/** A branch, looked for in one list only. */
interface ListedBranch {
  id: string
  list: BranchList
}

type NewBranch = BranchForm & { pin?: string | undefined }

export type BranchEdit = NewBranch & { revision: number }

/**
 * Saves an edit of a branch. Throws Refusal VALIDATION_FAILED, NOT_FOUND, STALE_REVISION with the current record, CODE_TAKEN, NAME_TAKEN, and the codes of
 * `lockChosenMaster` and `changeLoginEmail`.
 */
export async function updateBranch(
  deps: Deps,
  actor: Actor,
  { id, list }: ListedBranch,
  asked: BranchEdit,
): Promise<Branch> {
  const { scope } = actor
  const pin = asked.pin === undefined ? {} : await pinColumns(deps, asked.pin, actor, deps.clock.now())
  const updated = await refuseTaken([UNIQUE_EMAIL, UNIQUE_BRANCH_CODE], () =>
    deps.database.db.transaction(async (tx: Db) => {
      const found = await findToEdit(tx, actor, { id, list }, asked.revision)
      // Locks the master's row before the branch's, in the same order as the deactivation of a master.
      const masterUserId = await lockChosenMaster(tx, actor, asked.master_guid)
      await lockBranch(tx, id)
      const current = await readBranch(tx, scope, id, list)
      if (current.revision !== asked.revision) throw staleRevision(current)
      await updateBranchRow(tx, id, { ...columnsOf(asked), masterUserId, ...pin })
      await changeBranchEmail(tx, deps, found, asked.email)
      const edit = { before: current, asked: { ...asked, master_guid: masterUserId } }
      await noteBranchEdit(tx, actor, edit, deps.clock.now())
      return readBranch(tx, scope, id)
    }),
  )
  deps.wakeMailSender()
  return updated
}

/** Checks NOT_FOUND and STALE_REVISION before the form is checked, because an outdated form may name a master who is gone. */
async function findToEdit(tx: Db, { scope }: Actor, { id, list }: ListedBranch, revision: number) {
  const found = await findBranchRow(tx, scope, id, list)
  if (!found) throw new Refusal('NOT_FOUND')
  if (found.revision !== revision) throw staleRevision(await readBranch(tx, scope, id, list))
  return found
}

/** Changes the email of the login. A branch without a login gets one. Throws Refusal VALIDATION_FAILED if it would lose its login. */
async function changeBranchEmail(tx: Db, deps: Deps, branch: FoundBranch, email: string | null): Promise<void> {
  const account = await findLoginOf(tx, branch.id)
  if (account && email === null) throw required('email')
  if (email === null) return
  if (account) await changeLoginEmail(tx, deps, account, email)
  else await inviteLogin(tx, deps, branch, email)
}

/**
 * Closes a branch. The same transaction ends the sessions of its login and of its POS users, and the holds of its tills (rule 2.8, SES-15). These
 * users can no longer log in. Throws Refusal NOT_FOUND, INVALID_STATE.
 */
export const deactivateBranch = (deps: Deps, actor: Actor, id: string): Promise<Branch> =>
  changeStatus(deps, actor, id, 'Inactive')

/** Opens a branch again. Its users can log in if they are active themselves. Throws Refusal NOT_FOUND, INVALID_STATE. */
export const reactivateBranch = (deps: Deps, actor: Actor, id: string): Promise<Branch> =>
  changeStatus(deps, actor, id, 'Active')

const changeStatus = (
  { database, clock }: Deps,
  actor: Actor,
  id: string,
  to: 'Active' | 'Inactive',
): Promise<Branch> =>
  database.db.transaction(async (tx: Db) => {
    const { scope } = actor
    const { name } = await readBranch(tx, scope, id)
    const from = to === 'Inactive' ? 'Active' : 'Inactive'
    if (!(await changeBranchRowStatus(tx, id, from, to))) throw new Refusal('INVALID_STATE')
    if (to === 'Inactive')
      await endSessionsAndHolds(tx, { organisationId: scope.organisationId, branchId: id }, clock.now())
    const action = to === 'Inactive' ? 'branch.deactivated' : 'branch.reactivated'
    await noteActivity(tx, actor, { action, ...branchTarget(actor, { id, name }) }, clock.now())
    return readBranch(tx, scope, id)
  })

/** Ends the sessions before the holds, because a hold that is being made has locked its session. */
async function endSessionsAndHolds(
  tx: Db,
  branch: { organisationId: string; branchId: string },
  now: Date,
): Promise<void> {
  await endSessionsOfBranch(tx, branch.branchId, now)
  await endHoldsOf(tx, branch, now)
}

/** Deletes a branch that nothing refers to, and its login with it. Throws Refusal NOT_FOUND, IN_USE with the reasons. */
export async function removeBranch({ database, clock }: Deps, actor: Actor, { id, list }: ListedBranch): Promise<void> {
  await refuseInUse('redemptions', () =>
    database.db.transaction(async (tx: Db) => {
      await lockBranch(tx, id)
      const found = await findBranchRow(tx, actor.scope, id, list)
      if (!found) throw new Refusal('NOT_FOUND')
      const reasons = await usesOfBranch(tx, found)
      if (reasons.length > 0) throw inUse(reasons)
      if (found.loginId !== null) await deleteAccount(tx, found.loginId)
      await deleteBranchRow(tx, id)
      await noteActivity(tx, actor, { action: 'branch.deleted', ...branchTarget(actor, found) }, clock.now())
    }),
  )
}

/** Mails the login of a branch a link for a new password. Throws Refusal NOT_FOUND, and the codes of `sendResetLinkToOther`. */
export async function sendResetLinkToBranch(deps: Deps, actor: Actor, id: string): Promise<void> {
  const { db } = deps.database
  const { account_guid } = await readBranch(db, actor.scope, id)
  await sendResetLinkToOther(deps, actor, account_guid === null ? undefined : await findOwnUser(db, account_guid))
}
