import { v7 as uuidv7 } from 'uuid'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import type { TillPorts } from '../redemptions/Till.ts'
import type { VoucherOfTill } from '../redemptions/tillHold.ts'
import { tillRowsBySerial } from '../redemptions/tillRows.ts'
import { isVoiding, type Allowance, type TillDatabase, type TillRow, type TillState } from '../store/till.ts'
import {
  allowanceLack,
  checkAllowanceClock,
  allowanceMeter,
  serverTimeByGrant,
  type AllowanceLack,
  type AllowanceMeter,
} from './allowance.ts'
import type { ProofLack, proveVoucher } from './voucherProof.ts'

export interface AcceptancePorts extends Pick<TillPorts, 'database' | 'clocks' | 'withRoom' | 'wake'> {
  /** Proves a code on this device alone. */
  prove: typeof proveVoucher
}

/** A voucher that the cashier may accept at the shop's risk. */
export interface Offer extends VoucherOfTill {
  code: string
  branch: string
  denomination_cents: number
  expires_on: string
  meter: AllowanceMeter
}

/** Why a voucher that cannot be checked is not accepted either. `held`: another tab has it in hand. */
type NotAccepted = Exclude<AllowanceLack, 'no rules'> | ProofLack | 'held'

type Not = { is: 'not'; why: NotAccepted; meter?: AllowanceMeter | undefined }

/**
 * The result for a voucher that the server cannot check. `known`: this device has had it before. `none`: the shop accepts none.
 * `unstored`: this device had no room to store it, so it was not accepted.
 */
export type OfferResult =
  | { is: 'offer'; offer: Offer; unstored?: true }
  | { is: 'known'; row: TillRow }
  | Not
  | { is: 'none' }

export type AcceptResult = { is: 'accepted'; row: TillRow } | OfferResult

/**
 * The till's handling of a voucher that the server cannot check now (decision 0092): it offers to accept the voucher at the shop's
 * risk, within the server's grant, and stores the acceptance.
 */
export class Acceptance {
  readonly #ports: AcceptancePorts

  constructor(ports: AcceptancePorts) {
    this.#ports = ports
  }

  /** Returns an offer if the voucher may be accepted, or else the reason. Throws what IndexedDB throws. */
  async offerAtRisk(voucher: VoucherOfTill, branch: string): Promise<OfferResult> {
    const { database, clocks, prove } = this.#ports
    const { code, serial } = voucher
    const allowance = await checkAllowanceClock(database, clocks)
    const now = clocks.wall()
    const lack = allowanceLack(allowance, branch, now, 0)
    if (lack) return notBy(allowance, lack)
    if (code === undefined) return notBy(allowance, 'unsigned')
    const today = singaporeDay(new Date(serverTimeByGrant(allowance.granted!, now)))
    const proof = await prove(code, { today, now })
    if (proof.is === 'not') return notBy(allowance, proof.why)
    const { denomination_cents, expires_on } = proof
    if (proof.serial !== serial) return notBy(allowance, 'forged')
    const before = await beforeHere(allowance, database, serial)
    if (before) return before
    const beyond = allowanceLack(allowance, branch, clocks.wall(), denomination_cents)
    if (beyond) return notBy(allowance, beyond)
    const meter = allowanceMeter(allowance)!
    return { is: 'offer', offer: { ...voucher, code, branch, denomination_cents, expires_on, meter } }
  }

  /**
   * Accepts the voucher. Resolves when row, count and clock have reached the disk, all or none: from then on the till reports it
   * until the server gives its outcome.
   */
  async accept(offer: Offer): Promise<AcceptResult> {
    const { database, withRoom, wake } = this.#ports
    const { vouchers, allowance } = database
    const write = () => database.transaction('rw', vouchers, allowance, async () => this.#writeDown(offer))
    try {
      const accepted = await withRoom(write)
      if (accepted.is === 'accepted') wake()
      return accepted
    } catch {
      return { is: 'offer', offer, unstored: true }
    }
  }

  async #writeDown(offer: Offer): Promise<AcceptResult> {
    const { database, clocks } = this.#ports
    const { serial, branch, denomination_cents, expires_on } = offer
    const allowance = await checkAllowanceClock(database, clocks)
    const wall = clocks.wall()
    const lack = allowanceLack(allowance, branch, wall, denomination_cents)
    if (lack) return notBy(allowance, lack)
    const before = await beforeHere(allowance, database, serial)
    if (before) return before
    const at = new Date(serverTimeByGrant(allowance.granted!, wall))
    if (singaporeDay(at) > expires_on) return notBy(allowance, 'expired')
    const row = rowOf(offer, allowance.granted!.grant, { wall, at })
    await database.vouchers.add(row)
    await database.allowance.put({ ...allowance, total_cents: allowance.total_cents + denomination_cents })
    return { is: 'accepted', row }
  }
}

/** Returns the reason with the meter, or `none` if the shop has not chosen to accept vouchers without a check. */
const notBy = (allowance: Allowance, why: NotAccepted | 'no rules'): Exclude<OfferResult, { is: 'offer' }> =>
  why === 'no rules' ? { is: 'none' } : { is: 'not', why, meter: allowanceMeter(allowance) }

/** The states of vouchers that this device has taken. */
const HAD: readonly TillState[] = ['confirmed', 'accepted', 'receipted', 'attention', 'lost']

/**
 * True if this device has taken it. A redemption that is being voided counts too: it may have arrived, and the server would find
 * the voucher used.
 */
const wasHad = (row: TillRow) => HAD.includes(row.state) || (row.state === 'cancelling' && isVoiding(row))

async function beforeHere(allowance: Allowance, database: TillDatabase, serial: string) {
  const rows = await tillRowsBySerial(database, serial)
  const row = rows.findLast(wasHad)
  if (row) return { is: 'known', row } as const
  return rows.some(({ state }) => state === 'held') ? notBy(allowance, 'held') : undefined
}

/** The new row. It has no hold: its right to report to the server is that of the grant. */
function rowOf(
  { owner, owner_name, till, serial, code, denomination_cents, expires_on }: Offer,
  { id: grant, secret }: { id: string; secret: string },
  { wall, at }: { wall: number; at: Date },
): TillRow {
  return {
    id: uuidv7(),
    secret,
    owner,
    owner_name,
    till,
    serial,
    code,
    denomination_cents,
    expires_on,
    state: 'accepted',
    askedAt: wall,
    confirmedAt: wall,
    accepted: { grant, tapped_at: at.toISOString() },
    sent: false,
    attempts: 0,
    nextAt: 0,
    seen: false,
  }
}
