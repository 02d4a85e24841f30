import type { PosUser } from '../../../src/contract/posUsers.ts'
import { updateAccount } from '../../db/accounts.ts'
import type { Db } from '../../db/Database.ts'
import { lockUser } from '../../db/users.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../Actor.ts'
import { refuseTaken, UNIQUE_USERNAME } from '../refuseTaken.ts'
import { staleRevision } from '../staleRevision.ts'
import { readPosUser } from './readPosUser.ts'

/** Throws Refusal NOT_FOUND, STALE_REVISION with the record as it is, NAME_TAKEN. */
export const updatePosUser = (
  { database }: Deps,
  { scope }: Actor,
  id: string,
  asked: { username: string; revision: number },
): Promise<PosUser> =>
  refuseTaken([UNIQUE_USERNAME], () =>
    database.db.transaction(async (tx: Db) => {
      await lockUser(tx, id)
      const current = await readPosUser(tx, scope, id)
      if (current.revision !== asked.revision) throw staleRevision(current)
      await updateAccount(tx, id, { loginName: asked.username })
      return readPosUser(tx, scope, id)
    }),
  )
