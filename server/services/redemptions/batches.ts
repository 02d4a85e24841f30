import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import type { Clock } from '../../Clock.ts'
import { noteActivity, voucherSubject } from '../../db/activity/activity.ts'
import { Batch } from '../../db/engine/Batch.ts'
import type { Database, Transaction } from '../../db/engine/Database.ts'
import { holdVouchers, type RequestedHold, type HoldAnswer } from '../../db/redemptions/holdStatement.ts'
import {
  settleHolds,
  settleHoldsIn,
  voidRedemptionsIn,
  type HoldState,
  type ReportedHold,
} from '../../db/redemptions/settleStatement.ts'
import { receiptNumber } from './receipt.ts'

/** The counter's three database statements. Each handles many waiting calls at once; a process has one set. */
export interface Batches {
  hold: Batch<RequestedHold, HoldAnswer>
  settle: Batch<ReportedHold, HoldState>
  void: Batch<Pick<ReportedHold, 'id' | 'secretHash'>, HoldState>
}

/** Opens the batches of one process. */
export function openBatches({ database, clock }: { database: Database; clock: Clock }): Batches {
  const portal = database.forAllTenants()
  const hold = new Batch<RequestedHold, HoldAnswer>((rows) => {
    const now = clock.now()
    return holdVouchers(portal, rows, { now, today: singaporeDay(now) })
  })
  const settle = new Batch<ReportedHold, HoldState>((rows) => settleHolds(portal, rows, clock.now()))
  const voids: Batches['void'] = new Batch((rows) => portal.transaction((tx) => voidAll(tx, rows, clock.now())))
  return {
    hold,
    settle,
    void: voids,
  }
}

/** Voids the redemptions that may be voided, logs the cashier of each, and returns the state of every hold afterwards. */
async function voidAll(
  tx: Transaction,
  rows: readonly Pick<ReportedHold, 'id' | 'secretHash'>[],
  now: Date,
): Promise<HoldState[]> {
  const voided = new Set((await voidRedemptionsIn(tx, rows, now)).map(({ id }) => id))
  const asking = rows.map(({ id, secretHash }) => ({ id, secretHash, became: 'asking' as const, tappedAt: null }))
  const found = await settleHoldsIn(tx, asking, now)
  for (const [index, hold] of found.entries()) if (voided.delete(rows[index]!.id)) await noteVoid(tx, hold, now)
  return found
}

const noteVoid = (tx: Transaction, hold: HoldState, now: Date): Promise<void> =>
  noteActivity(
    tx.db,
    // The secret of the hold gives the right to settle it, so no session is known here.
    { userId: hold.pos_user_id, loginName: hold.pos_username, device: hold.till_name, branch: { id: hold.branch_id } },
    {
      organisationId: hold.organisation_id,
      action: 'redemption.voided',
      subject: voucherSubject({ id: hold.voucher_id, serial: hold.serial }),
      details: { receipt: receiptNumber(hold.receipt_no), amount_cents: hold.denomination_cents },
    },
    now,
  )
