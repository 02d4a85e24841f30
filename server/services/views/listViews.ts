import type { View } from '../../../src/contract/views.ts'
import { visibleViews } from '../../db/views.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { maySeeList, viewerOf, viewOf } from './viewOf.ts'

/** Every view this person can open, of every list, in one answer: it is kept on the device (issue 9). */
export async function listViews({ database }: Deps, actor: Actor): Promise<View[]> {
  const found = await visibleViews(database.db, viewerOf(actor))
  return found.filter(({ list }) => maySeeList(actor, list)).map((one) => viewOf(one, actor))
}
