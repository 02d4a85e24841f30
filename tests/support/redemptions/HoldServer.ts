import { createHash } from 'node:crypto'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Taking } from '../../../src/contract/redemptions/takings.ts'
import type { TillWire, WireAnswer } from '../../../src/domain/TillWire.ts'

interface Held {
  id: string
  hash: string
  since: number
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
  readonly ended = new Map<string, string>()
  /** What arrived, by its number. */
  readonly takings = new Map<number, Taking & { id: string }>()
  /** A server of the release before does not write numbers down. */
  knowsTakings = true

  readonly wire: TillWire = {
    verify: async ({ id, serial, secret_hash }) => {
      const held = this.holds.get(serial)
      if (this.ended.has(id)) return refused('HOLD_ENDED', { by: this.ended.get(id) })
      if (held?.id === id && held.hash === secret_hash) return done(this.#verified(serial, held))
      if (this.live(serial)) return refused('VOUCHER_ALREADY_USED')
      if (held && this.now < held.since + LIMITS.holdHours * 3_600_000) return refused('VOUCHER_HELD')
      if (held) this.ended.set(held.id, 'taken over')
      const mine = { id, hash: secret_hash, since: this.now }
      this.holds.set(serial, mine)
      return done(this.#verified(serial, mine))
    },
    redeem: async ({ id, secret, serial, taking }) => {
      const number = this.#arrive(id, taking)
      const before = this.ledger.find((entry) => entry.id === id)
      if (before) return done(this.#receipt(before, number))
      const held = this.holds.get(serial)
      if (held?.id !== id || held.hash !== hashOf(secret)) {
        return refused('HOLD_ENDED', { by: this.ended.get(id) ?? 'unknown' })
      }
      const entry = { id, serial, hash: held.hash, at: this.now, voided: false }
      this.ledger.push(entry)
      this.#end(serial, 'redeemed')
      return done(this.#receipt(entry, number))
    },
    upload: async (vouchers) => {
      const outcomes = vouchers.map(async (one) => [one.id, await this.wire.redeem(one)] as const)
      return done(new Map(await Promise.all(outcomes)))
    },
    cancel: async ({ id, secret, serial, taking }) => {
      const number = this.#arrive(id, taking)
      if (this.ledger.some((entry) => entry.id === id)) return refused('HOLD_ENDED', { by: 'redeemed' })
      const held = this.holds.get(serial)
      if (held?.id === id && held.hash === hashOf(secret)) this.#end(serial, 'cancelled')
      else this.ended.set(id, this.ended.get(id) ?? 'cancelled')
      return done({ by: 'cancelled', when: iso(this.now), taking: number })
    },
    ask: async ({ id, serial }) => {
      const entry = this.ledger.find((one) => one.id === id)
      if (entry?.voided) return done({ state: 'voided', receipt: this.#receipt(entry), voided_at: iso(this.now) })
      if (entry) {
        const can_be_voided = this.now <= entry.at + LIMITS.voidMinutes * 60_000
        return done({ state: 'redeemed', receipt: this.#receipt(entry), can_be_voided })
      }
      const held = this.holds.get(serial)
      if (held?.id === id) return done({ state: 'held', hold: this.#verified(serial, held).hold })
      return done({ state: 'ended', by: 'cancelled', when: iso(this.now) })
    },
    void: async ({ id }) => {
      const entry = this.ledger.find((one) => one.id === id)
      if (!entry) return refused('REDEMPTION_UNKNOWN')
      if (!entry.voided && this.now > entry.at + LIMITS.voidMinutes * 60_000) return refused('VOID_TOO_LATE')
      entry.voided = true
      return done({ receipt: this.#receipt(entry), voided_at: iso(this.now) })
    },
  }

  /** By the merchant, the provider, or the deactivation of the branch. */
  release(serial: string): void {
    if (this.holds.has(serial)) this.#end(serial, 'released by merchant')
  }

  live = (serial: string) => this.ledger.find((entry) => entry.serial === serial && !entry.voided)

  #end(serial: string, by: string) {
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

  #arrive(id: string, taking: Taking | undefined): number | undefined {
    if (!taking || !this.knowsTakings) return undefined
    if (!this.takings.has(taking.number)) this.takings.set(taking.number, { ...taking, id })
    return taking.number
  }

  #receipt = ({ id, serial }: LedgerEntry, taking?: number) => ({
    id,
    serial,
    denomination_cents: 1000,
    expires_on: '2027-01-31',
    receipt_number: `R-${id.slice(-6)}`,
    redeemed_at: iso(this.now),
    pos_username: 'till-1',
    branch_name: 'Tampines Central',
    taking,
  })
}
