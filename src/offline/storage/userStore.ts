import { within } from '../../domain/within.ts'
import { DeviceDatabase, UserDatabase, userDatabaseLock } from '../store/databases.ts'
import { withLock } from '../store/withLock.ts'
import { unwatchDatabase, watchDatabase } from './storageHealth.ts'

/** Only the page creates a user's database, and only for the logged-in user. */
let current: UserDatabase | undefined

const channel = new BroadcastChannel('user-database')

channel.addEventListener('message', ({ data }: MessageEvent<{ closed: string }>) => letGo(data.closed))

/** Returns the database of `owner`, opened for this tab. The first login creates it. */
export function userStore(owner: string): UserDatabase {
  if (current?.owner !== owner) {
    if (current) leave(current)
    current = watchDatabase(new UserDatabase(owner))
  }
  return current
}

/** The database of the logged-in user, if a screen has already used it. */
export const currentStore = (): UserDatabase | undefined => current

/** Without `disableAutoOpen` the next write of a late answer would create the deleted database again. */
function letGo(owner: string) {
  if (current?.owner !== owner) return
  leave(current)
  current = undefined
}

function leave(store: UserDatabase) {
  store.close({ disableAutoOpen: true })
  unwatchDatabase(store)
}

/** A window that hangs does not close the database. The logout does not wait longer, and the browser deletes when it can. */
const DELETES_WITHIN_MS = 3_000

/** Deletes everything that this device stores for `owner`, in every tab. Works offline. */
export async function wipeUserStore(owner: string): Promise<void> {
  channel.postMessage({ closed: owner })
  letGo(owner)
  const wipe = () => new UserDatabase(owner).delete()
  // The deletion goes on after this time. If the lock is never granted, its holder also waits for the hanging window.
  await within(DELETES_WITHIN_MS, withLock(userDatabaseLock(owner), wipe))
}

let device: DeviceDatabase | undefined

/** The database of the device, for all its users, opened for this tab. */
export const deviceStore = (): DeviceDatabase => (device ??= watchDatabase(new DeviceDatabase()))
