import { fitsList, type View, type ViewState } from '../../../src/contract/views.ts'
import type { Db } from '../../db/engine/Database.ts'
import { changeView, chooseDefault, dropDefault, dropDefaultsOfOthers } from '../../db/views.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { refuseTaken, UNIQUE_VIEW } from '../recordConflicts.ts'
import { staleRevision } from '../staleRevision.ts'
import { ownView, viewOf } from './viewOf.ts'

interface ViewEdit {
  name: string
  shared: boolean
  is_default: boolean
  state: ViewState
  revision: number
}

/**
 * Throws Refusal NOT_FOUND, FORBIDDEN for somebody else's, NAME_TAKEN, STALE_REVISION with the view as it is, VALIDATION_FAILED
 * for a state of another list.
 */
export async function updateView({ database }: Deps, actor: Actor, id: string, asked: ViewEdit): Promise<View> {
  const { name, shared, state, revision } = asked
  const { userId: ownerId } = actor
  return refuseTaken([UNIQUE_VIEW], () =>
    database.db.transaction(async (tx: Db) => {
      const found = await ownView(tx, actor, id)
      if (!fitsList(found.list, state)) throw notOfThisList()
      const changed = await changeView(tx, { id, ownerId, revision }, { name, shared, state })
      if (!changed) throw staleRevision(viewOf(await ownView(tx, actor, id), actor))
      if (!shared) await dropDefaultsOfOthers(tx, id, ownerId)
      await (asked.is_default ? chooseDefault(tx, ownerId, found.list, id) : dropDefault(tx, ownerId, id))
      return viewOf(await ownView(tx, actor, id), actor)
    }),
  )
}

const notOfThisList = () =>
  new Refusal('VALIDATION_FAILED', {
    fields: [{ path: 'state', rule: 'check', message: 'has a column or filter that the list does not have' }],
  })
