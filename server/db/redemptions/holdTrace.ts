import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { HoldEnding } from '../../../src/contract/redemptions/hold.ts'
import type { Db } from '../engine/Database.ts'
import { endedHold, redemption } from '../schema/redemptions.ts'
import { voucher } from '../schema/vouchers.ts'

export interface HoldTrace {
  /** `null` for a redemption without a hold. */
  secretHash: string | null
  /** `null` when it was cancelled before it was made. */
  serial: string | null
  ended?: { by: HoldEnding; when: Date }
}

const usedVoucher = alias(voucher, 'used_voucher')
const freedVoucher = alias(voucher, 'freed_voucher')

/**
 * What an id stands for so far, whoever asks: a hold in force, one that ended, a redemption; `undefined` for a new one. A
 * check asks the same with the voucher (LOCK_VOUCHER).
 */
export async function traceHold(tx: Db, id: string): Promise<HoldTrace | undefined> {
  const [found] = await tx
    .select({
      heldId: voucher.holdId,
      heldSecretHash: voucher.holdSecretHash,
      heldSerial: voucher.serial,
      usedSecretHash: redemption.holdSecretHash,
      usedSerial: usedVoucher.serial,
      recordedAt: redemption.recordedAt,
      voidedAt: redemption.voidedAt,
      freedSecretHash: endedHold.secretHash,
      freedSerial: freedVoucher.serial,
      freedBy: endedHold.endedBy,
      freedAt: endedHold.endedAt,
    })
    .from(sql`(SELECT ${id}::uuid AS id) AS asked`)
    .leftJoin(voucher, eq(voucher.holdId, ASKED))
    .leftJoin(redemption, eq(redemption.id, ASKED))
    .leftJoin(usedVoucher, eq(usedVoucher.id, redemption.voucherId))
    .leftJoin(endedHold, eq(endedHold.id, ASKED))
    .leftJoin(freedVoucher, eq(freedVoucher.id, endedHold.voucherId))
    .prepare('trace_of_hold_id')
    .execute()
  return found && traceOf(found)
}

/** Each kind of trace in columns of its own, all null where there is none of the kind. */
export interface HoldTraceRow {
  heldId: string | null
  heldSecretHash: string | null
  heldSerial: string | null
  usedSecretHash: string | null
  usedSerial: string | null
  recordedAt: Date | null
  voidedAt: Date | null
  freedSecretHash: string | null
  freedSerial: string | null
  freedBy: HoldEnding | null
  freedAt: Date | null
}

export function traceOf(found: HoldTraceRow): HoldTrace | undefined {
  if (found.heldId !== null) return { secretHash: found.heldSecretHash, serial: found.heldSerial }
  const { recordedAt, voidedAt, freedBy, freedAt } = found
  if (recordedAt !== null) {
    const ended = voidedAt ? { by: 'voided' as const, when: voidedAt } : { by: 'redeemed' as const, when: recordedAt }
    return { secretHash: found.usedSecretHash, serial: found.usedSerial, ended }
  }
  if (freedBy === null || freedAt === null) return undefined
  return { secretHash: found.freedSecretHash, serial: found.freedSerial, ended: { by: freedBy, when: freedAt } }
}

const ASKED = sql`asked.id`
