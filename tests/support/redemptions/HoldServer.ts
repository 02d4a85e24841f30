import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { AcceptedRow, AllowanceGrant } from '../../../src/contract/redemptions/allowance.ts'
import type { HoldEnding } from '../../../src/contract/redemptions/hold.ts'
import type { SyncOutcome, SyncRow } from '../../../src/contract/redemptions/sync.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import type { TillWire, WireAnswer } from '../../../src/domain/TillWire.ts'

/** Where all tills of a test stand, and what they may accept without a check, in cents: one, and all in one day. */
export const BRANCH = '0190c3b0-0000-7000-8000-0000000000b1'
const TILL_CENTS = 2_000
export const DAY_CENTS = 4_000

/** What every voucher is worth. */
const CENTS = 1_000

/** A code that proves itself, as far as these tests go. */
export const SIGNED = 'signed '

interface Held {
  id: string
  hash: string
  since: number
  till: string
}

interface LedgerEntry {
  id: string
  serial: string
  /** The secret's hash of the hold it was redeemed under. */
  hash: string
  at: number
  voided: boolean
}

const refused = (code: string, data: Record<string, unknown> = {}): WireAnswer<never> => ({
  kind: 'refused',
  refused: { code, message: code, data },
})
const done = <T>(answer: T): WireAnswer<T> => ({ kind: 'done', answer })
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
const iso = (at: number) => new Date(at).toISOString()

/**
 * The server's half of rule 9.9 as a model: short enough to be read beside it, and the other side of the device's
 * property test. The real server is held to the same table by its own tests.
 */
export class HoldServer {
  now = Date.parse('2026-11-21T01:00:00Z')
  readonly holds = new Map<string, Held>()
  readonly ledger: LedgerEntry[] = []
  /** Ids that can never hold again, and why. */
  readonly ended = new Map<string, HoldEnding>()
  /** What was accepted without a check and has arrived, by the day of its arrival; by id what was answered. */
  readonly accepted: { till: string; cents: number; day: string }[] = []
  readonly outcomes = new Map<string, SyncOutcome>()
  /** Of each till, in cents: the highest ceiling it was granted, and the highest count it has uploaded. */
  readonly ceilings = new Map<string, number>()
  readonly uploaded = new Map<string, number>()
  /** Whose grant it is, and its secret's hash. */
  readonly grants = new Map<string, { till: string; hash: string }>()

  readonly wire: TillWire = {
    verify: async ({ id, serial, secret_hash, till }) => {
      const held = this.holds.get(serial)
      if (this.ended.has(id)) return refused('HOLD_ENDED', { by: this.ended.get(id) })
      if (held?.id === id && held.hash === secret_hash) return done(this.#verified(serial, held))
      if (this.live(serial)) return refused('VOUCHER_ALREADY_USED')
      if (held && this.now < held.since + LIMITS.holdHours * 3_600_000) return refused('VOUCHER_HELD')
      if (held) this.ended.set(held.id, 'taken over')
      const mine = { id, hash: secret_hash, since: this.now, till }
      this.holds.set(serial, mine)
      return done(this.#verified(serial, mine))
    },
    sync: async (rows) => ({ kind: 'done', answer: rows.map((row) => this.#judge(row)) }),
  }

  #judge(row: SyncRow): SyncOutcome {
    if (row.became === 'accepted') return this.#arrived(row)
    const { became, id } = row
    const hash = hashOf(row.secret)
    const [serial, held] = [...this.holds].find(([, hold]) => hold.id === id) ?? []
    if (held && held.hash !== hash) return { state: 'unknown' }
    if (held && became === 'redeemed') {
      this.ledger.push({ id, serial: serial!, hash, at: this.now, voided: false })
      this.#end(serial!, 'redeemed')
      return this.#stateOf(id, false)
    }
    if (held && became === 'cancelled') this.#end(serial!, 'cancelled')
    // One that was never made cannot be made any more.
    if (became === 'cancelled' && !this.ended.has(id)) this.ended.set(id, 'cancelled')
    const entry = this.ledger.find((one) => one.id === id)
    if (entry && became === 'voided' && this.#canBeVoided(entry)) entry.voided = true
    return this.#stateOf(id, true)
  }

  #stateOf(id: string, replayed: boolean): SyncOutcome {
    const entry = this.ledger.find((one) => one.id === id)
    if (entry?.voided) return { state: 'voided', receipt: this.#receipt(entry), voided_at: iso(this.now) }
    if (entry) return { state: 'redeemed', receipt: this.#receipt(entry), replayed }
    const [serial, held] = [...this.holds].find(([, hold]) => hold.id === id) ?? []
    if (held) return { state: 'held', hold: this.#verified(serial!, held).hold }
    const by = this.ended.get(id)
    return by === undefined ? { state: 'unknown' } : { state: 'ended', by, when: iso(this.now) }
  }

  #canBeVoided = ({ at }: LedgerEntry) => this.now <= at + LIMITS.voidMinutes * 60_000

  /** By the merchant, the provider, or the deactivation of the branch. */
  release(serial: string): void {
    if (this.holds.has(serial)) this.#end(serial, 'released by merchant')
  }

  /**
   * What a till may accept without a check: a ceiling for all that it has ever accepted. What the ceilings leave open is never more than a
   * day's limit, with what arrived today.
   */
  grant(till: string): AllowanceGrant | undefined {
    const others = [...this.ceilings.keys()].filter((one) => one !== till)
    const open = others.reduce((sum, one) => sum + this.#open(one), 0)
    const arrived = this.accepted.filter(({ day }) => day === singaporeDay(new Date(this.now)))
    const arrivedCents = arrived.reduce((sum, { cents }) => sum + cents, 0)
    const share = Math.min(TILL_CENTS, DAY_CENTS - arrivedCents - open)
    if (share <= 0) return undefined
    const total_cents = (this.uploaded.get(till) ?? 0) + share
    this.ceilings.set(till, Math.max(total_cents, this.ceilings.get(till) ?? 0))
    const [id, secret] = [randomUUID(), randomBytes(32).toString('base64url')]
    this.grants.set(id, { till, hash: hashOf(secret) })
    return {
      id,
      secret,
      branch: BRANCH,
      voucher_cents: 1_000,
      till_cents: TILL_CENTS,
      total_cents,
      issued_at: iso(this.now),
      ends_at: iso(this.now + 4 * 3_600_000),
    }
  }

  #open = (till: string) => Math.max(0, (this.ceilings.get(till) ?? 0) - (this.uploaded.get(till) ?? 0))

  /** The first to arrive redeems, and again is the same answer. */
  #arrived(row: AcceptedRow): SyncOutcome {
    const before = this.outcomes.get(row.id)
    if (before) return before
    const grant = this.grants.get(row.grant)
    if (grant?.hash !== hashOf(row.secret)) return { state: 'unknown' }
    const { till } = grant
    const serial = row.code.replace(SIGNED, '')
    const held = this.holds.get(serial)
    if (held && held.till !== till && this.now < held.since + LIMITS.holdHours * 3_600_000) {
      return { state: 'later', retry_after_seconds: 60 }
    }
    this.uploaded.set(till, CENTS + (this.uploaded.get(till) ?? 0))
    this.accepted.push({ till, cents: CENTS, day: singaporeDay(new Date(this.now)) })
    const outcome = this.#outcomeOf(serial, row)
    this.outcomes.set(row.id, outcome)
    return outcome
  }

  #outcomeOf(serial: string, { id, secret }: AcceptedRow): SyncOutcome {
    const used = this.live(serial)
    if (used) return { state: 'lost', reason: 'used elsewhere', at: iso(used.at) }
    this.#end(serial, 'taken over')
    this.ledger.push({ id, serial, hash: hashOf(secret), at: this.now, voided: false })
    return this.#stateOf(id, false)
  }

  live = (serial: string) => this.ledger.find((entry) => entry.serial === serial && !entry.voided)

  #end(serial: string, by: HoldEnding) {
    const held = this.holds.get(serial)
    if (!held) return
    this.ended.set(held.id, by)
    this.holds.delete(serial)
  }

  #verified(serial: string, { id, since }: Held) {
    const hold = {
      id,
      till: 'Till',
      since: iso(since),
      confirm_until: iso(since + LIMITS.confirmMinutes * 60_000),
      ends: iso(since + LIMITS.holdHours * 3_600_000),
    }
    return { serial, denomination_cents: 1000, expires_on: '2027-01-31', hold }
  }

  #receipt = ({ id, serial, at }: LedgerEntry) => ({
    id,
    serial,
    denomination_cents: 1000,
    expires_on: '2027-01-31',
    receipt_number: `R-${id.slice(-6)}`,
    redeemed_at: iso(at),
    pos_username: 'till-1',
    branch_name: 'Tampines Central',
    till: 'Till',
    recorded_at: iso(at),
  })
}
