import { Dexie, type Table } from 'dexie'
import * as v from 'valibot'
import { Receipt } from '../../contract/voucher.ts'

/**
 * One redemption this device asked for. Stored before the first byte leaves, so that a dead battery or a lost answer can be
 * asked again under the same id. No customer data. Times are milliseconds of this device's clock.
 *
 * - `asking`: sent, no answer yet; the cashier waits, sending again under the same id is safe
 * - `abandoned`: the cashier gave up waiting; only the question "what became of it" is sent, never the redemption again
 * - `receipted`, `refused`, `nothing taken`: settled
 */
const STATES = ['asking', 'abandoned', 'receipted', 'refused', 'nothing taken'] as const

export const TillRow = v.object({
  id: v.string(),
  /** Guid of the POS user; another cashier on this device does not settle it. */
  owner: v.string(),
  serial: v.string(),
  denomination_cents: v.number(),
  expires_on: v.string(),
  state: v.picklist(STATES),
  askedAt: v.number(),
  sentAt: v.number(),
  settledAt: v.optional(v.number()),
  receipt: v.optional(Receipt),
  /** A receipt found after the cashier gave up waiting: somebody has to be told, once. */
  unseen: v.optional(v.boolean()),
})
export type TillRow = v.InferOutput<typeof TillRow>

/** The device's own database: never a user's, never deleted by a sign-out (DESIGN §7). */
export class TillDatabase extends Dexie {
  redemptions!: Table<TillRow, string>

  constructor() {
    super('till', { chromeTransactionDurability: 'strict' })
    this.version(1).stores({ redemptions: 'id, owner, askedAt' })
  }
}
