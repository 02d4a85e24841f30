import { Dexie, type Table } from 'dexie'
import type { DraftRow, OutboxRow, StoredFile } from './userRows.ts'
import { withLock } from './withLock.ts'

/** A database whose opening the page follows, to report when it does not open. */
export abstract class WatchedDatabase extends Dexie {
  whenOpening: ((opening: PromiseLike<unknown>) => void) | undefined

  /** Dexie also calls this when an operation finds the database closed. */
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

/** The name of the lock on a user's database. Writers share the lock; the logout that deletes the database has it alone. */
export const userDatabaseLock = (owner: string) => `mp-u-lock-${owner}`

/**
 * The database of one user, so that a shared tablet never shows one user's data to another. Renaming a table or its key deletes
 * what devices store for offline use, queued downloads included, so later versions only add.
 */
export class UserDatabase extends WatchedDatabase {
  lists!: Table<StoredList, string>
  reads!: Table<StoredRead, string>
  outbox!: Table<OutboxRow, string>
  files!: Table<StoredFile, string>
  drafts!: Table<DraftRow, string>

  readonly owner: string

  constructor(owner: string) {
    // Chrome writes "relaxed" by default; a queued download must survive a dead battery.
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
 * Runs `work` in a user's database without a session of that user; returns undefined if no page has created the database. The
 * shared lock, and the check inside it, keep late work from recreating a database that a logout has deleted.
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
 * The data that belongs to no user: the application of a merchant without an account, and the lists that are the same for all
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
 * True if the browser lists the database. `Dexie.exists` would open it, and delete all its data if another call created it at the
 * same time.
 */
export const databaseExists = async (name: string): Promise<boolean> => (await Dexie.getDatabaseNames()).includes(name)
