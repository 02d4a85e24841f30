import { v7 as uuidv7 } from 'uuid'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import type { TillPorts } from '../redemptions/Till.ts'
import type { VoucherOfTill } from '../redemptions/tillHold.ts'
import { tillRowsBySerial } from '../redemptions/tillRows.ts'
import { isVoiding, type Allowance, type TillDatabase, type TillRow, type TillState } from '../store/till.ts'
import {
  findAllowanceDenial,
  checkAllowanceClock,
  allowanceMeter,
  serverTimeByGrant,
  type AllowanceDenial,
  type AllowanceMeter,
} from './allowance.ts'
import type { ProofFailure, proveVoucher } from './voucherProof.ts'

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

/** Why the till may not accept a voucher that it cannot check. `held`: another tab has this voucher in hand. */
type NotAcceptedReason = Exclude<AllowanceDenial, 'no rules'> | ProofFailure | 'held'

type NotOffered = { is: 'not'; why: NotAcceptedReason; meter?: AllowanceMeter | undefined }

/**
 * The result for a voucher that the server cannot check.
 *
 * - `known`: this device has already taken the voucher
 * - `none`: the shop accepts no vouchers without a check
 * - `unstored`: the voucher was not accepted, because this device could not store the acceptance
 */
export type OfferResult =
  | { is: 'offer'; offer: Offer; unstored?: true }
  | { is: 'known'; row: TillRow }
  | NotOffered
  | { is: 'none' }

export type AcceptResult = { is: 'accepted'; row: TillRow } | OfferResult

/**
 * Handles a voucher that the server cannot check now (decision 0092): offers to accept it at the shop's risk, within the server's
 * grant, and stores the acceptance.
 */
export class Acceptance {
  readonly #ports: AcceptancePorts

  constructor(ports: AcceptancePorts) {
    this.#ports = ports
  }

  /** Returns an offer if the voucher may be accepted, otherwise the reason why it may not. Throws IndexedDB errors. */
  async offerAtRisk(voucher: VoucherOfTill, branch: string): Promise<OfferResult> {
    const { database, clocks, prove } = this.#ports
    const { code, serial } = voucher
    const allowance = await checkAllowanceClock(database, clocks)
    const now = clocks.wall()
    const denial = findAllowanceDenial(allowance, branch, now, 0)
    if (denial) return denyOffer(allowance, denial)
    if (code === undefined) return denyOffer(allowance, 'unsigned')
    const today = singaporeDay(new Date(serverTimeByGrant(allowance.granted!, now)))
    const proof = await prove(code, { today, now })
    if (proof.is === 'not') return denyOffer(allowance, proof.why)
    const { denomination_cents, expires_on } = proof
    if (proof.serial !== serial) return denyOffer(allowance, 'forged')
    const earlier = await findEarlierHere(allowance, database, serial)
    if (earlier) return earlier
    const limitDenial = findAllowanceDenial(allowance, branch, clocks.wall(), denomination_cents)
    if (limitDenial) return denyOffer(allowance, limitDenial)
    const meter = allowanceMeter(allowance)!
    return { is: 'offer', offer: { ...voucher, code, branch, denomination_cents, expires_on, meter } }
  }

  /**
   * Accepts the voucher. Writes row, sum and clock in one transaction, and resolves when they are on the disk. From then on the
   * till reports the acceptance until the server has answered with its outcome.
   */
  async accept(offer: Offer): Promise<AcceptResult> {
    const { database, withRoom, wake } = this.#ports
    const { vouchers, allowance } = database
    const write = () => database.transaction('rw', vouchers, allowance, async () => this.#storeAcceptance(offer))
    try {
      const accepted = await withRoom(write)
      if (accepted.is === 'accepted') wake()
      return accepted
    } catch {
      return { is: 'offer', offer, unstored: true }
    }
  }

  async #storeAcceptance(offer: Offer): Promise<AcceptResult> {
    const { database, clocks } = this.#ports
    const { serial, branch, denomination_cents, expires_on } = offer
    const allowance = await checkAllowanceClock(database, clocks)
    const wall = clocks.wall()
    const denial = findAllowanceDenial(allowance, branch, wall, denomination_cents)
    if (denial) return denyOffer(allowance, denial)
    const earlier = await findEarlierHere(allowance, database, serial)
    if (earlier) return earlier
    const at = new Date(serverTimeByGrant(allowance.granted!, wall))
    if (singaporeDay(at) > expires_on) return denyOffer(allowance, 'expired')
    const row = makeAcceptedRow(offer, allowance.granted!.grant, { wall, at })
    await database.vouchers.add(row)
    await database.allowance.put({ ...allowance, total_cents: allowance.total_cents + denomination_cents })
    return { is: 'accepted', row }
  }
}

/** Returns the reason with the meter, or `none` if the shop accepts no vouchers without a check. */
const denyOffer = (allowance: Allowance, why: NotAcceptedReason | 'no rules'): Exclude<OfferResult, { is: 'offer' }> =>
  why === 'no rules' ? { is: 'none' } : { is: 'not', why, meter: allowanceMeter(allowance) }

const TAKEN_STATES: readonly TillState[] = ['confirmed', 'accepted', 'receipted', 'attention', 'lost']

/**
 * True if this device has taken the voucher. A redemption that is being voided also counts: the server may have recorded it, and
 * would then find the voucher used.
 */
const wasTaken = (row: TillRow) => TAKEN_STATES.includes(row.state) || (row.state === 'cancelling' && isVoiding(row))

async function findEarlierHere(allowance: Allowance, database: TillDatabase, serial: string) {
  const rows = await tillRowsBySerial(database, serial)
  const row = rows.findLast(wasTaken)
  if (row) return { is: 'known', row } as const
  return rows.some(({ state }) => state === 'held') ? denyOffer(allowance, 'held') : undefined
}

/** Makes the row of an accepted voucher. It has no hold, so the secret of the grant gives the right to report it. */
function makeAcceptedRow(
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
