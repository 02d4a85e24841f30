import { LIMITS } from '../../../src/contract/limits.ts'
import type { HoldRequest } from '../../../src/contract/redemptions/hold.ts'
import type { VerifiedVoucher } from '../../../src/contract/redemptions/redeem.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { voucherStatus } from '../../../src/domain/vouchers.ts'
import { lockUser } from '../../db/accounts/loginUsers.ts'
import { holdBranchStatus } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import {
  countOpenHolds,
  endHold,
  grantHold,
  isHeld,
  lockHoldId,
  lockVoucherBySerial,
  type HeldVoucher,
  type NewHold,
} from '../../db/redemptions/holds.ts'
import { traceHold } from '../../db/redemptions/holdTrace.ts'
import { changeTill, lockTill } from '../../db/redemptions/tills.ts'
import type { StoredVoucherStatus } from '../../db/schema/vouchers.ts'
import type { Deps, Settings } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { lockLiveSession } from '../accounts/sessions/authenticate.ts'
import { Refusal } from '../Refusal.ts'
import { holdEndsAt, holdOf, refuseSpentHold, voucherHeld } from './holds.ts'
import { storedHash } from './holdSecret.ts'
import { isKeyOf, refuseTill } from './tills.ts'

type Cashier = Actor & { branch: NonNullable<Actor['branch']> }

/**
 * Keeps a redeemable voucher for one till (rule 9.9). The same id and secret get the same answer, whatever the time; an id that
 * has ended is not held again. `undefined` for a serial that is not there. Throws Refusal FORBIDDEN, TILL_UNKNOWN, TILL_REVOKED,
 * TILL_NOT_ENROLLED, HOLD_LIMIT, HOLD_ENDED, IDEMPOTENCY_KEY_REUSED, the codes of `refuseUnredeemable` and of a session that has ended meanwhile.
 */
export const holdVoucher = (
  { database, clock, settings }: Deps,
  cashier: Cashier,
  serial: string,
  asked: HoldRequest,
): Promise<VerifiedVoucher | undefined> =>
  database.db.transaction(async (tx: Db) => {
    const now = clock.now()
    const { status, till, found, trace, open } = await lockAll(tx, cashier, serial, asked, now)
    if (status !== 'Active') throw new Refusal('FORBIDDEN')
    const tillName = await nameOf(tx, till, settings, cashier, now)
    if (!found) return undefined
    refuseSpentHold(trace, asked, serial, cashier)
    // The 24 hours do not restart.
    if (isHeld(found) && found.holdId === asked.id) return answerOf(found)
    refuseUnredeemable(found, { now, today: singaporeDay(now), branchId: cashier.branch.id })
    refuseTooMany(open)
    if (isHeld(found)) await endHold(tx, found, 'taken over', now)
    const hold = newHold(cashier, asked, tillName, now)
    await grantHold(tx, found.id, hold)
    return answerOf({ ...found, ...hold })
  })

/**
 * Everything that decides, in one round trip: the connection sends all of it at once (`pipeline`), and the database answers in this
 * order. Id, branch, POS user, session and till are locked one after the other, so that none of them ends, and none holds more than it
 * may, while this hold is made. The branch comes before the session, as where it is deactivated: that ends all sessions it sees, and
 * not one that has just begun. What became of the id is looked up when the voucher is locked: a hold of this id might be released in
 * between, and be made a second time.
 */
async function lockAll(tx: Db, { userId, sessionId, branch }: Cashier, serial: string, asked: HoldRequest, now: Date) {
  const [, status, , , till, found, trace, open] = await Promise.all([
    lockHoldId(tx, asked.id),
    holdBranchStatus(tx, branch.id),
    lockUser(tx, userId),
    lockLiveSession(tx, sessionId),
    lockTill(tx, branch.id, asked.till),
    lockVoucherBySerial(tx, serial),
    traceHold(tx, asked.id),
    countOpenHolds(tx, { tillId: asked.till, posUserId: userId }, now),
  ])
  return { status, till, found, trace, open }
}

async function nameOf(
  tx: Db,
  till: Awaited<ReturnType<typeof lockTill>>,
  settings: Settings,
  cashier: Cashier,
  now: Date,
): Promise<string> {
  if (!till) throw new Refusal('TILL_UNKNOWN')
  await refuseTill(till, settings, cashier)
  if (till.enrolledAt && !till.provenAt && (await isKeyOf(till, cashier)))
    await changeTill(tx, till.guid, { provenAt: now })
  return till.name
}

function refuseTooMany(open: Awaited<ReturnType<typeof countOpenHolds>>): void {
  const limit = LIMITS.openHolds
  if (open.till >= limit) throw new Refusal('HOLD_LIMIT', { data: { limit, of: 'till' } })
  if (open.posUser >= limit) throw new Refusal('HOLD_LIMIT', { data: { limit, of: 'POS user' } })
}

const newHold = (cashier: Cashier, asked: HoldRequest, tillName: string, now: Date): NewHold => ({
  holdId: asked.id,
  holdSecretHash: storedHash(asked.secret_hash, cashier.keyThumbprint),
  holdOrganisationId: cashier.organisation.id,
  holdBranchId: cashier.branch.id,
  holdPosUserId: cashier.userId,
  holdSessionId: cashier.sessionId,
  holdTillId: asked.till,
  holdTillName: tillName,
  holdSince: now,
  holdEndsAt: holdEndsAt(now),
})

const answerOf = (held: HeldVoucher): VerifiedVoucher => ({
  serial: held.serial,
  denomination_cents: held.denominationCents,
  expires_on: held.expiresOn,
  hold: holdOf(held),
})

interface Seen {
  status: StoredVoucherStatus
  denominationCents: number
  expiresOn: string
  /** Of who holds it, as long as nobody has used it. */
  branchId: string | null
  holdTillName: string | null
  holdSince: Date | null
  holdEndsAt: Date | null
}

interface Moment {
  now: Date
  /** Singapore's. */
  today: string
  /** The branch that asks: it alone may know which till holds. */
  branchId: string | undefined
}

/**
 * Throws Refusal VOUCHER_ALREADY_USED, VOUCHER_EXPIRED, VOUCHER_REVOKED or VOUCHER_HELD for a voucher that a till which holds
 * nothing cannot redeem now. A hold past its end stands in nobody's way.
 */
export function refuseUnredeemable(voucher: Seen, { now, today, branchId }: Moment): void {
  const data = { denomination_cents: voucher.denominationCents, expires_on: voucher.expiresOn }
  switch (voucherStatus(voucher.status, voucher.expiresOn, today)) {
    case 'Used':
      throw new Refusal('VOUCHER_ALREADY_USED', { data })
    case 'Expired':
      throw new Refusal('VOUCHER_EXPIRED', { data })
    case 'Revoked':
      throw new Refusal('VOUCHER_REVOKED', { data })
    case 'Active': {
      const { holdSince: since, holdEndsAt: ends } = voucher
      if (since === null || ends === null || ends <= now) return
      const till = voucher.branchId === branchId ? voucher.holdTillName : null
      throw voucherHeld(data, till, since, ends)
    }
  }
}
