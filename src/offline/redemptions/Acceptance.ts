import { v7 as uuidv7 } from 'uuid'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import type { Allowance, TillDatabase, TillRow, TillState } from '../store/till.ts'
import {
  allowanceLack,
  meterOf,
  readAllowance,
  timeOfGrant,
  voucherLack,
  type AllowanceLack,
  type Meter,
} from './allowance.ts'
import type { TillPorts } from './Till.ts'
import { sha256Hex, startedNow, wentBack, type Started, type VoucherOfTill } from './tillHold.ts'
import { tillRowsBySerial } from './tillRows.ts'
import type { proveVoucher, VoucherProof } from './voucherProof.ts'

export interface AcceptancePorts extends Pick<TillPorts, 'database' | 'clocks' | 'withRoom' | 'wake'> {
  /** Whether a code proves itself, on this device alone. */
  prove: typeof proveVoucher
}

/** A voucher that may be accepted at the shop's risk, if the cashier wants to. */
export interface Offer extends VoucherOfTill {
  code: string
  branch: string
  denomination_cents: number
  expires_on: string
  meter: Meter
}

/**
 * Why a voucher that cannot be checked is not accepted either. `unsigned`: it cannot prove itself. `chosen`: the connection is only bad,
 * and this one has to wait for it. `known`: this device has had it before. `held`: another tab has it in hand. `keys`, `filter`: this
 * device lacks what it proves with.
 */
export type NotAccepted =
  | AllowanceLack
  | 'unsigned'
  | 'chosen'
  | Before
  | Extract<VoucherProof, { is: 'refused' }>['why']
  | Extract<VoucherProof, { is: 'unready' }>['missing']

type Before = 'known' | 'held'

type Not = { is: 'not'; why: NotAccepted; meter?: Meter | undefined }

export type Offered = { is: 'offer'; offer: Offer } | Not

/** `meter`: what is left after it. */
export type Accepted = { is: 'accepted'; row: TillRow; meter: Meter | undefined } | { is: 'unstored' } | Not

/**
 * What a till does with a voucher that the server cannot check now (decision 0093): it offers to accept it at the shop's risk, within what
 * the server has granted, and writes that down.
 */
export class Acceptance {
  readonly #ports: AcceptancePorts
  /** What this page knows of its clock, under which grant: a new grant brings the server's time. */
  #started: { grant: string; at: Started } | undefined

  constructor(ports: AcceptancePorts) {
    this.#ports = ports
  }

  /** Whether the voucher may be accepted. `isDown`: there is no connection at all, not only a bad one. Throws what IndexedDB throws. */
  async offer(voucher: VoucherOfTill, branch: string, isDown: boolean): Promise<Offered> {
    const { database, clocks, prove } = this.#ports
    const allowance = await readAllowance(database)
    const meter = meterOf(allowance)
    const lack = this.#lack(allowance, branch)
    if (lack || !allowance.granted || !meter) return { is: 'not', why: lack ?? 'none', meter }
    const { code, serial } = voucher
    if (code === undefined) return { is: 'not', why: 'unsigned', meter }
    const now = clocks.wall()
    const proof = await prove(code, { today: singaporeDay(new Date(timeOfGrant(allowance.granted, now))), now })
    if (proof.is !== 'genuine') return { is: 'not', why: lackOfProof(proof), meter }
    if (proof.serial !== serial) return { is: 'not', why: 'forged', meter }
    const before = await beforeHere(database, serial)
    if (before) return { is: 'not', why: before, meter }
    const over = voucherLack(allowance, branch, clocks.wall(), proof.denomination_cents)
    if (over) return { is: 'not', why: over, meter }
    const { id, check_one_in } = allowance.granted.grant
    if (!isDown && (await isChosen(id, serial, check_one_in))) return { is: 'not', why: 'chosen', meter }
    const { denomination_cents, expires_on } = proof
    return { is: 'offer', offer: { ...voucher, code, branch, denomination_cents, expires_on, meter } }
  }

  /**
   * Accepts it. Resolves when row, count and clock have reached the disk, all or none: from here on the server is told until it says what
   * became of it.
   */
  async accept(offer: Offer): Promise<Accepted> {
    const { database, withRoom, wake } = this.#ports
    const { vouchers, allowance } = database
    const write = () => database.transaction('rw', vouchers, allowance, async () => this.#writeDown(offer))
    try {
      const accepted = await withRoom(write)
      if (accepted.is === 'accepted') wake()
      return accepted
    } catch {
      return { is: 'unstored' }
    }
  }

  async #writeDown(offer: Offer): Promise<Accepted> {
    const { database, clocks } = this.#ports
    const allowance = await readAllowance(database)
    const why = (await beforeHere(database, offer.serial)) ?? this.#lackOf(allowance, offer)
    if (why || !allowance.granted) return { is: 'not', why: why ?? 'none', meter: meterOf(allowance) }
    const wall = clocks.wall()
    const row = rowOf(offer, allowance, wall)
    const counted = { ...allowance, total_cents: row.accepted!.total_cents, clock: Math.max(allowance.clock, wall) }
    await database.vouchers.add(row)
    await database.allowance.put(counted)
    return { is: 'accepted', row, meter: meterOf(counted) }
  }

  #lackOf(allowance: Allowance, { branch, denomination_cents, expires_on }: Offer): NotAccepted | undefined {
    const wall = this.#ports.clocks.wall()
    const lack = this.#lack(allowance, branch) ?? voucherLack(allowance, branch, wall, denomination_cents)
    if (lack || !allowance.granted) return lack
    return singaporeDay(new Date(timeOfGrant(allowance.granted, wall))) > expires_on ? 'expired' : undefined
  }

  /** By both clocks: while a page lives, it notices at once when the wall clock goes back. */
  #lack(allowance: Allowance, branch: string): AllowanceLack | undefined {
    const { clocks } = this.#ports
    const lack = allowanceLack(allowance, branch, clocks.wall())
    if (lack || !allowance.granted) return lack
    const grant = allowance.granted.grant.id
    if (this.#started?.grant !== grant) this.#started = { grant, at: startedNow(clocks) }
    return wentBack(clocks, this.#started.at) ? 'clock' : undefined
  }
}

function lackOfProof(proof: Exclude<VoucherProof, { is: 'genuine' }>): NotAccepted {
  if (proof.is === 'unsigned') return 'unsigned'
  return proof.is === 'refused' ? proof.why : proof.missing
}

/** What this device has had, and what became of it, or will. */
const HAD: readonly TillState[] = ['confirmed', 'accepted', 'receipted', 'attention', 'lost']

async function beforeHere(database: TillDatabase, serial: string): Promise<Before | undefined> {
  const rows = await tillRowsBySerial(database, serial)
  if (rows.some(({ state }) => HAD.includes(state))) return 'known'
  return rows.some(({ state }) => state === 'held') ? 'held' : undefined
}

/** By chance, but the same however often somebody tries: nobody but the server knows the id of the grant before. */
async function isChosen(grant: string, serial: string, oneIn: number): Promise<boolean> {
  if (oneIn === 0) return false
  return Number.parseInt((await sha256Hex(`${grant} ${serial}`)).slice(0, 8), 16) % oneIn === 0
}

function rowOf(offer: Offer, { granted, total_cents }: Allowance, wall: number): TillRow {
  const { owner, owner_name, till, serial, code, denomination_cents, expires_on } = offer
  const { id: grant, secret } = granted!.grant
  return {
    id: uuidv7(),
    // There is no hold: the right to say so is that of its grant.
    secret,
    owner,
    owner_name,
    till,
    serial,
    code,
    state: 'accepted',
    askedAt: wall,
    confirmedAt: wall,
    denomination_cents,
    expires_on,
    accepted: {
      grant,
      total_cents: total_cents + denomination_cents,
      tapped_at: new Date(timeOfGrant(granted!, wall)).toISOString(),
    },
    sent: false,
    attempts: 0,
    nextAt: 0,
    seen: false,
  }
}
