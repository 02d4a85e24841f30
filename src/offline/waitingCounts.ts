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
 * Shows on the installed app's icon how much waits on this device: downloads of the logged-in user, and vouchers that the till
 * has not uploaded. The vouchers of all cashiers count, even when no user is logged in: a number reveals nothing.
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
  // The store is chosen now: `userStore(owner)` after a logout would recreate the deleted database.
  const store = userStore(owner)
  downloadSubscription = liveQuery(async () => (await readOutbox(store)).filter(isUnsavedDownload).length).subscribe({
    next: (downloads) => updateBadge({ downloads }),
    error: () => undefined,
  })
}

/** Sets the badge. Not every browser has badges, and the user may have turned them off. */
function updateBadge(changed: Partial<typeof counts>) {
  Object.assign(counts, changed)
  const count = counts.downloads + counts.uploads
  const done = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  void done?.catch(() => undefined)
}

/** Returns how many downloads on this device wait for a login. Returns only the number, because owners and contents are private. */
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
