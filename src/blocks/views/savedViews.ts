import { useEffect } from 'react'
import { useSnapshot } from 'valtio/react'
import type { View } from '../../contract/views.ts'
import { useStoredList } from '../../offline/reads/useReferenceList.ts'
import { useUser } from '../accounts/useUser.ts'
import { latestViews, refreshViews } from '../list/views/latestViews.ts'

/** Colleagues share views now and then: a list that is opened looks for new ones this often. */
const FRESH_MS = 60_000

let asking: Promise<void> | undefined

/** My views and those shared with me: what is kept at once, then the server's. `settled` once the server was asked, whatever it said. */
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
