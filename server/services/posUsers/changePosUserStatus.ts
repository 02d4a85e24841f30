import type { PosUser } from '../../../src/contract/posUsers.ts'
import { changeAccountStatus, revokeAccountAccess } from '../../db/accounts/accounts.ts'
import type { Db } from '../../db/engine/Database.ts'
import { endHoldsOf } from '../../db/redemptions/holds.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { notePosUser } from './notePosUser.ts'
import { readPosUser } from './readPosUser.ts'

/** A POS user and the branch it is said to belong to. */
interface Pair {
  branch: string
  id: string
}

/** Its session and its holds end in the same moment (DESIGN §5). Throws Refusal NOT_FOUND unless both are mine and belong together, INVALID_STATE. */
export const deactivatePosUser = ({ database, clock }: Deps, actor: Actor, pair: Pair): Promise<PosUser> =>
  database.db.transaction(async (tx: Db) => {
    const user = await refuseUnlessPair(tx, actor, pair)
    if (!(await changeAccountStatus(tx, pair.id, ['Active'], 'Inactive'))) throw new Refusal('INVALID_STATE')
    await revokeAccountAccess(tx, pair.id, clock.now())
    await endHoldsOf(tx, { posUserId: pair.id }, clock.now())
    await notePosUser(tx, actor, user, { action: 'pos_user.deactivated' }, clock.now())
    return readPosUser(tx, actor.scope, pair.id)
  })

/** Throws like `deactivatePosUser`. */
export const reactivatePosUser = ({ database, clock }: Deps, actor: Actor, pair: Pair): Promise<PosUser> =>
  database.db.transaction(async (tx: Db) => {
    const user = await refuseUnlessPair(tx, actor, pair)
    if (!(await changeAccountStatus(tx, pair.id, ['Inactive'], 'as it was'))) throw new Refusal('INVALID_STATE')
    await notePosUser(tx, actor, user, { action: 'pos_user.reactivated' }, clock.now())
    return readPosUser(tx, actor.scope, pair.id)
  })

async function refuseUnlessPair(tx: Db, { scope }: Actor, { branch, id }: Pair): Promise<PosUser> {
  const user = await readPosUser(tx, scope, id)
  if (user.branch_guid !== branch) throw new Refusal('NOT_FOUND')
  return user
}
