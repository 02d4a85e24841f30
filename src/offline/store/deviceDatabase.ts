import { Dexie, type Table } from 'dexie'
import type { DraftRow } from './draftRow.ts'

/** What belongs to nobody yet: the application of a merchant who has no account. */
export class DeviceDatabase extends Dexie {
  drafts!: Table<DraftRow, string>

  constructor() {
    super('mp-device', { chromeTransactionDurability: 'strict' })
    this.version(1).stores({ drafts: 'key' })
  }
}
