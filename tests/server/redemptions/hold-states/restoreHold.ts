import { eq } from 'drizzle-orm'
import type { Db } from '../../../../server/db/engine/Database.ts'
import { hold, redemption, type HoldBecame } from '../../../../server/db/schema/redemptions.ts'
import { voucher } from '../../../../server/db/schema/vouchers.ts'
import type { User } from '../../../support/database/builders.ts'
import { AGE_MS, type Served } from './states.ts'

interface RestoredHold {
  id: string
  secretHash: string
  user: User
  sessionId: string
  branchId: string
  till: string
  tillName: string
}

/** Writes what the server has of a hold that is in that state at `now`. */
export async function restoreHold(
  db: Db,
  voucherId: string,
  { id, secretHash, user, sessionId, branchId, till, tillName }: RestoredHold,
  served: Served,
  now: number,
): Promise<void> {
  const { organisationId } = user
  const since = new Date(now - ('age' in served ? AGE_MS[served.age] : AGE_MS[1]))
  const isInLedger = served.is === 'redeemed' || served.is === 'voided'
  const of = { id, voucherId, organisationId, branchId, posUserId: user.id, sessionId, tillId: till, tillName }
  const became: HoldBecame | null = served.is === 'held' ? null : served.is === 'voided' ? 'redeemed' : served.is
  const times = { since, endsAt: new Date(since.getTime() + AGE_MS[2]), becameAt: became && since }
  await db.insert(hold).values({ ...of, secretHash, became, ...times })
  if (!isInLedger) return
  const voided = served.is === 'voided' ? { voidedAt: since, voidedBy: user.id } : {}
  const entry = { redeemedAt: since, recordedAt: since, holdSecretHash: secretHash, amountCents: 1_000 }
  await db.insert(redemption).values({ ...of, ...entry, ...voided })
  if (served.is === 'voided') return
  await db
    .update(voucher)
    .set({ status: 'Used', organisationId, branchId, usedAt: since })
    .where(eq(voucher.id, voucherId))
}
