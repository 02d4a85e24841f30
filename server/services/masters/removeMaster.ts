import type { InUse } from '../../../src/contract/tables/resourceEndpoints.ts'
import { deleteAccount, hasHistory } from '../../db/accounts/accounts.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lockUser } from '../../db/accounts/loginUsers.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { inUse, refuseInUse } from '../refuseInUse.ts'
import { noteMaster } from './noteMaster.ts'
import { readMaster } from './readMaster.ts'

/** Deletes a master that nothing refers to. Throws Refusal NOT_FOUND, IN_USE with the reasons. */
export async function removeMaster({ database, clock }: Deps, actor: Actor, id: string): Promise<void> {
  await refuseInUse('sign-ins', () =>
    database.db.transaction(async (tx: Db) => {
      await lockUser(tx, id)
      const master = await readMaster(tx, actor.scope, id)
      const reasons: InUse['reasons'] = []
      if (master.managed.length > 0) reasons.push('branches')
      if (await hasHistory(tx, id)) reasons.push('sign-ins')
      if (reasons.length > 0) throw inUse(reasons)
      await deleteAccount(tx, id)
      const details = { email: master.email }
      await noteMaster(tx, actor, master, { action: 'master.deleted', details }, clock.now())
    }),
  )
}
