import type { PosUser } from '../../../src/contract/posUsers.ts'
import { updateAccount } from '../../db/accounts/accounts.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lockUser } from '../../db/accounts/loginUsers.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { refuseTaken, UNIQUE_USERNAME } from '../recordConflicts.ts'
import { staleRevision } from '../staleRevision.ts'
import { notePosUser } from './notePosUser.ts'
import { readPosUser } from './readPosUser.ts'

/** Throws Refusal NOT_FOUND, STALE_REVISION with the record as it is, NAME_TAKEN. */
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
        const details = { changed: 'username', old_name: current.username }
        await notePosUser(tx, actor, updated, { action: 'pos_user.edited', details }, clock.now())
      }
      return updated
    }),
  )
