import { Dexie, liveQuery, type Subscription } from 'dexie'
import { isUnsavedDownload, isUnansweredDownload, readOutbox } from './outbox/outbox.ts'
import { followUnsent } from './redemptions/openTill.ts'
import { unsent } from './storage/storageHealth.ts'
import { userStore } from './storage/userStore.ts'
import { inUserDatabase, userDatabaseName } from './store/databases.ts'

let following: Subscription | undefined

let endUploads: (() => void) | undefined

const counts = { downloads: 0, uploads: 0 }

/**
 * Shows on the installed app's icon how much waits here: downloads of the logged-in user, and vouchers that the till has not
 * uploaded. The vouchers of all cashiers count, also when no user is logged in: a number reveals nothing.
 */
export function badgeWaiting(owner: string | undefined): void {
  following?.unsubscribe()
  following = undefined
  endUploads ??= followUnsent((found) => {
    Object.assign(unsent, found)
    badge({ uploads: found.count })
  })
  badge({ downloads: 0 })
  if (owner === undefined) return
  // The store is chosen now: `userStore(owner)` after a logout would recreate the deleted database.
  const store = userStore(owner)
  following = liveQuery(async () => (await readOutbox(store)).filter(isUnsavedDownload).length).subscribe({
    next: (downloads) => badge({ downloads }),
    error: () => undefined,
  })
}

/** Not every browser has badges, and the user may have turned them off. */
function badge(changed: Partial<typeof counts>) {
  Object.assign(counts, changed)
  const count = counts.downloads + counts.uploads
  const done = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  void done?.catch(() => undefined)
}

/** Returns how many downloads on this device wait for a login. Only the number is told: owners and contents are private. */
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
