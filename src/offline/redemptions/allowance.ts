import * as v from 'valibot'
import type { AllowanceGrant } from '../../contract/redemptions/allowance.ts'
import type { AllowanceRequest } from '../../contract/redemptions/allowanceEndpoints.ts'
import { Allowance, type TillDatabase } from '../store/till.ts'
import { CORRECTION_MS } from './tillHold.ts'

export type Granted = NonNullable<Allowance['granted']>

/** Why a voucher that proved itself is not accepted. `none`: nothing was granted here. */
export type AllowanceLack = 'none' | 'ended' | 'clock' | 'voucher' | 'till'

const NOTHING: Allowance = { id: 'allowance', total_cents: 0, clock: 0, asks: 0 }

/** Throws for a row that is none: nothing is accepted by it, and it stays. */
export const readAllowance = async (database: TillDatabase): Promise<Allowance> =>
  v.parse(Allowance, (await database.allowance.get('allowance')) ?? NOTHING)

/**
 * The server's time as far as this device can tell, in milliseconds: that of the grant, and what has passed here since it was asked for. It
 * is never behind, but by a clock that was turned back.
 */
export const timeOfGrant = ({ grant, asked_at }: Granted, wall: number): number =>
  Date.parse(grant.issued_at) + wall - asked_at

/** A clock that was turned back would give a grant more time. */
const isTurnedBack = ({ clock }: Allowance, wall: number): boolean => wall < clock - CORRECTION_MS

/** Whether anything may be accepted at `branch` now. */
export function allowanceLack(allowance: Allowance, branch: string, wall: number): AllowanceLack | undefined {
  const { granted } = allowance
  if (granted?.grant.branch !== branch) return 'none'
  if (isTurnedBack(allowance, wall)) return 'clock'
  return timeOfGrant(granted, wall) < Date.parse(granted.grant.ends_at) ? undefined : 'ended'
}

/** The same for a voucher of so many cents. */
export function voucherLack(allowance: Allowance, branch: string, wall: number, cents: number) {
  const lack = allowanceLack(allowance, branch, wall)
  if (lack || !allowance.granted) return lack
  if (cents > allowance.granted.grant.voucher_cents) return 'voucher'
  return cents > leftCents(allowance) ? 'till' : undefined
}

/** What may still be accepted, in cents. */
const leftCents = ({ granted, total_cents }: Allowance): number =>
  Math.max(0, (granted?.grant.total_cents ?? 0) - total_cents)

/** What is left of what this till may accept, in cents, and until when, by the server's clock. */
export interface Meter {
  left_cents: number
  of_cents: number
  ends_at: string
}

export const meterOf = (allowance: Allowance): Meter | undefined =>
  allowance.granted && {
    left_cents: leftCents(allowance),
    of_cents: allowance.granted.grant.till_cents,
    ends_at: allowance.granted.grant.ends_at,
  }

/**
 * What the server is told when it is asked for a grant. From here on the answer to this asking alone counts: the server takes the grant that
 * is named for the only one which this device has, or will have by any asking before.
 */
export const beginAsking = (
  database: TillDatabase,
): Promise<{ ask: number; told: Pick<AllowanceRequest, 'total_cents' | 'grant'> }> =>
  database.transaction('rw', database.allowance, async () => {
    const before = await readAllowance(database)
    const ask = before.asks + 1
    await database.allowance.put({ ...before, asks: ask })
    return { ask, told: { total_cents: before.total_cents, grant: before.granted?.grant.id ?? null } }
  })

interface Answered {
  ask: number
  /** When this device asked, in milliseconds of its own clock. */
  asked_at: number
  grant: AllowanceGrant | undefined
}

/**
 * Keeps what the server granted, or that it grants nothing. A till that has lost its count begins where the server knows it to be at least.
 * `wall` is in milliseconds. Resolves to whether it was the answer to the last asking.
 */
export const keepGrant = (database: TillDatabase, { ask, asked_at, grant }: Answered, wall: number): Promise<boolean> =>
  database.transaction('rw', database.allowance, async () => {
    const { granted: _, ...count } = await readAllowance(database)
    if (ask !== count.asks) return false
    const known = grant ? grant.total_cents - grant.till_cents : 0
    const total_cents = Math.max(count.total_cents, known)
    await database.allowance.put({
      ...count,
      total_cents,
      clock: wall,
      ...(grant && { granted: { grant, asked_at } }),
    })
    return true
  })

/** Notes how far the clock of this device is, so that it is noticed when it is turned back. */
export const noteClock = (database: TillDatabase, wall: number): Promise<void> =>
  database.transaction('rw', database.allowance, async () => {
    const allowance = await readAllowance(database)
    if (allowance.granted && wall > allowance.clock) await database.allowance.put({ ...allowance, clock: wall })
  })

/** Empties the vouchers of this device, all but the count of what it accepted: the server knows the till by it. */
export const clearVouchers = (database: TillDatabase): Promise<void> =>
  database.transaction('rw', database.vouchers, database.allowance, async () => {
    await database.vouchers.clear()
    await database.allowance.toCollection().modify((allowance) => {
      delete allowance.granted
    })
  })
