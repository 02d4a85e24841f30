import { proxy } from 'valtio/vanilla'
import { ApiError } from '../../../api/ApiError.ts'
import type { View } from '../../../contract/views.ts'
import { refreshReferenceList } from '../../reference-lists/refreshReferenceList.ts'

interface LatestViews {
  /** Whose they are: nobody else is shown them. */
  owner: string | undefined
  views: readonly View[] | undefined
  /** Milliseconds of this device's clock, of the last answer or failure. */
  askedAt: number
}

/** What the server last said of this person's views, in this tab: where nothing can be kept, it is all there is. */
export const latestViews = proxy<LatestViews>({ owner: undefined, views: undefined, askedAt: 0 })

/** Asks for the views anew, and keeps them for offline. Without a line what is kept stays. */
export async function refreshViews(owner: string): Promise<void> {
  const before = latestViews.owner === owner ? latestViews.views : undefined
  const views = await refreshReferenceList(owner, 'views').catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    return before
  })
  Object.assign(latestViews, { owner, views, askedAt: Date.now() })
}
