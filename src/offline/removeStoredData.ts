import { isOpenDownload, readOutbox } from './outbox/outbox.ts'
import { hasTillDatabase, tillDatabase } from './redemptions/openTill.ts'
import { readTillRows } from './redemptions/tillRows.ts'
import { deviceStore, userStore } from './storage/userStore.ts'
import { isWaiting, needsAttention } from './store/till.ts'

/**
 * Takes off this device what it stores for `owner` and can be had again, drafts included. False, with nothing removed, while a
 * download or money waits: the look and the removal are one transaction. The till's vouchers stay in any case (rule 9.19).
 */
export async function removeStoredData(owner: string): Promise<boolean> {
  if (await isMoneyHere()) return false
  const store = userStore(owner)
  const removed = await store.transaction('rw', store.tables, async () => {
    const rows = await readOutbox(store)
    if (rows.some(isOpenDownload)) return false
    const { lists, reads, drafts, keptFiles, files, noticeMarks } = store
    await Promise.all([lists, reads, drafts, keptFiles, files, noticeMarks].map((table) => table.clear()))
    // A row of a release this code does not know stays: it may wait.
    await store.outbox.bulkDelete(rows.map(({ id }) => id))
    return true
  })
  if (removed) await deviceStore().lists.clear()
  return removed
}

async function isMoneyHere(): Promise<boolean> {
  if (!(await hasTillDatabase())) return false
  return (await readTillRows(tillDatabase())).some((row) => isWaiting(row) || needsAttention(row))
}
