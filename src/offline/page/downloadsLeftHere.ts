import { Dexie } from 'dexie'
import { UserDatabase, userDatabaseLock, userDatabaseName } from '../store/userDatabase.ts'
import { isPendingDownload, readOutbox } from '../outbox/outbox.ts'

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

/** The lock and the check inside it keep a look from making a database that a sign-out is deleting. */
async function pendingOf(owner: string): Promise<number> {
  const look = async () => {
    if (!(await Dexie.exists(userDatabaseName(owner)))) return 0
    const database = new UserDatabase(owner)
    try {
      return (await readOutbox(database)).filter(isPendingDownload).length
    } finally {
      database.close()
    }
  }
  return navigator.locks ? navigator.locks.request(userDatabaseLock(owner), { mode: 'shared' }, look) : look()
}
