import { within } from '../../domain/within.ts'
import { DeviceDatabase, UserDatabase, userDatabaseLock } from '../store/databases.ts'
import { withLock } from '../store/withLock.ts'
import { unwatchDatabase, watchDatabase } from './storageHealth.ts'

/** The database of the logged-in user. Only pages create it, never the worker. */
let current: UserDatabase | undefined

const channel = new BroadcastChannel('user-database')

channel.addEventListener('message', ({ data }: MessageEvent<{ closed: string }>) => forgetStore(data.closed))

/** Returns the database of `owner`, opened for this tab. The first login creates it. */
export function userStore(owner: string): UserDatabase {
  if (current?.owner !== owner) {
    if (current) closeForGood(current)
    current = watchDatabase(new UserDatabase(owner))
  }
  return current
}

/** The database of the logged-in user, if a screen has already used it. */
export const currentStore = (): UserDatabase | undefined => current

/** Closes the database with `disableAutoOpen`, because a late answer would otherwise recreate the deleted database. */
function forgetStore(owner: string) {
  if (current?.owner !== owner) return
  closeForGood(current)
  current = undefined
}

function closeForGood(store: UserDatabase) {
  store.close({ disableAutoOpen: true })
  unwatchDatabase(store)
}

/** A hanging window may keep the database open. The logout waits this long. The browser then deletes the database when it can. */
const DELETES_WITHIN_MS = 3_000

/** Deletes everything that this device stores for `owner`, in every tab. Works offline. */
export async function wipeUserStore(owner: string): Promise<void> {
  channel.postMessage({ closed: owner })
  forgetStore(owner)
  const deleteDatabase = () => new UserDatabase(owner).delete()
  // The deletion goes on after this time. A holder of the lock may be waiting for the hanging window, too.
  await within(DELETES_WITHIN_MS, withLock(userDatabaseLock(owner), deleteDatabase))
}

let device: DeviceDatabase | undefined

/** Returns the database of the device, which all its users share, opened for this tab. */
export const deviceStore = (): DeviceDatabase => (device ??= watchDatabase(new DeviceDatabase()))
