import type { Table } from 'dexie'
import type { DraftRow } from './draftRow.ts'
import type { KeptFileRow } from './keptFileRow.ts'
import type { OutboxRow, StoredFile } from './userRows.ts'
import type { NoticeMark } from './noticeMark.ts'
import { WatchedDatabase } from './databases.ts'

/** A reference list, written by the worker alone (DESIGN §6). Times are milliseconds of this device's clock. */
export interface StoredList {
  key: string
  data: unknown
  fetchedAt: number
}

/** The last answer of a read the worker cannot keep: a table page, an opened record. Written by the page. */
export type StoredRead = StoredList

export const userDatabaseName = (owner: string) => `mp-u-${owner}`
/** Writers hold it shared, the sign-out that deletes holds it alone. */
export const userDatabaseLock = (owner: string) => `mp-u-lock-${owner}`

/**
 * One database per user, so that a shared tablet never shows one person's data to another. Renaming a table or its key wipes
 * what devices hold offline, queued downloads included: versions only ever add.
 */
export class UserDatabase extends WatchedDatabase {
  lists!: Table<StoredList, string>
  reads!: Table<StoredRead, string>
  outbox!: Table<OutboxRow, string>
  files!: Table<StoredFile, string>
  drafts!: Table<DraftRow, string>
  keptFiles!: Table<KeptFileRow, string>
  noticeMarks!: Table<NoticeMark, string>

  readonly owner: string

  constructor(owner: string) {
    // Chrome writes "relaxed" by default; a queued download has to survive a dead battery.
    super(userDatabaseName(owner), { chromeTransactionDurability: 'strict' })
    this.owner = owner
    this.version(1).stores({ lists: 'key', reads: 'key, fetchedAt', outbox: 'id, createdAt', files: 'id' })
    this.version(2).stores({ drafts: 'key' })
    this.version(3).stores({ keptFiles: 'id, keptAt' })
    this.version(4).stores({ noticeMarks: 'key' })
  }
}
