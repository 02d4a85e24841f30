import { useSnapshot } from 'valtio/react'
import { ApiError } from '../../api/ApiError.ts'
import { listViews, type View } from '../../contract/views.ts'
import { AnswerCache } from '../../offline/reads/cachedRead.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { columnChoice } from '../../state/columnChoice.ts'
import { useUser } from '../accounts/useUser.ts'
import { refreshReferenceList } from '../reference-lists/refreshReferenceList.ts'

/** Colleagues share views now and then: a list that is opened looks for new ones this often. */
const FRESH_MS = 60_000

/** The server's last answer, in this tab: all there is where the device cannot store anything. Nobody else is shown them. */
let latest = { owner: '', answers: new AnswerCache<View[]>(FRESH_MS) }

function answersOf(owner: string): AnswerCache<View[]> {
  if (latest.owner !== owner) latest = { owner, answers: new AnswerCache(FRESH_MS) }
  return latest.answers
}

const loadFor = (owner: string) => async () => ({ data: await refreshReferenceList(owner, 'views'), asOf: new Date() })

/** My views and those shared with me: the stored ones at once, then the server's. `settled`: it was asked. */
export function useViews(): { views: readonly View[] | undefined; settled: boolean } {
  const { guid } = useUser()
  const answers = answersOf(guid)
  // A table, its menu of columns and its views ask at once: one call answers them all.
  const ask = async () => (await answers.join('views', loadFor(guid))).data
  const { data, phase } = useCachedRead(guid, 'views', listViews.answer, ask, answers)
  return { views: data, settled: phase !== 'loading' && phase !== 'refreshing' }
}

/** Asks for the views again, and stores them for offline use. Without a connection the stored ones stay. */
export async function refreshViews(owner: string): Promise<void> {
  await answersOf(owner)
    .ask('views', loadFor(owner))
    .catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
    })
}

const isSaved = (view: string | undefined): view is string => view !== undefined && view.length === 36

/** Where the choice of columns lies on this device: a saved view has its own. */
export const columnsKey = (list: string, view: string | undefined): string => (isSaved(view) ? `${list}#${view}` : list)

/** Columns that are off in a table now: chosen here, or said by the view that is open. */
export function useHiddenColumns(list: string, view: string | undefined): readonly string[] | undefined {
  const { hidden } = useSnapshot(columnChoice)
  const { views } = useViews()
  const open = isSaved(view) ? views?.find(({ guid }) => guid === view) : undefined
  return hidden[columnsKey(list, view)] ?? open?.state.hidden
}
