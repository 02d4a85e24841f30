import { createHash } from 'node:crypto'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { HoldEnding } from '../../../src/contract/redemptions/hold.ts'
import type { SyncOutcome, SyncRow } from '../../../src/contract/redemptions/sync.ts'
import type { TillWire, WireAnswer } from '../../../src/domain/TillWire.ts'

interface Held {
  id: string
  hash: string
  since: number
}

interface LedgerEntry {
  id: string
  serial: string
  /** The hash of the secret of the hold under which it was redeemed. */
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

/** A model of the server's half of rule 9.9, short enough to be read beside it. Tests of the real server check it against the same table. */
export class HoldServer {
  now = Date.parse('2026-11-21T01:00:00Z')
  readonly holds = new Map<string, Held>()
  readonly ledger: LedgerEntry[] = []
  /** Ids that can never be held again, and the reasons. */
  readonly ended = new Map<string, HoldEnding>()
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
    sync: async (rows) => ({ kind: 'done', answer: rows.map((row) => this.#judge(row)) }),
  }

  #judge(row: SyncRow): SyncOutcome {
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
    // A hold that was never made cannot be made any more.
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

  /** Releases a hold, as the merchant, the provider or the deactivation of the branch does. */
  release(serial: string): void {
    if (this.holds.has(serial)) this.#end(serial, 'released by merchant')
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
