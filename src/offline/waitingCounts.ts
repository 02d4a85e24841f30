import { Dexie, liveQuery, type Subscription } from 'dexie'
import { isUnsavedDownload, isUnansweredDownload, readOutbox } from './outbox/outbox.ts'
import { followUnsent } from './redemptions/openTill.ts'
import { unsent } from './storage/storageHealth.ts'
import { userStore } from './storage/userStore.ts'
import { inUserDatabase, userDatabaseName } from './store/databases.ts'

let downloadSubscription: Subscription | undefined

let stopFollowing: (() => void) | undefined

const counts = { downloads: 0, uploads: 0 }

/**
 * Shows a number on the icon of the installed app: the downloads of the logged-in user that are not saved, plus the vouchers that
 * the till has not uploaded. Vouchers of all cashiers count, even when no user is logged in, because a number reveals nothing.
 */
export function showWaitingBadge(owner: string | undefined): void {
  downloadSubscription?.unsubscribe()
  downloadSubscription = undefined
  stopFollowing ??= followUnsent((found) => {
    Object.assign(unsent, found)
    updateBadge({ uploads: found.count })
  })
  updateBadge({ downloads: 0 })
  if (owner === undefined) return
  // Chosen now, because `userStore(owner)` would recreate the database that a logout has deleted.
  const store = userStore(owner)
  downloadSubscription = liveQuery(async () => (await readOutbox(store)).filter(isUnsavedDownload).length).subscribe({
    next: (downloads) => updateBadge({ downloads }),
    error: () => undefined,
  })
}

/** Sets the badge. Some browsers have no badges, and the user may have turned them off. */
function updateBadge(changed: Partial<typeof counts>) {
  Object.assign(counts, changed)
  const count = counts.downloads + counts.uploads
  const done = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  void done?.catch(() => undefined)
}

/** Returns how many downloads on this device wait for their owners to log in. It returns no more, because the rest is private. */
export async function countDownloadsLeft(): Promise<number> {
  const prefix = userDatabaseName('')
  const names = await Dexie.getDatabaseNames()
  const owners = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  const counts = await Promise.all(owners.map(countUnanswered))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function countUnanswered(owner: string): Promise<number> {
  const rows = await inUserDatabase(owner, readOutbox)
  return rows?.filter(isUnansweredDownload).length ?? 0
}
