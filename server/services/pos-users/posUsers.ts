import { randomInt } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { PosUser, PosUserOption, PosUserRow } from '../../../src/contract/posUsers.ts'
import { temporaryPassword } from '../../../src/domain/accounts/passwords.ts'
import {
  changeAccountStatus,
  deleteAccount,
  hasHistory,
  insertAccount,
  revokeAccountAccess,
  updateAccount,
} from '../../db/accounts/accounts.ts'
import { lockUser } from '../../db/accounts/loginUsers.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import { findBranch } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import { findPosUser, posUserTable, type FoundPosUser } from '../../db/posUsers.ts'
import { countHolds, endHoldsOf } from '../../db/redemptions/holds.ts'
import type { Scope } from '../../db/Scope.ts'
import { selectList, selectRow } from '../../db/tables/TableSource.ts'
import type { Deps } from '../../Deps.ts'
import { setPasswordOfOther } from '../accounts/passwords/changePassword.ts'
import { hashInTurn } from '../accounts/passwords/passwordHash.ts'
import { newPassword, openNewPassword } from '../accounts/passwords/passwordPolicy.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { inUse, refuseInUse, refuseTaken, staleRevision, UNIQUE_USERNAME } from '../recordConflicts.ts'
import { Refusal } from '../Refusal.ts'
import type { Listing } from '../tables/readTable.ts'

interface NewPosUser {
  branch_guid: string
  username: string
  encrypted_password: string
}

/**
 * Creates a POS user, who must replace the password at the first login (rule 7.6). Throws Refusal NOT_FOUND for a branch outside the scope,
 * NAME_TAKEN, and the codes of `newPassword`.
 */
export async function createPosUser(deps: Deps, actor: Actor, asked: NewPosUser): Promise<PosUser> {
  const { branch_guid: branchId, username, encrypted_password: jwe } = asked
  const passwordOf = (id: string) => {
    const owner = { id, loginName: username, organisationName: actor.organisation.name, passwordHash: null }
    return newPassword(deps, owner, { path: 'encrypted_password', jwe })
  }
  return addPosUser(deps, actor, { branchId, username, passwordOf })
}

interface AddedPosUser {
  branchId: string
  username: string
  passwordOf: (id: string) => string | Promise<string>
}

/**
 * Creates a POS user like `createPosUser`, with a password that may depend on the user's id. Throws Refusal NOT_FOUND, NAME_TAKEN, and the errors of
 * `passwordOf`.
 */
export async function addPosUser(
  { database, clock, queues }: Deps,
  actor: Actor,
  { branchId, username, passwordOf }: AddedPosUser,
): Promise<PosUser> {
  const branch = await findBranch(database.db, actor.scope, branchId)
  if (!branch) throw new Refusal('NOT_FOUND')
  const id = uuidv7()
  const password = await passwordOf(id)
  const now = clock.now()
  const account = {
    id,
    organisationId: actor.scope.organisationId,
    branchId: branch.guid,
    type: 'POS User',
    status: 'Active',
    loginName: username,
    passwordHash: await hashInTurn({ queues }, password),
    passwordChangedAt: now,
    mustChangePassword: true,
    createdAt: now,
  } as const
  const named = { guid: id, username, branch_guid: branch.guid, branch_name: branch.name }
  await refuseTaken([UNIQUE_USERNAME], () =>
    database.db.transaction(async (tx: Db) => {
      await insertAccount(tx, account)
      await noteActivity(tx, actor, { action: 'pos_user.created', ...posUserTarget(actor, named) }, now)
    }),
  )
  return readPosUser(database.db, actor.scope, id)
}

/** Returns a POS user of the actor's scope. Throws Refusal NOT_FOUND. */
export const getPosUser = ({ database }: Deps, { scope }: Actor, id: string): Promise<PosUser> =>
  readPosUser(database.db, scope, id)

/** Returns a POS user of the scope with the data for an edit. Throws Refusal NOT_FOUND. */
async function readPosUser(db: Db, scope: Scope, id: string): Promise<PosUser> {
  const found = await selectRow(db, posUserTable, scope, id)
  if (!found) throw new Refusal('NOT_FOUND')
  return {
    ...posUserRow(found),
    created_at: found.createdAt.toISOString(),
    deletable: !(await hasHistory(db, id)),
    on_hold: await countHolds(db, { posUserId: id }),
  }
}

/** Saves another username. Throws Refusal NOT_FOUND, STALE_REVISION with the current record, NAME_TAKEN. */
export const updatePosUser = (
  { database, clock }: Deps,
  actor: Actor,
  id: string,
  asked: { username: string; revision: number },
): Promise<PosUser> =>
  refuseTaken([UNIQUE_USERNAME], () =>
    database.db.transaction(async (tx: Db) => {
      await lockUser(tx, id)
      const current = await readPosUser(tx, actor.scope, id)
      if (current.revision !== asked.revision) throw staleRevision(current)
      await updateAccount(tx, id, { loginName: asked.username })
      const updated = await readPosUser(tx, actor.scope, id)
      if (current.username !== updated.username) {
        const details = { branch: updated.branch_name, changed: 'username', old_name: current.username }
        const entry = { action: 'pos_user.edited', ...posUserTarget(actor, updated), details } as const
        await noteActivity(tx, actor, entry, clock.now())
      }
      return updated
    }),
  )

/** A POS user and its branch, as the path names them. */
interface PosUserInBranch {
  branch: string
  id: string
}

/**
 * Deactivates a POS user; its session and holds end too (rule 2.8). Throws Refusal NOT_FOUND unless user and branch are in the actor's scope and
 * belong together, INVALID_STATE.
 */
export const deactivatePosUser = ({ database, clock }: Deps, actor: Actor, pair: PosUserInBranch): Promise<PosUser> =>
  database.db.transaction(async (tx: Db) => {
    const user = await readPosUserOfBranch(tx, actor, pair)
    if (!(await changeAccountStatus(tx, pair.id, ['Active'], 'Inactive'))) throw new Refusal('INVALID_STATE')
    await revokeAccountAccess(tx, pair.id, 'deactivated', clock.now())
    await endHoldsOf(tx, { posUserId: pair.id }, clock.now())
    await noteActivity(tx, actor, { action: 'pos_user.deactivated', ...posUserTarget(actor, user) }, clock.now())
    return readPosUser(tx, actor.scope, pair.id)
  })

/** Reactivates a POS user. Throws like `deactivatePosUser`. */
export const reactivatePosUser = ({ database, clock }: Deps, actor: Actor, pair: PosUserInBranch): Promise<PosUser> =>
  database.db.transaction(async (tx: Db) => {
    const user = await readPosUserOfBranch(tx, actor, pair)
    if (!(await changeAccountStatus(tx, pair.id, ['Inactive'], 'reactivated'))) throw new Refusal('INVALID_STATE')
    await noteActivity(tx, actor, { action: 'pos_user.reactivated', ...posUserTarget(actor, user) }, clock.now())
    return readPosUser(tx, actor.scope, pair.id)
  })

async function readPosUserOfBranch(tx: Db, { scope }: Actor, { branch, id }: PosUserInBranch): Promise<PosUser> {
  const user = await readPosUser(tx, scope, id)
  if (user.branch_guid !== branch) throw new Refusal('NOT_FOUND')
  return user
}

/** Deletes a POS user that never logged in. Throws Refusal NOT_FOUND, IN_USE for a user that did. */
export async function removePosUser({ database, clock }: Deps, actor: Actor, id: string): Promise<void> {
  await refuseInUse('logins', () =>
    database.db.transaction(async (tx: Db) => {
      await lockUser(tx, id)
      const user = await readPosUser(tx, actor.scope, id)
      if (await hasHistory(tx, id)) throw inUse(['logins'])
      await deleteAccount(tx, id)
      await noteActivity(tx, actor, { action: 'pos_user.deleted', ...posUserTarget(actor, user) }, clock.now())
    }),
  )
}

/** Returns the facts of an activity entry about a POS user of the actor's organisation. */
const posUserTarget = (
  actor: Actor,
  { guid, username, branch_guid, branch_name }: Pick<PosUser, 'guid' | 'username' | 'branch_guid' | 'branch_name'>,
) => ({
  organisationId: actor.organisation.id,
  subject: { type: 'pos_user', id: guid, name: username } as const,
  branchId: branch_guid,
  details: { branch: branch_name },
})

/**
 * Gives a POS user another password, which the next login replaces, and ends its session. Throws Refusal NOT_FOUND, and the codes of
 * `openNewPassword` and `refuseUnfitPassword`.
 */
export async function changePosPassword(
  deps: Deps,
  actor: Actor,
  id: string,
  { encrypted_new_password: jwe }: { encrypted_new_password: string },
): Promise<void> {
  await refuseOutsideScope(deps, actor, id)
  const path = 'encrypted_new_password'
  const password = await openNewPassword(deps, { path, jwe })
  await setPasswordOfOther(deps, actor, id, { password, path })
}

/**
 * Sets and returns a generated password. Only this answer contains the password, because a POS user has no address for a link. Throws Refusal
 * NOT_FOUND.
 */
export async function resetPosPassword(deps: Deps, actor: Actor, id: string): Promise<string> {
  await refuseOutsideScope(deps, actor, id)
  const password = temporaryPassword(randomInt)
  await setPasswordOfOther(deps, actor, id, { password, path: 'temporary_password', isGenerated: true })
  return password
}

async function refuseOutsideScope({ database }: Deps, { scope }: Actor, id: string): Promise<void> {
  if (!(await findPosUser(database.db, scope, id))) throw new Refusal('NOT_FOUND')
}

const posUserRow = (found: FoundPosUser): PosUserRow => ({
  guid: found.id,
  username: found.username,
  branch_guid: found.branchId,
  branch_name: found.branchName,
  last_login: found.lastLoginAt?.toISOString() ?? null,
  status: found.status,
  must_change_password: found.mustChangePassword,
  revision: found.revision,
})

export const posUserListing: Listing<FoundPosUser, PosUserRow, 'pos'> = {
  table: posUserTable,
  rowOf: posUserRow,
  title: 'POS users',
}

/** Lists POS users by username, each with its branch; at most LIMITS.listRows. */
export async function listPosUsers({ database }: Deps, { scope }: Actor): Promise<PosUserOption[]> {
  const found = await selectList(database.db, posUserTable, scope, 'username')
  return found.map(({ id, username, branchId, branchName }) => ({
    guid: id,
    name: username,
    branch_guid: branchId,
    branch_name: branchName,
  }))
}
