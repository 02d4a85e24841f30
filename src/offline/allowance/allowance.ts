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

const NOTHING: Allowance = { id: 'allowance', total_cents: 0, clock: 0, asks: 0 }

/** Throws for a row that cannot be read: nothing is accepted by it, and it is not overwritten. */
export const readAllowance = async (database: TillDatabase): Promise<Allowance> =>
  v.parse(Allowance, (await database.allowance.get('allowance')) ?? NOTHING)

/**
 * Estimates the server's time in milliseconds: the time of the grant plus the time since this device asked for it. It is behind
 * only if this device's clock was turned back.
 */
export const serverTimeByGrant = ({ grant, asked_at }: Granted, wall: number): number =>
  Date.parse(grant.issued_at) + wall - asked_at

/** Returns the reason why a voucher of so many cents is not accepted at `branch`, or undefined. `no rules`: its shop accepts none. */
export function allowanceLack(allowance: Allowance, branch: string, wall: number, cents: number) {
  const { granted, clock, went_back, why = 'no rules' } = allowance
  if (granted?.grant.branch !== branch) return why
  if (went_back || wall < clock - CLOCK_CORRECTION_MS) return 'clock'
  if (serverTimeByGrant(granted, wall) >= Date.parse(granted.grant.ends_at)) return 'ended'
  if (cents > granted.grant.voucher_cents) return 'voucher'
  return cents > leftCents(allowance) ? 'till' : undefined
}

export type AllowanceLack = NonNullable<ReturnType<typeof allowanceLack>>

/** The cents that may still be accepted. */
const leftCents = ({ granted, total_cents }: Allowance): number =>
  Math.max(0, (granted?.grant.total_cents ?? 0) - total_cents)

/** The cents that this till may still accept, of how many, and until when by the server's clock. */
export interface AllowanceMeter {
  left_cents: number
  of_cents: number
  ends_at: string
}

export const allowanceMeter = (allowance: Allowance): AllowanceMeter | undefined =>
  allowance.granted && {
    left_cents: leftCents(allowance),
    of_cents: allowance.granted.grant.till_cents,
    ends_at: allowance.granted.grant.ends_at,
  }

/** The clocks when this page first saw a grant: a new grant brings the server's time. */
const pages = new WeakMap<Clocks, { grant: string; at: ClockReading }>()

/**
 * Reads the allowance and stores how far this device's clock has come. A clock that went back would prolong a grant: this is stored
 * for good, because the next page cannot see it (rule 9.28). With both clocks an open page notices it at once.
 */
export const checkAllowanceClock = (database: TillDatabase, clocks: Clocks): Promise<Allowance> =>
  database.transaction('rw', database.allowance, async () => {
    const before = await readAllowance(database)
    if (!before.granted) return before
    const { id } = before.granted.grant
    const known = pages.get(clocks)
    const page = known?.grant === id ? known : { grant: id, at: readClocks(clocks) }
    pages.set(clocks, page)
    const wall = clocks.wall()
    const isBack = wall < before.clock - CLOCK_CORRECTION_MS || clockWentBack(clocks, page.at)
    const now = { ...before, clock: Math.max(before.clock, wall), ...(isBack && { went_back: true }) }
    await database.allowance.put(now)
    return now
  })

/**
 * Returns the request for a grant. From then on only the answer to this request counts: the server assumes that the grant named in
 * it is the only one this device has, or will get from any earlier request.
 */
export const startAllowanceRequest = (database: TillDatabase): Promise<{ ask: number; request: AllowanceRequest }> =>
  database.transaction('rw', database.allowance, async () => {
    const before = await readAllowance(database)
    const ask = before.asks + 1
    await database.allowance.put({ ...before, asks: ask })
    return { ask, request: { total_cents: before.total_cents, grant: before.granted?.grant.id ?? null } }
  })

interface Answered {
  ask: number
  /** When this device asked, in milliseconds of its own clock. */
  asked_at: number
  answer: AnswerOf<typeof askAllowance>
}

/**
 * Stores the server's grant, or why it grants nothing. A till that has lost its count begins with the least that the server knows
 * of. `wall` is in milliseconds. Resolves to true if it was the answer to the last request.
 */
export const storeAllowanceAnswer = (database: TillDatabase, { ask, asked_at, answer }: Answered, wall: number) =>
  database.transaction('rw', database.allowance, async () => {
    const { id, asks, ...before } = await readAllowance(database)
    if (ask !== asks) return false
    const { grant, why } = answer
    const known = grant ? grant.total_cents - grant.till_cents : 0
    const total_cents = Math.max(before.total_cents, known)
    const said = grant ? { granted: { grant, asked_at } } : why && { why }
    await database.allowance.put({ id, asks, total_cents, clock: wall, ...said })
    return true
  })

export interface RenewalPorts {
  database: TillDatabase
  wall: () => number
  /** Undefined if no answer came. */
  ask: (request: AllowanceRequest) => Promise<AnswerOf<typeof askAllowance> | undefined>
}

/** The wait when nothing is granted, or no answer comes although there is a connection. */
const AGAIN_MS = 15 * 60_000

/** A grant is renewed after this part of its time. */
const RENEWED_AFTER = 1 / 3

/**
 * Asks the server what this till may accept without a check from now on, and stores the answer. Resolves to when it should ask
 * again, in milliseconds of this device's clock. Throws what IndexedDB throws.
 */
export async function renewAllowance({ database, wall, ask }: RenewalPorts): Promise<number> {
  const asked_at = wall()
  const asking = await startAllowanceRequest(database)
  const answer = await ask(asking.request)
  if (answer) await storeAllowanceAnswer(database, { ask: asking.ask, asked_at, answer }, wall())
  if (!answer?.grant) return asked_at + AGAIN_MS
  return asked_at + (Date.parse(answer.grant.ends_at) - Date.parse(answer.grant.issued_at)) * RENEWED_AFTER
}

/** Deletes this device's vouchers and its grant, but not the count of accepted cents: the server knows the till by it. */
export const clearTillVouchers = (database: TillDatabase): Promise<void> =>
  database.transaction('rw', database.vouchers, database.allowance, async () => {
    await database.vouchers.clear()
    await database.allowance.toCollection().modify((allowance) => {
      delete allowance.granted
    })
  })
