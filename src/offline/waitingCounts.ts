import { Dexie, liveQuery, type Subscription } from 'dexie'
import { isOpenDownload, isPendingDownload, readOutbox } from './outbox/outbox.ts'
import { followUnsent } from './redemptions/openTill.ts'
import { unsent } from './storage/storageHealth.ts'
import { userStore } from './storage/userStore.ts'
import { inUserDatabase, userDatabaseName } from './store/databases.ts'

let following: Subscription | undefined

let endUploads: (() => void) | undefined

const counts = { downloads: 0, uploads: 0 }

/**
 * The icon of the installed app counts what waits here: downloads of whoever is logged in, and what the till has not uploaded,
 * whoever took it and with nobody logged in too: a number tells nobody's business.
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
  // Taken hold of now: asking for it anew after a logout would make the deleted database again.
  const store = userStore(owner)
  following = liveQuery(async () => (await readOutbox(store)).filter(isOpenDownload).length).subscribe({
    next: (downloads) => badge({ downloads }),
    error: () => undefined,
  })
}

/** Not every browser has badges, and one that has them may be told not to show them. */
function badge(changed: Partial<typeof counts>) {
  Object.assign(counts, changed)
  const count = counts.downloads + counts.uploads
  const done = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  void done?.catch(() => undefined)
}

/**
 * How many downloads wait on this device for somebody to log in. A number and nothing else: whose they are and what they are
 * about is theirs alone.
 */
export async function countDownloadsLeft(): Promise<number> {
  const prefix = userDatabaseName('')
  const names = await Dexie.getDatabaseNames()
  const owners = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  const counts = await Promise.all(owners.map(pendingOf))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function pendingOf(owner: string): Promise<number> {
  const rows = await inUserDatabase(owner, readOutbox)
  return rows?.filter(isPendingDownload).length ?? 0
}
