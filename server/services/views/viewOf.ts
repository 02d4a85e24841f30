import { viewedList } from '../../../src/contract/viewLists.ts'
import type { View } from '../../../src/contract/views.ts'
import { may } from '../../../src/domain/accounts/permissions.ts'
import { readViewState } from '../../../src/domain/viewState.ts'
import type { Db } from '../../db/engine/Database.ts'
import { findView, type FoundView, type Viewer } from '../../db/views.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'

export const viewerOf = ({ userId, organisation }: Actor): Viewer => ({ userId, organisationId: organisation.id })

export const viewOf = (found: FoundView, { userId }: Actor): View => ({
  guid: found.id,
  list: found.list,
  name: found.name,
  shared: found.shared,
  mine: found.ownerId === userId,
  owner: found.owner,
  is_default: found.isDefault,
  revision: found.revision,
  state: readViewState(found.list, found.state),
})

/** Views of a list are for who sees the list: others do not even learn their names. */
export function maySeeList(actor: Actor, list: string): boolean {
  const feature = viewedList(list)?.feature
  return feature !== undefined && may(actor, { feature, action: 'view' })
}

/** A view of mine or shared with me. Throws Refusal NOT_FOUND. */
export async function visibleView(db: Db, actor: Actor, id: string): Promise<FoundView> {
  const found = await findView(db, viewerOf(actor), id)
  if (!found || !maySeeList(actor, found.list)) throw new Refusal('NOT_FOUND')
  return found
}

/** A view of mine. Throws Refusal NOT_FOUND; FORBIDDEN for one that somebody shares with me. */
export async function ownView(db: Db, actor: Actor, id: string): Promise<FoundView> {
  const found = await visibleView(db, actor, id)
  if (found.ownerId !== actor.userId) throw new Refusal('FORBIDDEN')
  return found
}
