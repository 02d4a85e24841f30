import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { noteWhenDelivered } from '../noteWhenRead.ts'

/** `pieces` of a list as a file, and then that the actor has it. */
export const noteExport = <T>(deps: Deps, actor: Actor, title: string, pieces: AsyncGenerator<T, void, void>) =>
  noteWhenDelivered(
    deps,
    actor,
    { action: 'table.exported', subject: { type: 'list', id: title, name: title } },
    pieces,
  )
