import { liveQuery, type Subscription } from 'dexie'
import { isOpen, rowsOf } from './outbox.ts'
import { userStore } from './userStore.ts'

let following: Subscription | undefined

/** The icon of the installed app counts what the header counts: downloads of whoever is signed in, and nobody's otherwise. */
export function badgeDownloads(owner: string | undefined): void {
  following?.unsubscribe()
  following = undefined
  if (owner === undefined) return badge(0)
  // Taken hold of now: asking for it anew after a sign-out would make the deleted database again.
  const store = userStore(owner)
  following = liveQuery(async () => (await rowsOf(store)).filter(isOpen).length).subscribe({
    next: badge,
    error: () => undefined,
  })
}

/** Not every browser has badges, and one that has them may be told not to show them. */
function badge(count: number) {
  const done = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  void done?.catch(() => undefined)
}
