import { deleteAccount, hasHistory } from '../../db/accounts/accounts.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lockUser } from '../../db/accounts/loginUsers.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { inUse, refuseInUse } from '../refuseInUse.ts'
import { notePosUser } from './notePosUser.ts'
import { readPosUser } from './readPosUser.ts'

/** Deletes a POS user that never signed in. Throws Refusal NOT_FOUND, IN_USE. */
export async function removePosUser({ database, clock }: Deps, actor: Actor, id: string): Promise<void> {
  await refuseInUse('sign-ins', () =>
    database.db.transaction(async (tx: Db) => {
      await lockUser(tx, id)
      const user = await readPosUser(tx, actor.scope, id)
      if (await hasHistory(tx, id)) throw inUse(['sign-ins'])
      await deleteAccount(tx, id)
      await notePosUser(tx, actor, user, { action: 'pos_user.deleted' }, clock.now())
    }),
  )
}
