import { Dexie, type Table } from 'dexie'
import type { DraftRow, OutboxRow, StoredFile } from './userRows.ts'
import { withLock } from './withLock.ts'

/** A database that tells the page when it is being opened, so that the page can report a database that does not open. */
export abstract class WatchedDatabase extends Dexie {
  whenOpening: ((opening: PromiseLike<unknown>) => void) | undefined

  /** Dexie calls this, too, when an operation finds the database closed. */
  override open() {
    const opening = super.open()
    this.whenOpening?.(opening)
    return opening
  }
}

/** A reference list (rule 14.4). Times are milliseconds of this device's clock. */
export interface StoredList {
  key: string
  data: unknown
  fetchedAt: number
}

/** The last answer of another read: a table page or an opened record. */
export type StoredRead = StoredList

export const userDatabaseName = (owner: string) => `mp-u-${owner}`

/** The name of the lock on a user's database. Writers share the lock. The logout needs it alone to delete the database. */
export const userDatabaseLock = (owner: string) => `mp-u-lock-${owner}`

/**
 * The database of one user, so that a shared tablet never shows one user's data to another. Later versions only add to it: a renamed
 * table or key would delete what devices store, also queued downloads.
 */
export class UserDatabase extends WatchedDatabase {
  lists!: Table<StoredList, string>
  reads!: Table<StoredRead, string>
  outbox!: Table<OutboxRow, string>
  files!: Table<StoredFile, string>
  drafts!: Table<DraftRow, string>

  readonly owner: string

  constructor(owner: string) {
    // Chrome's default is "relaxed", but a queued download must survive a dead battery.
    super(userDatabaseName(owner), { chromeTransactionDurability: 'strict' })
    this.owner = owner
    this.version(1).stores({
      lists: 'key',
      reads: 'key, fetchedAt',
      outbox: 'id, createdAt',
      files: 'id',
      drafts: 'key',
    })
  }
}

/**
 * Runs `work` in a user's database, also when that user is not logged in. Resolves to undefined if no page has created the database.
 * It checks that under the shared lock, so that late work does not recreate a database that a logout has deleted.
 */
export function inUserDatabase<T>(
  owner: string,
  work: (database: UserDatabase) => PromiseLike<T>,
): Promise<T | undefined> {
  const open = async () => {
    if (!(await databaseExists(userDatabaseName(owner)))) return undefined
    const database = new UserDatabase(owner)
    try {
      return await work(database)
    } finally {
      database.close()
    }
  }
  return withLock(userDatabaseLock(owner), open, { mode: 'shared' })
}

/**
 * The data that belongs to no user: applications of merchants who have no account yet, and the lists that are the same for all
 * users. No logout deletes it.
 */
export class DeviceDatabase extends WatchedDatabase {
  drafts!: Table<DraftRow, string>
  lists!: Table<StoredList, string>

  constructor() {
    super('mp-device', { chromeTransactionDurability: 'strict' })
    this.version(1).stores({ drafts: 'key', lists: 'key' })
  }
}

/**
 * True if the browser lists the database. Not `Dexie.exists`: it opens the database, and would delete data that another call stores
 * at the same moment.
 */
export const databaseExists = async (name: string): Promise<boolean> => (await Dexie.getDatabaseNames()).includes(name)
