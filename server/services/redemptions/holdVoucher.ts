import { LIMITS } from '../../../src/contract/limits.ts'
import type { HoldRequest } from '../../../src/contract/redemptions/hold.ts'
import type { VerifiedVoucher } from '../../../src/contract/redemptions/redeem.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { voucherStatus } from '../../../src/domain/vouchers.ts'
import { lockSession } from '../../db/accounts/sessions.ts'
import type { Transaction } from '../../db/engine/Database.ts'
import {
  grantHold,
  LOCK_CASHIER,
  LOCK_VOUCHER,
  type CashierRow,
  type CheckedVoucher,
} from '../../db/redemptions/checkStatements.ts'
import { endHold, isHeld, type HeldVoucher, type NewHold } from '../../db/redemptions/holds.ts'
import { traceOf } from '../../db/redemptions/holdTrace.ts'
import { changeTill } from '../../db/redemptions/tills.ts'
import type { StoredVoucherStatus } from '../../db/schema/vouchers.ts'
import type { Deps, Settings } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { refuseEndedSession } from '../accounts/sessions/authenticate.ts'
import { Refusal, tooManyAttempts } from '../Refusal.ts'
import { holdEndsAt, holdOf, refuseSpentHold, voucherHeld } from './holds.ts'
import { storedHash } from './holdSecret.ts'
import { isKeyOf, refuseTill } from './tills.ts'

/** A POS user, who has a branch. */
export type Cashier = Actor & { branch: NonNullable<Actor['branch']> }

/** Who asks, as their token says; `judge` finds out who that is, and throws a Refusal when they may hold nothing. */
export interface Asker {
  userId: string
  sessionId: string
  /** What it sends before it waits leaves in one packet with what locks cashier and voucher. */
  judge: (tx: Pick<Transaction, 'run'>) => Promise<Cashier>
}

/**
 * Keeps a redeemable voucher for one till (rule 9.9). The same id and secret get the same answer, whatever the time; an id that
 * has ended is not held again. `undefined` for a serial that is not there. Throws what `judge` throws, Refusal FORBIDDEN,
 * TOO_MANY_ATTEMPTS, TILL_UNKNOWN, TILL_REVOKED, TILL_NOT_ENROLLED, HOLD_LIMIT, HOLD_ENDED, IDEMPOTENCY_KEY_REUSED, the codes of `refuseUnredeemable` and of a session that
 * has ended meanwhile.
 */
export const holdVoucher = (
  { database, clock, settings }: Deps,
  asker: Asker,
  serial: string,
  asked: HoldRequest,
): Promise<VerifiedVoucher | undefined> =>
  database.transaction(async (tx) => {
    const now = clock.now()
    const [cashier, [till], [seen]] = await askAtOnce(tx, asker, serial, asked, now)
    const tillName = await judgeCashier(tx, till, settings, cashier, now)
    if (!seen) return undefined
    const found = hasMoved(seen, serial, asked) ? (await lockVoucher(tx, cashier, serial, asked, now))[0]! : seen
    refuseSpentHold(traceOf(found), asked, serial, cashier)
    // The 24 hours do not restart.
    if (isHeld(found) && found.holdId === asked.id) return answerOf(found)
    refuseUnredeemable(found, { now, today: singaporeDay(now), branchId: cashier.branch.id })
    refuseTooMany(found)
    if (isHeld(found)) await endHold(tx.db, found, 'taken over', now)
    const hold = newHold(cashier, asked, tillName, now)
    // Sent together with COMMIT.
    void grantHold(tx, found.id, hold)
    return answerOf({ ...found, ...hold })
  })

/** Everything that decides, in one round trip: the database locks id, cashier and till, then the voucher (decision 0086). */
const askAtOnce = (tx: Transaction, asker: Asker, serial: string, asked: HoldRequest, now: Date) =>
  Promise.all([
    asker.judge(tx),
    tx.run(LOCK_CASHIER, [asked.id, asker.userId, asker.sessionId, asked.till, now]),
    lockVoucher(tx, asker, serial, asked, now),
  ])

const lockVoucher = (
  tx: Transaction,
  { userId }: Pick<Asker, 'userId'>,
  serial: string,
  asked: HoldRequest,
  now: Date,
): Promise<CheckedVoucher[]> => tx.run(LOCK_VOUCHER, [serial, asked.id, asked.till, userId, now])

/**
 * What became of the id is looked up before the voucher is locked. When its hold on this voucher has ended in between, it is looked up
 * again, or it would be made a second time. Only for whom the throttle lets ask: who guesses must not learn by it that a serial is there.
 */
const hasMoved = (seen: CheckedVoucher, serial: string, { id }: HoldRequest): boolean =>
  seen.heldSerial === serial && seen.holdId !== id

/** How the till is called. Throws Refusal when whoever asks, or the till, may hold nothing. */
async function judgeCashier(
  tx: Transaction,
  till: CashierRow | undefined,
  settings: Settings,
  cashier: Cashier,
  now: Date,
): Promise<string> {
  if (!till) {
    refuseEndedSession(await lockSession(tx.db, cashier.sessionId))
    throw new Refusal('TILL_UNKNOWN')
  }
  refuseEndedSession(till.endedReason)
  if (till.branchStatus !== 'Active') throw new Refusal('FORBIDDEN')
  if (till.blockedUntil) throw tooManyAttempts(till.blockedUntil, now)
  await refuseTill(till, settings, cashier)
  if (till.enrolledAt && !till.provenAt && (await isKeyOf(till, cashier)))
    await changeTill(tx.db, till.guid, { provenAt: now })
  return till.name
}

function refuseTooMany(open: CheckedVoucher): void {
  const limit = LIMITS.openHolds
  if (open.openOfTill >= limit) throw new Refusal('HOLD_LIMIT', { data: { limit, of: 'till' } })
  if (open.openOfPosUser >= limit) throw new Refusal('HOLD_LIMIT', { data: { limit, of: 'POS user' } })
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
function refuseUnredeemable(voucher: Seen, { now, today, branchId }: Moment): void {
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
