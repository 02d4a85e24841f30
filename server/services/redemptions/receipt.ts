import type { Hold } from '../../../src/contract/redemptions/hold.ts'
import type { Receipt } from '../../../src/contract/redemptions/redeem.ts'
import type { SyncOutcome } from '../../../src/contract/redemptions/sync.ts'
import type { HoldState } from '../../db/redemptions/settleStatement.ts'

/** Returns the state of a hold in the fields of the contract. */
export function outcomeOf(hold: HoldState): SyncOutcome {
  switch (hold.state) {
    case 'held':
      return { state: 'held', hold: holdOf(hold) }
    case 'redeemed':
      return {
        state: 'redeemed',
        receipt: receiptOf(hold),
        replayed: !hold.is_new,
      }
    case 'voided':
      return { state: 'voided', receipt: receiptOf(hold), voided_at: hold.voided_at!.toISOString() }
    case 'ended':
      return { state: 'ended', by: hold.became!, when: hold.became_at!.toISOString() }
    case 'unknown':
      return { state: 'unknown' }
  }
}

export const holdOf = (held: { id: string; till_name: string; since: Date; ends_at: Date }): Hold => ({
  id: held.id,
  till: held.till_name,
  since: held.since.toISOString(),
  ends: held.ends_at.toISOString(),
})

const receiptOf = (found: HoldState): Receipt => ({
  id: found.id,
  serial: found.serial,
  denomination_cents: found.denomination_cents,
  expires_on: found.expires_on,
  receipt_number: receiptNumber(found.receipt_no),
  redeemed_at: found.redeemed_at.toISOString(),
  recorded_at: found.recorded_at.toISOString(),
  pos_username: found.pos_username,
  branch_name: found.branch_name,
  till: found.till_name,
})

/** The receipt number that is printed and read out over the phone, like `R-000042`. */
export const receiptNumber = (receiptNo: number | string): string => `R-${String(receiptNo).padStart(6, '0')}`
