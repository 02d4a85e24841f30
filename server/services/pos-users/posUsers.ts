import { v7 as uuidv7 } from 'uuid'
import type { PosUser } from '../../../src/contract/posUsers.ts'
import { insertAccount } from '../../db/accounts/accounts.ts'
import { findBranch } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { newPassword } from '../accounts/passwords/passwordPolicy.ts'
import { hashPassword } from '../accounts/passwords/passwordHash.ts'
import { Refusal } from '../Refusal.ts'
import { refuseTaken, UNIQUE_USERNAME } from '../recordConflicts.ts'
import { notePosUser } from '../posUsers/notePosUser.ts'
import { readPosUser } from '../posUsers/readPosUser.ts'

interface NewPosUser {
  branch_guid: string
  username: string
  encrypted_password: string
}

/**
 * Sets up a POS user, who replaces the password at the first sign-in (DESIGN §2). Throws Refusal NOT_FOUND for a branch outside
 * the scope, NAME_TAKEN, and the codes of `newPassword`.
 */
export async function createPosUser(deps: Deps, actor: Actor, asked: NewPosUser): Promise<PosUser> {
  const { database, clock } = deps
  const branch = await findBranch(database.db, actor.scope, asked.branch_guid)
  if (!branch) throw new Refusal('NOT_FOUND')
  const id = uuidv7()
  const owner = { id, loginName: asked.username, organisationName: actor.organisation.name, passwordHash: null }
  const password = await newPassword(deps, owner, { path: 'encrypted_password', jwe: asked.encrypted_password })
  const now = clock.now()
  const account = {
    id,
    organisationId: actor.scope.organisationId,
    branchId: branch.guid,
    type: 'POS User',
    status: 'Active',
    loginName: asked.username,
    passwordHash: await hashPassword(password),
    passwordChangedAt: now,
    mustChangePassword: true,
    createdAt: now,
  } as const
  const named = { guid: id, username: asked.username, branch_guid: branch.guid, branch_name: branch.name }
  await refuseTaken([UNIQUE_USERNAME], () =>
    database.db.transaction(async (tx: Db) => {
      await insertAccount(tx, account)
      await notePosUser(tx, actor, named, { action: 'pos_user.created' }, now)
    }),
  )
  return readPosUser(database.db, actor.scope, id)
}
