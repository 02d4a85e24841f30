import { v7 as uuidv7 } from 'uuid'
import { LIMITS } from '../../../src/contract/limits.ts'
import { fitsList, viewedList, type View, type ViewState } from '../../../src/contract/views.ts'
import { may } from '../../../src/domain/accounts/permissions.ts'
import { readViewState } from '../../../src/domain/viewState.ts'
import { lockUser } from '../../db/accounts/loginUsers.ts'
import type { Db } from '../../db/engine/Database.ts'
import {
  changeView,
  chooseDefault,
  countViews,
  deleteView,
  dropDefault,
  dropDefaultsOfOthers,
  findView,
  insertView,
  visibleViews,
  type FoundView,
  type Viewer,
} from '../../db/views.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { refuseTaken, staleRevision, UNIQUE_VIEW } from '../recordConflicts.ts'
import { Refusal } from '../Refusal.ts'

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

/** Every view this person can open, of every list, in one answer: it is kept on the device (rule 10.6). */
export async function listViews({ database }: Deps, actor: Actor): Promise<View[]> {
  const found = await visibleViews(database.db, viewerOf(actor))
  return found.filter(({ list }) => maySeeList(actor, list)).map((one) => viewOf(one, actor))
}

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

/** Whose default it was has none then. Throws Refusal NOT_FOUND, FORBIDDEN for somebody else's. */
export async function removeView({ database: { db } }: Deps, actor: Actor, id: string): Promise<void> {
  await ownView(db, actor, id)
  await deleteView(db, id, actor.userId)
}

/** Throws Refusal NOT_FOUND for a view that is not theirs to open, or of another list. */
export async function setDefaultView(
  { database }: Deps,
  actor: Actor,
  { list, view_guid }: { list: string; view_guid: string | null },
): Promise<{ view_guid: string | null }> {
  await database.db.transaction(async (tx: Db) => {
    if (view_guid !== null && (await visibleView(tx, actor, view_guid)).list !== list) throw new Refusal('NOT_FOUND')
    await chooseDefault(tx, actor.userId, list, view_guid)
  })
  return { view_guid }
}

const viewerOf = ({ userId, organisation }: Actor): Viewer => ({ userId, organisationId: organisation.id })

const viewOf = (found: FoundView, { userId }: Actor): View => ({
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
function maySeeList(actor: Actor, list: string): boolean {
  const feature = viewedList(list)?.feature
  return feature !== undefined && may(actor, { feature, action: 'view' })
}

/** A view of mine or shared with me. Throws Refusal NOT_FOUND. */
async function visibleView(db: Db, actor: Actor, id: string): Promise<FoundView> {
  const found = await findView(db, viewerOf(actor), id)
  if (!found || !maySeeList(actor, found.list)) throw new Refusal('NOT_FOUND')
  return found
}

/** A view of mine. Throws Refusal NOT_FOUND; FORBIDDEN for one that somebody shares with me. */
async function ownView(db: Db, actor: Actor, id: string): Promise<FoundView> {
  const found = await visibleView(db, actor, id)
  if (found.ownerId !== actor.userId) throw new Refusal('FORBIDDEN')
  return found
}
