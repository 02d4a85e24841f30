import { within } from '../../domain/within.ts'
import { DeviceDatabase, UserDatabase, userDatabaseLock } from '../store/databases.ts'
import { withLock } from '../store/withLock.ts'
import { unwatchDatabase, watchDatabase } from './storageHealth.ts'

/** Only the page creates a user's database, and only for whoever is logged in. */
let current: UserDatabase | undefined

const channel = new BroadcastChannel('user-database')

channel.addEventListener('message', ({ data }: MessageEvent<{ closed: string }>) => letGo(data.closed))

/** The database of `owner`, opened (and on the first login made) for this tab. */
export function userStore(owner: string): UserDatabase {
  if (current?.owner !== owner) {
    if (current) leave(current)
    current = watchDatabase(new UserDatabase(owner))
  }
  return current
}

/** The database of whoever is logged in here, if it was asked for already. */
export const currentStore = (): UserDatabase | undefined => current

/** Without `disableAutoOpen` the next write of a late answer would make the deleted database anew. */
function letGo(owner: string) {
  if (current?.owner !== owner) return
  leave(current)
  current = undefined
}

function leave(store: UserDatabase) {
  store.close({ disableAutoOpen: true })
  unwatchDatabase(store)
}

/** A window that hangs does not let go. Whoever logs out is out all the same, and the browser deletes when it can. */
const DELETES_WITHIN_MS = 3_000

/** Deletes everything this device stores for `owner`, in every tab. Works without a connection. */
export async function wipeUserStore(owner: string): Promise<void> {
  channel.postMessage({ closed: owner })
  letGo(owner)
  const wipe = () => new UserDatabase(owner).delete()
  // Late or not, the deletion stays asked for. A lock that is never given is held by whoever waits for that window as well.
  await within(DELETES_WITHIN_MS, withLock(userDatabaseLock(owner), wipe))
}

let device: DeviceDatabase | undefined

/** The database of whoever holds the device, opened for this tab. */
export const deviceStore = (): DeviceDatabase => (device ??= watchDatabase(new DeviceDatabase()))
