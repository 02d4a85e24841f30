import type { Db } from '../../db/engine/Database.ts'
import { chooseDefault } from '../../db/views.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { visibleView } from './viewOf.ts'

/** Throws Refusal NOT_FOUND for a view that is not theirs to open, or of another list. */
export async function setDefaultView(
  { database }: Deps,
  actor: Actor,
  { list, view_guid }: { list: string; view_guid: string | null },
): Promise<void> {
  await database.db.transaction(async (tx: Db) => {
    if (view_guid !== null && (await visibleView(tx, actor, view_guid)).list !== list) throw new Refusal('NOT_FOUND')
    await chooseDefault(tx, actor.userId, list, view_guid)
  })
}
