import { useEffect } from 'react'
import { useSnapshot } from 'valtio/react'
import { proxy } from 'valtio/vanilla'
import { ApiError } from '../../api/ApiError.ts'
import type { View } from '../../contract/views.ts'
import { useStoredList } from '../../offline/reads/useReferenceList.ts'
import { columnChoice } from '../../state/columnChoice.ts'
import { useUser } from '../accounts/useUser.ts'
import { refreshReferenceList } from '../reference-lists/refreshReferenceList.ts'

/** Colleagues share views now and then: a list that is opened looks for new ones this often. */
const FRESH_MS = 60_000

let asking: Promise<void> | undefined

/** My views and those shared with me: the stored ones at once, then the server's. `settled`: it was asked. */
export function useViews(): { views: readonly View[] | undefined; settled: boolean } {
  const { guid } = useUser()
  const kept = useStoredList(guid, 'views')
  const latest = useSnapshot(latestViews)
  const isOurs = latest.owner === guid
  useEffect(() => {
    const { owner, askedAt } = latestViews
    const isFresh = owner === guid && Date.now() - askedAt < FRESH_MS
    // A table, its menu of columns and its views ask at once: one call answers them all.
    if (!isFresh) asking ??= refreshViews(guid).finally(() => (asking = undefined))
  }, [guid])
  return {
    views: (isOurs ? (latest.views as readonly View[] | undefined) : undefined) ?? kept?.entries,
    settled: isOurs,
  }
}

interface LatestViews {
  /** Whose they are: nobody else is shown them. */
  owner: string | undefined
  views: readonly View[] | undefined
  /** Milliseconds of this device's clock, of the last answer or failure. */
  askedAt: number
}

/** The server's last answer, in this tab: all there is where the device cannot store anything. */
const latestViews = proxy<LatestViews>({ owner: undefined, views: undefined, askedAt: 0 })

/** Asks for the views again, and stores them for offline use. Without a connection the stored ones stay. */
export async function refreshViews(owner: string): Promise<void> {
  const before = latestViews.owner === owner ? latestViews.views : undefined
  const views = await refreshReferenceList(owner, 'views').catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    return before
  })
  Object.assign(latestViews, { owner, views, askedAt: Date.now() })
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
