import { Dexie } from 'dexie'
import { viewsKey } from '../domain/viewState.ts'
import { clearTillVouchers } from './allowance/allowance.ts'
import { isUnsavedDownload, readOutbox } from './outbox/outbox.ts'
import { hasTillDatabase, tillDatabase } from './redemptions/openTill.ts'
import { openTillRows, readTillRows, waitingTillRows } from './redemptions/tillRows.ts'
import { deviceStore, userStore, wipeUserStore } from './storage/userStore.ts'
import { userDatabaseName } from './store/databases.ts'
import { isWaiting, needsAttention } from './store/till.ts'

/**
 * Deletes the drafts of `owner`, and all data that this device can fetch again. While a download or money waits, it deletes nothing
 * and returns false. It checks and deletes the downloads in one transaction. The till's vouchers always stay (rule 9.19).
 */
export async function removeStoredData(owner: string): Promise<boolean> {
  if (await hasWaitingMoney()) return false
  const store = userStore(owner)
  const removed = await store.transaction('rw', store.tables, async () => {
    const rows = await readOutbox(store)
    if (rows.some(isUnsavedDownload)) return false
    const { lists, reads, drafts, files } = store
    await Promise.all([lists, reads, drafts, files].map((table) => table.clear()))
    // A row that this release cannot read stays, because it may be a download that waits.
    await store.outbox.bulkDelete(rows.map(({ id }) => id))
    return true
  })
  if (!removed) return false
  removeViews(owner)
  await deviceStore().lists.clear()
  return true
}

/** Deletes the table views of one account, or of all. */
function removeViews(owner?: string) {
  for (const key of Object.keys(localStorage)) if (key.startsWith(viewsKey(owner))) localStorage.removeItem(key)
}

async function hasWaitingMoney(): Promise<boolean> {
  if (!(await hasTillDatabase())) return false
  return (await readTillRows(tillDatabase())).some((row) => isWaiting(row) || needsAttention(row))
}

/** True if a cashier has a voucher in hand on this device, or a voucher waits for the server. */
export const isTillInUse = async (): Promise<boolean> => (await hasTillDatabase()) && hasOpenVoucher()

async function hasOpenVoucher(): Promise<boolean> {
  const till = tillDatabase()
  return (await openTillRows(till)).length > 0 || (await waitingTillRows(till)).length > 0
}

/** True if this release cannot read a row, because a later release wrote it. The row may be money that waits. */
const hasUnreadableRow = async () =>
  (await readTillRows(tillDatabase())).length < (await tillDatabase().vouchers.count())

/**
 * Deletes everything that this device stores for any user, also receipts, after its merchant has revoked it (decision 0079). While
 * the till is in use, it deletes nothing and returns false. Call it when no user is logged in: a screen would recreate the user's
 * database.
 */
export async function removeAllStoredData(): Promise<boolean> {
  if (await hasTillDatabase()) {
    const { vouchers, allowance } = tillDatabase()
    const isCleared = await tillDatabase().transaction('rw', vouchers, allowance, async () => {
      if ((await hasOpenVoucher()) || (await hasUnreadableRow())) return false
      await clearTillVouchers(tillDatabase())
      return true
    })
    if (!isCleared) return false
  }
  const prefix = userDatabaseName('')
  const names = await Dexie.getDatabaseNames()
  for (const name of names.filter((one) => one.startsWith(prefix))) await wipeUserStore(name.slice(prefix.length))
  removeViews()
  const { drafts, lists } = deviceStore()
  await Promise.all([drafts.clear(), lists.clear()])
  return true
}
