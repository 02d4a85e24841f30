import { eq } from 'drizzle-orm'
import type { Db } from '../../../../server/db/engine/Database.ts'
import { endedHold, redemption } from '../../../../server/db/schema/redemptions.ts'
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
  if (served.is === 'held') {
    const hold = {
      holdId: id,
      holdSecretHash: secretHash,
      holdOrganisationId: organisationId,
      holdBranchId: branchId,
    }
    const by = { holdPosUserId: user.id, holdSessionId: sessionId, holdTillId: till, holdTillName: tillName }
    const times = { holdSince: since, holdEndsAt: new Date(since.getTime() + AGE_MS[2]) }
    await db
      .update(voucher)
      .set({ ...hold, ...by, ...times })
      .where(eq(voucher.id, voucherId))
    return
  }
  const of = { id, voucherId, organisationId, branchId, posUserId: user.id, tillName }
  if (served.is !== 'redeemed' && served.is !== 'voided') {
    await db.insert(endedHold).values({ ...of, secretHash, since, endedBy: served.is, endedAt: since })
    return
  }
  const voided = served.is === 'voided' ? { voidedAt: since, voidedBy: user.id } : {}
  const entry = { redeemedAt: since, recordedAt: since, holdSecretHash: secretHash, tillId: till, amountCents: 1_000 }
  await db.insert(redemption).values({ ...of, ...entry, ...voided })
  if (served.is === 'voided') return
  const used = { redeemedOrganisationId: organisationId, redeemedBranchId: branchId, usedAt: since }
  await db
    .update(voucher)
    .set({ status: 'Used', ...used })
    .where(eq(voucher.id, voucherId))
}
