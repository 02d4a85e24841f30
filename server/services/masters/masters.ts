import { v7 as uuidv7 } from 'uuid'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Master, MasterRow } from '../../../src/contract/masters.ts'
import type { InUse } from '../../../src/contract/tables/resourceEndpoints.ts'
import type { Option } from '../../../src/contract/tables/tableQuery.ts'
import {
  changeAccountStatus,
  deleteAccount,
  hasHistory,
  insertAccount,
  revokeAccountAccess,
  updateAccount,
} from '../../db/accounts/accounts.ts'
import { findUser, lockUser } from '../../db/accounts/loginUsers.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import { listManagedBranches } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import { countOpenMasters, masterTable, unassignBranches, type FoundMaster } from '../../db/masters.ts'
import { lockOrganisation } from '../../db/merchants/organisations.ts'
import type { Scope } from '../../db/Scope.ts'
import { selectRow } from '../../db/tables/TableSource.ts'
import type { Deps } from '../../Deps.ts'
import { changeLoginEmail, sendActivationLink } from '../accounts/invitations.ts'
import { sendResetLinkToOther } from '../accounts/passwords/forgotPassword.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { inUse, refuseInUse, refuseTaken, staleRevision, UNIQUE_EMAIL } from '../recordConflicts.ts'
import { Refusal } from '../Refusal.ts'
import { readChoices, type Listing } from '../tables/readTable.ts'

/**
 * Invites a master by mail. Throws Refusal ACCOUNT_LIMIT_EXCEEDED when five masters are Active or Pending Activation (rule 7.1), NAME_TAKEN for an
 * email in use.
 */
export async function createMaster(
  deps: Deps,
  actor: Actor,
  { name, email }: { name: string; email: string },
): Promise<Master> {
  const { database, clock } = deps
  const { scope } = actor
  const [id, now] = [uuidv7(), clock.now()]
  const master = {
    id,
    organisationId: scope.organisationId,
    type: 'Additional Merchant',
    status: 'Pending Activation',
    loginName: email,
    name,
    createdAt: now,
  } as const
  await refuseTaken([UNIQUE_EMAIL], () =>
    database.db.transaction(async (tx: Db) => {
      await lockOrganisation(tx, scope.organisationId)
      if ((await countOpenMasters(tx, scope)) >= LIMITS.openMasters) throw new Refusal('ACCOUNT_LIMIT_EXCEEDED')
      await insertAccount(tx, master)
      await sendActivationLink(tx, deps, id)
      const target = masterTarget(actor, { guid: id, name })
      await noteActivity(tx, actor, { action: 'master.created', ...target, details: { email } }, now)
    }),
  )
  deps.wakeMailSender()
  return readMaster(database.db, scope, id)
}

/** Returns a master of the actor's scope. Throws Refusal NOT_FOUND. */
export const getMaster = ({ database }: Deps, { scope }: Actor, id: string): Promise<Master> =>
  readMaster(database.db, scope, id)

/** Returns a master of the scope with the data for an edit. Throws Refusal NOT_FOUND. */
async function readMaster(db: Db, scope: Scope, id: string): Promise<Master> {
  const found = await selectRow(db, masterTable, scope, id)
  if (!found) throw new Refusal('NOT_FOUND')
  const managed = await listManagedBranches(db, scope, id)
  const deletable = managed.length === 0 && !(await hasHistory(db, id))
  return { ...masterRow(found), revision: found.revision, managed, deletable }
}

interface MasterEdit {
  name: string
  email: string
  revision: number
}

/** Saves an edit of a master. Throws Refusal NOT_FOUND, STALE_REVISION with the current record, and the codes of `changeLoginEmail`. */
export async function updateMaster(deps: Deps, actor: Actor, id: string, asked: MasterEdit): Promise<Master> {
  const { scope } = actor
  const updated = await refuseTaken([UNIQUE_EMAIL], () =>
    deps.database.db.transaction(async (tx: Db) => {
      await lockUser(tx, id)
      const found = await selectRow(tx, masterTable, scope, id)
      if (!found) throw new Refusal('NOT_FOUND')
      if (found.revision !== asked.revision) throw staleRevision(await readMaster(tx, scope, id))
      await updateAccount(tx, id, { name: asked.name })
      await changeLoginEmail(tx, deps, found, asked.email)
      await noteMasterEdit(tx, actor, { before: found, asked }, deps.clock.now())
      return readMaster(tx, scope, id)
    }),
  )
  deps.wakeMailSender()
  return updated
}

/** Logs what an edit has changed. A change of the email gets its own entry. */
async function noteMasterEdit(
  tx: Db,
  actor: Actor,
  { before, asked: { name, email } }: { before: FoundMaster; asked: MasterEdit },
  now: Date,
): Promise<void> {
  const target = masterTarget(actor, { guid: before.id, name })
  if (masterName(before) !== name) {
    const details = { changed: 'name', old_name: masterName(before) }
    await noteActivity(tx, actor, { action: 'master.edited', ...target, details }, now)
  }
  if (before.email === email) return
  const details = { old_email: before.email, email }
  await noteActivity(tx, actor, { action: 'account.email_changed', ...target, details }, now)
}

/**
 * Deactivates a master. The same transaction ends its sessions and leaves its branches to the main account. Throws Refusal NOT_FOUND, INVALID_STATE.
 */
export function deactivateMaster({ database, clock }: Deps, actor: Actor, id: string): Promise<Master> {
  return database.db.transaction(async (tx: Db) => {
    const { scope } = actor
    const master = await readMaster(tx, scope, id)
    if (!(await changeAccountStatus(tx, id, ['Active', 'Pending Activation'], 'Inactive'))) {
      throw new Refusal('INVALID_STATE')
    }
    await revokeAccountAccess(tx, id, 'deactivated', clock.now())
    await unassignBranches(tx, id)
    await noteActivity(tx, actor, { action: 'master.deactivated', ...masterTarget(actor, master) }, clock.now())
    return readMaster(tx, scope, id)
  })
}

/**
 * Gives a master its earlier status back. A master that was never activated gets a new invitation, because its link has ended. Throws Refusal
 * NOT_FOUND, INVALID_STATE, ACCOUNT_LIMIT_EXCEEDED.
 */
export async function reactivateMaster(deps: Deps, actor: Actor, id: string): Promise<Master> {
  const { scope } = actor
  const master = await deps.database.db.transaction(async (tx: Db) => {
    await lockOrganisation(tx, scope.organisationId)
    await readMaster(tx, scope, id)
    if (!(await changeAccountStatus(tx, id, ['Inactive'], 'reactivated'))) throw new Refusal('INVALID_STATE')
    if ((await countOpenMasters(tx, scope)) > LIMITS.openMasters) throw new Refusal('ACCOUNT_LIMIT_EXCEEDED')
    const { status } = await readMaster(tx, scope, id)
    if (status === 'Pending Activation') await sendActivationLink(tx, deps, id)
    const found = await readMaster(tx, scope, id)
    await noteActivity(tx, actor, { action: 'master.reactivated', ...masterTarget(actor, found) }, deps.clock.now())
    return found
  })
  deps.wakeMailSender()
  return master
}

/** Deletes a master that nothing refers to. Throws Refusal NOT_FOUND, IN_USE with the reasons. */
export async function removeMaster({ database, clock }: Deps, actor: Actor, id: string): Promise<void> {
  await refuseInUse('logins', () =>
    database.db.transaction(async (tx: Db) => {
      await lockUser(tx, id)
      const master = await readMaster(tx, actor.scope, id)
      const reasons: InUse['reasons'] = []
      if (master.managed.length > 0) reasons.push('branches')
      if (await hasHistory(tx, id)) reasons.push('logins')
      if (reasons.length > 0) throw inUse(reasons)
      await deleteAccount(tx, id)
      const details = { email: master.email }
      await noteActivity(tx, actor, { action: 'master.deleted', ...masterTarget(actor, master), details }, clock.now())
    }),
  )
}

/** Mails a master a link for a new password. Throws Refusal NOT_FOUND, and the codes of `sendResetLinkToOther`. */
export async function sendResetLinkToMaster(deps: Deps, actor: Actor, id: string): Promise<void> {
  const { db } = deps.database
  const { guid } = await readMaster(db, actor.scope, id)
  await sendResetLinkToOther(deps, actor, await findUser(db, actor.scope, guid))
}

/** Returns the facts of an activity entry about a master of the actor's organisation. */
const masterTarget = (actor: Actor, { guid, name }: { guid: string; name: string }) => ({
  organisationId: actor.organisation.id,
  subject: { type: 'master', id: guid, name } as const,
})

/** Returns the name that screens show: a master without a name is shown by its email. */
const masterName = ({ name, email }: Pick<FoundMaster, 'name' | 'email'>): string => name ?? email

const masterRow = (found: FoundMaster): MasterRow => ({
  guid: found.id,
  name: masterName(found),
  email: found.email,
  status: found.status,
  branches: found.branches,
  last_login_at: found.lastLoginAt?.toISOString() ?? null,
  invited_at: found.invitedAt?.toISOString() ?? null,
  created_at: found.createdAt.toISOString(),
})

export const masterListing: Listing<FoundMaster, MasterRow, 'master'> = {
  table: masterTable,
  rowOf: masterRow,
  title: 'Masters',
}

/** Returns the masters of the scope as choices, by name; at most LIMITS.listRows. */
export const listMasters = (deps: Deps, { scope }: Actor): Promise<Option[]> =>
  readChoices(deps, scope, { table: masterTable, nameOf: masterName, column: 'name' })
