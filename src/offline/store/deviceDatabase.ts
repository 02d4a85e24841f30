import type { Table } from 'dexie'
import type { DraftRow } from './draftRow.ts'
import type { StoredList } from './userDatabase.ts'
import { WatchedDatabase } from './databases.ts'

/**
 * What belongs to nobody: the application of a merchant who has no account yet, and the lists that are the same for everyone.
 * No sign-out deletes it.
 */
export class DeviceDatabase extends WatchedDatabase {
  drafts!: Table<DraftRow, string>
  lists!: Table<StoredList, string>

  constructor() {
    super('mp-device', { chromeTransactionDurability: 'strict' })
    this.version(1).stores({ drafts: 'key' })
    this.version(2).stores({ lists: 'key' })
  }
}
