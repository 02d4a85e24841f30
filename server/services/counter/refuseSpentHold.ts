import type { EndedHold, HoldRequest } from '../../../src/contract/redemptions/hold.ts'
import type { Db } from '../../db/engine/Database.ts'
import { traceHold } from '../../db/redemptions/holdTrace.ts'
import { Refusal } from '../Refusal.ts'

/** What a till is told whose hold is over. */
export const holdEnded = (by: EndedHold['by'], when: Date): Refusal =>
  new Refusal('HOLD_ENDED', { data: { by, when: when.toISOString() } satisfies EndedHold })

/**
 * An id is held once. Throws Refusal HOLD_ENDED when its hold is over, however it ended, and IDEMPOTENCY_KEY_REUSED when the id
 * stands for another voucher or another secret.
 */
export async function refuseSpentHold(tx: Db, { id, secret_hash }: HoldRequest, serial: string): Promise<void> {
  const trace = await traceHold(tx, id)
  if (!trace) return
  const isOther = trace.serial !== null && trace.serial !== serial
  if (trace.secretHash !== secret_hash || isOther) throw new Refusal('IDEMPOTENCY_KEY_REUSED')
  if (trace.ended) throw holdEnded(trace.ended.by, trace.ended.when)
}
