import { eq } from 'drizzle-orm'
import type { HoldEnding } from '../../src/contract/hold.ts'
import type { Db } from './Database.ts'
import { endedHold, redemption, voucher } from './schema.ts'

export interface HoldTrace {
  /** `null` for a redemption without a hold. */
  secretHash: string | null
  /** `null` when it was cancelled before it was made. */
  serial: string | null
  ended?: { by: HoldEnding; when: Date }
}

/** What an id stands for so far, whoever asks: a hold in force, one that ended, a redemption; `undefined` for a new one. */
export async function traceOfHoldId(tx: Db, id: string): Promise<HoldTrace | undefined> {
  const [held] = await tx
    .select({ secretHash: voucher.holdSecretHash, serial: voucher.serial })
    .from(voucher)
    .where(eq(voucher.holdId, id))
  if (held) return held
  const [redeemed] = await tx
    .select({
      secretHash: redemption.holdSecretHash,
      serial: voucher.serial,
      recordedAt: redemption.recordedAt,
      voidedAt: redemption.voidedAt,
    })
    .from(redemption)
    .innerJoin(voucher, eq(voucher.id, redemption.voucherId))
    .where(eq(redemption.id, id))
  if (redeemed) {
    const { secretHash, serial, recordedAt, voidedAt } = redeemed
    return {
      secretHash,
      serial,
      ended: voidedAt ? { by: 'voided', when: voidedAt } : { by: 'redeemed', when: recordedAt },
    }
  }
  const [ended] = await tx
    .select({
      secretHash: endedHold.secretHash,
      serial: voucher.serial,
      by: endedHold.endedBy,
      when: endedHold.endedAt,
    })
    .from(endedHold)
    .leftJoin(voucher, eq(voucher.id, endedHold.voucherId))
    .where(eq(endedHold.id, id))
  return ended && { secretHash: ended.secretHash, serial: ended.serial, ended: { by: ended.by, when: ended.when } }
}
