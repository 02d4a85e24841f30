import { v7 as uuidv7 } from 'uuid'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { View, ViewState } from '../../../src/contract/views.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lockUser } from '../../db/accounts/loginUsers.ts'
import { chooseDefault, countViews, insertView } from '../../db/views.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { refuseTaken, UNIQUE_VIEW } from '../recordConflicts.ts'
import { maySeeList, viewOf, visibleView } from './viewOf.ts'

export interface NewView {
  list: string
  name: string
  shared: boolean
  is_default: boolean
  state: ViewState
}

/** Throws Refusal FORBIDDEN for a list that is not theirs to see, VIEW_LIMIT, NAME_TAKEN (a view of theirs, of the same list). */
export async function createView({ database, clock }: Deps, actor: Actor, asked: NewView): Promise<View> {
  const { list, name, shared, state } = asked
  if (!maySeeList(actor, list)) throw new Refusal('FORBIDDEN')
  const { userId: ownerId } = actor
  const id = uuidv7()
  const row = { id, organisationId: actor.organisation.id, ownerId, list, name, shared, state, createdAt: clock.now() }
  return refuseTaken([UNIQUE_VIEW], () =>
    database.db.transaction(async (tx: Db) => {
      await lockUser(tx, ownerId)
      if ((await countViews(tx, ownerId)) >= LIMITS.views) throw new Refusal('VIEW_LIMIT')
      await insertView(tx, row)
      if (asked.is_default) await chooseDefault(tx, ownerId, list, id)
      return viewOf(await visibleView(tx, actor, id), actor)
    }),
  )
}
