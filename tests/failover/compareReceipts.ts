import { openPostgresql } from '../../server/db/engine/openPostgresql.ts'
import { ledgerCheck } from '../../server/db/redemptions/ledger.ts'
import { redemption } from '../../server/db/schema/redemptions.ts'
import { checkSeals } from '../../server/services/redemptions/ledgerSeals.ts'
import { receiptNumber } from '../../server/services/redemptions/receipt.ts'
import type { GivenReceipt } from '../support/redemptions/CountingTill.ts'
import { silentLog } from '../support/server/silentLog.ts'

export interface Compared {
  rows: number
  /** Ids of redemptions with a receipt that the ledger does not have, or has under another number. */
  lost: Set<string>
  /** Ids of redemptions that share a receipt number or a voucher with another one. */
  doubled: Set<string>
  /** True when the ledger agrees with its vouchers and with its seals. */
  isSound: boolean
}

/** Compares every receipt with the ledger as it is now. */
export async function compareReceipts(databaseUrl: string, receipts: readonly GivenReceipt[]): Promise<Compared> {
  const database = await openPostgresql(databaseUrl, silentLog)
  try {
    const rows = await database.db.select().from(redemption)
    const numbers = new Map(rows.map(({ id, receiptNo }) => [id, receiptNumber(receiptNo)]))
    const lost = receipts.filter(({ id, number }) => numbers.get(id) !== number).map(({ id }) => id)
    const doubled = [
      ...shared(rows, ({ receiptNo }) => String(receiptNo)),
      ...shared(rows, ({ voucherId }) => voucherId),
      ...shared(receipts, ({ number }) => number),
      ...shared(receipts, ({ serial }) => serial),
    ]
    const [check, seals] = [await ledgerCheck(database), await checkSeals(database)]
    const isSound = check.balanced && seals.broken === undefined
    return { rows: rows.length, lost: new Set(lost), doubled: new Set(doubled), isSound }
  } finally {
    await database.close()
  }
}

/** Ids of the entries whose `value` also belongs to another id. */
function shared<T extends { id: string }>(all: readonly T[], value: (one: T) => string): string[] {
  const ids = new Map<string, Set<string>>()
  for (const one of all) ids.set(value(one), (ids.get(value(one)) ?? new Set()).add(one.id))
  return [...ids.values()].filter(({ size }) => size > 1).flatMap((found) => Array.from(found))
}
