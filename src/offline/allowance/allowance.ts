import * as v from 'valibot'
import type { AnswerOf } from '../../contract/endpoint.ts'
import type { askAllowance, AllowanceRequest } from '../../contract/redemptions/allowanceEndpoints.ts'
import { CORRECTION_MS, startedNow, wentBack, type Clocks, type Started } from '../redemptions/tillHold.ts'
import { Allowance, type TillDatabase } from '../store/till.ts'

type Granted = NonNullable<Allowance['granted']>

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

/** Why no voucher is accepted at `branch`, or none of so many cents. `no rules`: its shop takes none. */
export function allowanceLack(allowance: Allowance, branch: string, wall: number, cents: number) {
  const { granted, clock, went_back, why = 'no rules' } = allowance
  if (granted?.grant.branch !== branch) return why
  if (went_back || wall < clock - CORRECTION_MS) return 'clock'
  if (timeOfGrant(granted, wall) >= Date.parse(granted.grant.ends_at)) return 'ended'
  if (cents > granted.grant.voucher_cents) return 'voucher'
  return cents > leftCents(allowance) ? 'till' : undefined
}

export type AllowanceLack = NonNullable<ReturnType<typeof allowanceLack>>

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

/** What this page knows of its clock, under which grant: a new grant brings the server's time. */
const pages = new WeakMap<Clocks, { grant: string; at: Started }>()

/**
 * Reads it and notes how far the clock of this device is. One that went back would give a grant more time: that is noted for good, for the
 * next page cannot see it (rule 9.28). By both clocks: while a page lives, it notices at once.
 */
export const lookAtAllowance = (database: TillDatabase, clocks: Clocks): Promise<Allowance> =>
  database.transaction('rw', database.allowance, async () => {
    const before = await readAllowance(database)
    if (!before.granted) return before
    const { id } = before.granted.grant
    const known = pages.get(clocks)
    const page = known?.grant === id ? known : { grant: id, at: startedNow(clocks) }
    pages.set(clocks, page)
    const wall = clocks.wall()
    const isBack = wall < before.clock - CORRECTION_MS || wentBack(clocks, page.at)
    const now = { ...before, clock: Math.max(before.clock, wall), ...(isBack && { went_back: true }) }
    await database.allowance.put(now)
    return now
  })

/**
 * What the server is told when it is asked for a grant. From here on the answer to this asking alone counts: the server takes the grant that
 * is named for the only one which this device has, or will have by any asking before.
 */
export const beginAsking = (database: TillDatabase): Promise<{ ask: number; told: AllowanceRequest }> =>
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
  answer: AnswerOf<typeof askAllowance>
}

/**
 * Keeps what the server granted, or why it grants nothing. A till that has lost its count begins where the server knows it to be at least.
 * `wall` is in milliseconds. Resolves to whether it was the answer to the last asking.
 */
export const keepAnswer = (database: TillDatabase, { ask, asked_at, answer }: Answered, wall: number) =>
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
  /** Undefined where no answer came. */
  ask: (request: AllowanceRequest) => Promise<AnswerOf<typeof askAllowance> | undefined>
}

/** Where nothing is granted, or no answer comes while there is a connection. */
const AGAIN_MS = 15 * 60_000

/** Of its time: then a grant is renewed. */
const RENEWED_AFTER = 1 / 3

/**
 * Asks the server what this till may accept without a check from now on, and keeps it. Resolves to when it should be asked again, in
 * milliseconds of this device's clock. Throws what IndexedDB throws.
 */
export async function renewAllowance({ database, wall, ask }: RenewalPorts): Promise<number> {
  const asked_at = wall()
  const asking = await beginAsking(database)
  const answer = await ask(asking.told)
  if (answer) await keepAnswer(database, { ask: asking.ask, asked_at, answer }, wall())
  if (!answer?.grant) return asked_at + AGAIN_MS
  return asked_at + (Date.parse(answer.grant.ends_at) - Date.parse(answer.grant.issued_at)) * RENEWED_AFTER
}

/** Empties the vouchers of this device, all but the count of what it accepted: the server knows the till by it. */
export const clearVouchers = (database: TillDatabase): Promise<void> =>
  database.transaction('rw', database.vouchers, database.allowance, async () => {
    await database.vouchers.clear()
    await database.allowance.toCollection().modify((allowance) => {
      delete allowance.granted
    })
  })
