import * as v from 'valibot'
import type { AnswerOf } from '../../contract/endpoint.ts'
import type { askAllowance, AllowanceRequest } from '../../contract/redemptions/allowanceEndpoints.ts'
import {
  CLOCK_CORRECTION_MS,
  readClocks,
  clockWentBack,
  type Clocks,
  type ClockReading,
} from '../redemptions/tillHold.ts'
import { Allowance, type TillDatabase } from '../store/till.ts'

type Granted = NonNullable<Allowance['granted']>

const NO_ALLOWANCE: Allowance = { id: 'allowance', total_cents: 0, clock: 0, asks: 0 }

/** Reads the stored allowance. Throws if it cannot read the row, so that nothing is accepted and the row is not overwritten. */
export const readAllowance = async (database: TillDatabase): Promise<Allowance> =>
  v.parse(Allowance, (await database.allowance.get('allowance')) ?? NO_ALLOWANCE)

/**
 * Estimates the server's time in milliseconds: the time of the grant, plus the time since this device asked for it. The
 * estimate is too early only if this device's clock was turned back.
 */
export const serverTimeByGrant = ({ grant, asked_at }: Granted, wall: number): number =>
  Date.parse(grant.issued_at) + wall - asked_at

/**
 * Returns why a voucher of `cents` may not be accepted at `branch`, or undefined if it may. `no rules`: the shop accepts no
 * vouchers without a check.
 */
export function findAllowanceDenial(allowance: Allowance, branch: string, wall: number, cents: number) {
  const { granted, clock, went_back, why = 'no rules' } = allowance
  if (granted?.grant.branch !== branch) return why
  if (went_back || wall < clock - CLOCK_CORRECTION_MS) return 'clock'
  if (serverTimeByGrant(granted, wall) >= Date.parse(granted.grant.ends_at)) return 'ended'
  if (cents > granted.grant.voucher_cents) return 'voucher'
  return cents > leftCents(allowance) ? 'till' : undefined
}

export type AllowanceDenial = NonNullable<ReturnType<typeof findAllowanceDenial>>

/** Returns the cents that may still be accepted. */
const leftCents = ({ granted, total_cents }: Allowance): number =>
  Math.max(0, (granted?.grant.total_cents ?? 0) - total_cents)

/** The amount that this till may still accept, the limit that this is part of, and the end by the server's clock. */
export interface AllowanceMeter {
  left_cents: number
  limit_cents: number
  ends_at: string
}

export const allowanceMeter = (allowance: Allowance): AllowanceMeter | undefined =>
  allowance.granted && {
    left_cents: leftCents(allowance),
    limit_cents: allowance.granted.grant.till_cents,
    ends_at: allowance.granted.grant.ends_at,
  }

/** The clocks when this page first saw the current grant. A new grant needs new readings, because it brings the server's time. */
const firstReadings = new WeakMap<Clocks, { grant: string; at: ClockReading }>()

/**
 * Reads the allowance and stores the latest time of this device's clock. If the clock was turned back, the grant would last longer.
 * That is stored until the next grant, because a page that opens later cannot notice it (rule 9.28).
 */
export const checkAllowanceClock = (database: TillDatabase, clocks: Clocks): Promise<Allowance> =>
  database.transaction('rw', database.allowance, async () => {
    const before = await readAllowance(database)
    if (!before.granted) return before
    const { id } = before.granted.grant
    const stored = firstReadings.get(clocks)
    const first = stored?.grant === id ? stored : { grant: id, at: readClocks(clocks) }
    firstReadings.set(clocks, first)
    const wall = clocks.wall()
    const isBack = wall < before.clock - CLOCK_CORRECTION_MS || clockWentBack(clocks, first.at)
    const now = { ...before, clock: Math.max(before.clock, wall), ...(isBack && { went_back: true }) }
    await database.allowance.put(now)
    return now
  })

/**
 * Counts and returns the next request for a grant. From then on only its answer counts. The server relies on this: it assumes that
 * this device has only the grant that the request names, and will store none from an earlier request.
 */
export const startAllowanceRequest = (
  database: TillDatabase,
): Promise<{ requestNumber: number; request: AllowanceRequest }> =>
  database.transaction('rw', database.allowance, async () => {
    const before = await readAllowance(database)
    const requestNumber = before.asks + 1
    await database.allowance.put({ ...before, asks: requestNumber })
    return { requestNumber, request: { total_cents: before.total_cents, grant: before.granted?.grant.id ?? null } }
  })

interface Answered {
  requestNumber: number
  /** When this device asked, in milliseconds of its own clock. */
  asked_at: number
  answer: AnswerOf<typeof askAllowance>
}

/**
 * Stores the server's grant, or its reason to grant nothing. A till that has lost its count continues with the server's count.
 * `wall` is in milliseconds. The answer to an earlier request is not stored, and this resolves to false.
 */
export const storeAllowanceAnswer = (
  database: TillDatabase,
  { requestNumber, asked_at, answer }: Answered,
  wall: number,
) =>
  database.transaction('rw', database.allowance, async () => {
    const { id, asks, ...before } = await readAllowance(database)
    if (requestNumber !== asks) return false
    const { grant, why } = answer
    const countKnownToServer = grant ? grant.total_cents - grant.till_cents : 0
    const total_cents = Math.max(before.total_cents, countKnownToServer)
    const outcome = grant ? { granted: { grant, asked_at } } : why && { why }
    await database.allowance.put({ id, asks, total_cents, clock: wall, ...outcome })
    return true
  })

export interface RenewalPorts {
  database: TillDatabase
  wall: () => number
  /** Asks the server; resolves to undefined if no answer came. */
  ask: (request: AllowanceRequest) => Promise<AnswerOf<typeof askAllowance> | undefined>
}

/** The wait after a request that brought no grant. */
const RETRY_MS = 15 * 60_000

/** A grant is renewed when this fraction of its time is over. */
const RENEWAL_FRACTION = 1 / 3

/**
 * Asks the server what this till may accept without a check from now on, and stores the answer. Resolves to the time of the next
 * request, in milliseconds of this device's clock. Throws IndexedDB errors.
 */
export async function renewAllowance({ database, wall, ask }: RenewalPorts): Promise<number> {
  const asked_at = wall()
  const started = await startAllowanceRequest(database)
  const answer = await ask(started.request)
  if (answer) await storeAllowanceAnswer(database, { requestNumber: started.requestNumber, asked_at, answer }, wall())
  if (!answer?.grant) return asked_at + RETRY_MS
  return asked_at + (Date.parse(answer.grant.ends_at) - Date.parse(answer.grant.issued_at)) * RENEWAL_FRACTION
}

/** Deletes this device's vouchers and grant. It keeps the sum of accepted cents, because the next grant depends on it. */
export const clearTillVouchers = (database: TillDatabase): Promise<void> =>
  database.transaction('rw', database.vouchers, database.allowance, async () => {
    await database.vouchers.clear()
    await database.allowance.toCollection().modify((allowance) => {
      delete allowance.granted
    })
  })
