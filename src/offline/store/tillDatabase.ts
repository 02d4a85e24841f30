import type { Table } from 'dexie'
import * as v from 'valibot'
import { Receipt } from '../../contract/vouchers.ts'
import type { TillRow } from './till.ts'
import { WatchedDatabase } from './databases.ts'

/** A redemption as the release before holds kept it. */
const EarlierRow = v.object({
  id: v.string(),
  owner: v.string(),
  serial: v.string(),
  denomination_cents: v.number(),
  expires_on: v.string(),
  state: v.picklist(['asking', 'abandoned', 'receipted', 'refused', 'nothing taken']),
  askedAt: v.number(),
  receipt: v.optional(Receipt),
})

/** The device's own database: never a user's, never deleted by a sign-out (DESIGN §7). */
export class TillDatabase extends WatchedDatabase {
  vouchers!: Table<TillRow, string>

  constructor(name = 'till') {
    super(name, { chromeTransactionDurability: 'strict' })
    this.version(1).stores({ redemptions: 'id, owner, askedAt' })
    this.version(2)
      .stores({ vouchers: 'id, owner, serial, state, askedAt' })
      .upgrade(async (tx) => {
        const earlier: unknown[] = await tx.table('redemptions').toArray()
        await tx.table('vouchers').bulkPut(earlier.flatMap(carriedOver))
      })
  }
}

/** Receipts stay, and what was never settled asks for somebody's attention: nothing of money disappears with an update. */
function carriedOver(stored: unknown): TillRow[] {
  const parsed = v.safeParse(EarlierRow, stored)
  if (!parsed.success || parsed.output.state === 'refused' || parsed.output.state === 'nothing taken') return []
  const { receipt, state: _, ...facts } = parsed.output
  const row = {
    ...facts,
    secret: '',
    owner_name: receipt?.pos_username ?? '',
    till: '',
    sent: true,
    attempts: 0,
    nextAt: 0,
    confirmedAt: facts.askedAt,
    settledAt: facts.askedAt,
  }
  if (receipt) return [{ ...row, state: 'receipted', receipt, seen: true }]
  return [{ ...row, state: 'attention', refused: NOT_KNOWN, seen: false }]
}

const NOT_KNOWN = { code: 'NOT_KNOWN', message: 'It was never answered whether this voucher was taken.', data: {} }
