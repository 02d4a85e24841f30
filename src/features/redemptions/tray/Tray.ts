import { LIMITS } from '../../../contract/limits.ts'
import { takenOff, vouchersForBill } from '../../../domain/bill.ts'
import { isSignedVoucher } from '../../../domain/signedVouchers.ts'
import { singaporeDay } from '../../../domain/singaporeTime.ts'
import { scanProblem, serialFromScan, type ScanProblem } from '../../../domain/vouchers.ts'
import type { AcceptResult, Offer, OfferResult } from '../../../offline/allowance/Acceptance.ts'
import type { CheckResult, ConfirmResult, NewVoucher, Till } from '../../../offline/redemptions/Till.ts'
import type { VoucherOfTill } from '../../../offline/redemptions/tillHold.ts'
import { sumCents, type Refusal, type TillRow } from '../../../offline/store/till.ts'

/** A scanned or typed voucher: its serial and, if it is signed, its whole code. */
interface Scan {
  serial: string
  code?: string | undefined
}

/** One row of the tray: a voucher that the customer handed over, and its state. */
export type TrayRow = Scan & { key: string } & RowState

type RowState =
  /** Waits for the branch's PIN: the server checks it before it says anything about the voucher (rule 6.2). */
  | { is: 'pin'; problem?: Refusal }
  | { is: 'checking' }
  /** On hold for this till. */
  | { is: 'good'; held: TillRow }
  /** Our server does not answer, and the shop may accept the voucher at its own risk. */
  | { is: 'offer'; offer: Offer }
  /** This device has taken it before (rule 9.12). */
  | { is: 'known'; taken: TillRow }
  | { is: 'refused'; refused: Refusal }
  /** Our server does not answer, and this device may not accept the voucher without a check. */
  | { is: 'not accepted'; result: Extract<OfferResult, { is: 'not' }> }
  | { is: 'not checked'; why: 'connectivity' | 'answered' | 'unstored' | 'over' }
  /** The till already has as many open vouchers as it may hold (rule 9.8). */
  | { is: 'full' }
  | { is: 'unread'; scanned: string; why: ScanProblem }

export type RedeemableRow = Extract<TrayRow, { is: 'good' | 'offer' }>

/** The vouchers of one press of Redeem, while their verdict is on the screen. */
export interface Redeemed {
  /** Ids of this device's rows. The verdict reads them from the disk, so it is never shown before they are stored (rule 9.11). */
  ids: readonly string[]
  /** The bill before that press, in cents; undefined if the cashier typed none. */
  bill: number | undefined
}

export interface TrayState {
  /** In the order of the scans. */
  rows: readonly TrayRow[]
  /** The bill, in cents; undefined if the cashier typed none. */
  bill: number | undefined
  /** True while the vouchers are being redeemed. */
  isActing: boolean
  /** True if the device has no room for a redemption: nothing was redeemed. */
  isUnstored: boolean
  redeemed: Redeemed | undefined
  /** Set when a scanned voucher is already in the tray. */
  rescan: { key: string; times: number } | undefined
}

export interface TrayPorts {
  till: () => Promise<Pick<Till, 'verify' | 'confirm' | 'cancel' | 'mayStillConfirm' | 'takeUp'>>
  offerAtRisk: (voucher: VoucherOfTill, branch: string, needsPin: boolean) => Promise<OfferResult>
  acceptAtRisk: (offer: Offer) => Promise<AcceptResult>
  isDown: () => boolean
  /** The number of this device's vouchers that wait for a decision or for the server. */
  openRows: () => Promise<number>
  /** Resolves when the server has answered for all of these rows, or after a short time. */
  untilAnswered: (ids: readonly string[]) => Promise<void>
  /** The bill stored on the device, with the vouchers that it was typed for. It survives a dead battery. */
  bill: { read: () => StoredBill | undefined; write: (bill: StoredBill) => void }
}

interface StoredBill {
  cents: number | null
  /** Ids of the vouchers that were on hold when the bill was stored. */
  ids: string[]
}

/** The cashier who fills the tray, with the till and the branch. */
export interface Cashier extends Pick<NewVoucher, 'owner' | 'owner_name' | 'till'> {
  branch: string
  /** True if the branch requires a PIN. */
  needsPin: boolean
}

/** Refusals of the PIN, not of the voucher: the cashier types the PIN again. */
const PIN_CODES = ['PIN_REQUIRED', 'PIN_WRONG']

const EMPTY: TrayState = {
  rows: [],
  bill: undefined,
  isActing: false,
  isUnstored: false,
  redeemed: undefined,
  rescan: undefined,
}

/**
 * Holds the vouchers that one customer hands over. Each scan is checked at once, and one press of Redeem takes all good vouchers.
 * A row leaves the tray when it is redeemed or given back.
 */
export class Tray {
  #state = EMPTY
  readonly #listeners = new Set<() => void>()
  readonly #ports: TrayPorts
  #cashier: Cashier
  /** The PIN for the vouchers of this tray; it is neither stored nor shown. */
  #pin: string | undefined
  #isPinRight = false
  #lastKey = 0
  /** The day of the last scan, or of the reload after it. */
  #day = ''

  constructor(cashier: Cashier, ports: TrayPorts) {
    this.#cashier = cashier
    this.#ports = ports
  }

  readonly state = (): TrayState => this.#state

  readonly subscribe = (changed: () => void) => {
    this.#listeners.add(changed)
    return () => void this.#listeners.delete(changed)
  }

  /** Sets the cashier again after the till or a rule of the branch has changed. */
  setCashier(cashier: Cashier): void {
    this.#cashier = cashier
  }

  /**
   * Adds a scan: a serial, its QR text, the whole code of a signed voucher, or any other text. A scan after a verdict is the
   * first voucher of the next customer.
   */
  scan(scanned: string): void {
    if (this.#state.isActing) return
    const today = singaporeDay(new Date())
    // A customer of an earlier day has left, and the bill must not pass to the next one.
    const hasLeft = this.#day !== today && !this.#state.rows.some(({ is }) => IN_HAND.includes(is))
    if (this.#state.redeemed || hasLeft) this.clear()
    this.#day = today
    const why = scanProblem(scanned)
    const scan = why ? { serial: serialFromScan(scanned) } : scanOf(scanned)
    const sameVoucher = this.#state.rows.find(({ serial }) => serial === scan.serial)
    if (sameVoucher && IN_HAND.includes(sameVoucher.is)) {
      this.#set({ rescan: { key: sameVoucher.key, times: (this.#state.rescan?.times ?? 0) + 1 } })
      return
    }
    this.#lastKey += 1
    const row = { ...scan, key: `${this.#lastKey}` }
    // A new scan replaces the row of a scan that could not be read.
    const others = this.#state.rows.filter((other) => other !== sameVoucher && other.is !== 'unread')
    if (why) return this.#set({ rows: [...others, { ...row, is: 'unread', scanned, why }] })
    const isWithoutPin = this.#cashier.needsPin && this.#pin === undefined
    this.#set({ rows: [...others, { ...row, is: isWithoutPin ? 'pin' : 'checking' }], isUnstored: false })
    if (!isWithoutPin) void this.#check(row)
  }

  /** Tries the PIN for the first voucher, then for the others: a wrong PIN counts once, however many vouchers wait. */
  async enterPin(pin: string): Promise<void> {
    this.#pin = pin
    for (const row of this.#state.rows.filter(({ is }) => is === 'pin')) {
      if (this.#pin === undefined || !this.#changeState(row.key, { is: 'checking' })) continue
      const checked = this.#check(row)
      if (!this.#isPinRight) await checked
    }
  }

  /** Removes the vouchers that wait for the PIN, because the cashier does not have it. */
  cancelPin(): void {
    this.#set({ rows: this.#state.rows.filter(({ is }) => is !== 'pin') })
  }

  /** Removes a row from the tray and cancels its hold, so that another till may hold the voucher. */
  giveBack(key: string): void {
    const row = this.#state.rows.find((one) => one.key === key)
    if (!row || this.#state.isActing) return
    this.#set({ rows: this.#state.rows.filter((one) => one !== row), isUnstored: false })
    void this.#cancelHolds([row])
  }

  /** Empties the tray and cancels all its holds. */
  clear(): void {
    if (this.#state.isActing) return
    void this.#cancelHolds(this.#state.rows)
    this.#set(EMPTY)
  }

  /** Sets the bill, in cents. */
  setBill(bill: number | undefined): void {
    this.#set({ bill })
  }

  /** Closes the verdict. Vouchers that were not redeemed stay in the tray, with the rest of the bill. */
  closeVerdict(): void {
    this.#set({ redeemed: undefined })
  }

  /** Puts back the vouchers that this cashier still has on hold on this device, after the page was reloaded or left. */
  async takeUp(): Promise<void> {
    const held = await this.#ports.till().then((till) => till.takeUp(this.#cashier.owner))
    const known = new Set(this.#state.rows.map(({ serial }) => serial))
    const rows = held
      .filter(({ serial }) => !known.has(serial))
      .map((row): TrayRow => {
        const { serial, code } = scanOf(row.code ?? row.serial)
        return { key: row.id, serial, code, is: 'good', held: row }
      })
    if (rows.length === 0) return
    this.#day = singaporeDay(new Date())
    const stored = this.#ports.bill.read()
    const bill = stored?.ids.some((id) => held.some((row) => row.id === id)) ? (stored.cents ?? undefined) : undefined
    this.#set({ rows: [...rows, ...this.#state.rows], bill: this.#state.bill ?? bill })
  }

  /** Cancels the holds whose ten minutes are over. The rows stay and say so. */
  async endHolds(): Promise<void> {
    const till = await this.#ports.till()
    const over = this.#state.rows.filter((row) => row.is === 'good' && !till.mayStillConfirm(row.held.id))
    // While vouchers are being redeemed, their outcome decides.
    if (this.#state.isActing) return
    for (const { key } of over) this.#changeState(key, { is: 'not checked', why: 'over' })
    await this.#cancelHolds(over)
  }

  /**
   * Redeems the vouchers that the bill needs. Resolves when they are stored on the disk and the server has answered, or after a
   * short time. A voucher that could not be redeemed stays in the tray with its reason. A voucher that the bill did not need is
   * given back.
   */
  async redeem(): Promise<void> {
    const { rows, bill, isActing } = this.#state
    const chosen = chosenRows(this.#state)
    if (isActing || chosen.length === 0 || isChecking(this.#state)) return
    // A double tap must not redeem twice, and nothing may be scanned meanwhile.
    this.#set({ isActing: true, isUnstored: false })
    try {
      const outcomes = await this.#redeemRows(chosen)
      const taken = outcomes.filter(({ id }) => id !== undefined).map(({ row }) => row)
      const ids = outcomes.flatMap(({ id }) => id ?? [])
      const failed = outcomes.flatMap(({ became }) => became ?? [])
      if (ids.length === 0) {
        const became = new Map(failed.map((row) => [row.key, row]))
        this.#set({ isActing: false, rows: rows.map((row) => became.get(row.key) ?? row) })
        return
      }
      // Stored before the wait: a page reloaded meanwhile must find neither a paid bill nor a voucher that the bill did not need.
      this.#ports.bill.write({ cents: null, ids: [] })
      void this.#cancelHolds(rows.filter((row) => !chosen.some((one) => one === row)))
      await this.#ports.untilAnswered(ids)
      const rest = bill === undefined ? undefined : bill - takenOff(bill, sumOfRows(taken)).off
      this.#set({ isActing: false, rows: failed, bill: rest, redeemed: { ids, bill } })
    } finally {
      if (this.#state.isActing) this.#set({ isActing: false })
    }
  }

  /** Redeems the vouchers on hold all at once, then accepts those at the shop's risk one by one. */
  async #redeemRows(chosen: readonly RedeemableRow[]): Promise<Outcome[]> {
    const held = chosen.filter((row) => row.is === 'good')
    const confirmed =
      held.length === 0
        ? new Map<string, never>()
        : await (await this.#ports.till()).confirm(held.map((row) => row.held.id))
    const outcomes: Outcome[] = []
    for (const row of chosen) {
      if (row.is === 'good') outcomes.push(this.#outcomeOf(row, confirmed.get(row.held.id)!))
      else outcomes.push(await this.#accept(row))
    }
    return outcomes
  }

  #outcomeOf(row: RedeemableRow, confirmed: ConfirmResult): Outcome {
    switch (confirmed.is) {
      case 'confirmed':
        return { row, id: confirmed.row.id }
      case 'known':
        return { row, became: { ...withoutState(row), is: 'known', taken: confirmed.row } }
      case 'over':
        return { row, became: { ...withoutState(row), is: 'not checked', why: 'over' } }
      case 'unstored':
        this.#set({ isUnstored: true })
        return { row, became: row }
    }
  }

  /** Accepts a voucher at the shop's risk. If there is a connection by now, the server checks the voucher instead. */
  async #accept(row: Extract<TrayRow, { is: 'offer' }>): Promise<Outcome> {
    const accepted = async (offer: Offer): Promise<Outcome> => {
      const result = await this.#ports.acceptAtRisk(offer)
      if (result.is === 'accepted') return { row, id: result.row.id }
      if (result.is === 'offer') this.#set({ isUnstored: result.unstored === true })
      return { row, became: { ...withoutState(row), ...rowStateOfOffer(result) } }
    }
    if (this.#ports.isDown()) return accepted(row.offer)
    const became = await this.#verify(row)
    if (became.is === 'offer') return accepted(became.offer)
    if (became.is !== 'good') return { row, became: { ...withoutState(row), ...became } }
    const till = await this.#ports.till()
    return this.#outcomeOf(row, (await till.confirm([became.held.id])).get(became.held.id)!)
  }

  async #check(row: Scan & { key: string }): Promise<void> {
    const became = await this.#verify(row).catch(() => ({ is: 'not checked', why: 'unstored' }) as const)
    if (became.is === 'pin') this.#pin = undefined
    // The server checks the PIN first, so any verdict on the voucher proves that the PIN is right.
    this.#isPinRight = this.#pin !== undefined && (became.is === 'good' || became.is === 'refused')
    const hasLeft = !this.#changeState(row.key, became)
    if (hasLeft && became.is === 'good') void this.#cancelHolds([{ ...withoutState(row), ...became }])
  }

  async #verify({ serial, code }: Scan): Promise<RowState> {
    const { branch, needsPin, ...owner } = this.#cashier
    const { rows } = this.#state
    if (rows.filter(isRedeemable).length >= LIMITS.openHolds || (await this.#ports.openRows()) >= LIMITS.openHolds)
      return { is: 'full' }
    const voucher = { ...owner, serial, ...(code === undefined ? {} : { code }) }
    const till = await this.#ports.till()
    const asked = await till.verify({ ...voucher, ...(this.#pin === undefined ? {} : { pin: this.#pin }) })
    // A voucher may be accepted without a check only if nothing answers at all.
    const isSilent = asked.is === 'no answer' && !asked.answered
    return isSilent ? rowStateOfOffer(await this.#ports.offerAtRisk(voucher, branch, needsPin)) : rowStateOfCheck(asked)
  }

  async #cancelHolds(rows: readonly TrayRow[]): Promise<void> {
    const held = rows.filter((row) => row.is === 'good')
    if (held.length === 0) return
    const till = await this.#ports.till()
    for (const row of held) await till.cancel(row.held.id)
  }

  /** Changes a row's state. Returns false if the row has left the tray. */
  #changeState(key: string, became: RowState): boolean {
    if (!this.#state.rows.some((row) => row.key === key)) return false
    this.#set({ rows: this.#state.rows.map((row) => (row.key === key ? { ...withoutState(row), ...became } : row)) })
    return true
  }

  #set(change: Partial<TrayState>) {
    const before = this.#state
    this.#state = { ...before, ...change }
    // An empty tray is for the next customer, who has another bill. The PIN is asked for again.
    if (this.#state.rows.length === 0) {
      this.#state = { ...this.#state, bill: undefined }
      this.#pin = undefined
      this.#isPinRight = false
    }
    if (before.bill !== this.#state.bill || before.rows !== this.#state.rows) this.#storeBill(before.bill)
    for (const changed of this.#listeners) changed()
  }

  #storeBill(before: number | undefined) {
    const { bill, rows } = this.#state
    const ids = rows.flatMap((row) => (row.is === 'good' ? row.held.id : []))
    if (bill !== undefined || before !== undefined) this.#ports.bill.write({ cents: bill ?? null, ids })
  }
}

/** The result for one voucher after a press of Redeem. */
interface Outcome {
  row: RedeemableRow
  /** The id of the device's row, if the voucher was redeemed or accepted. */
  id?: string
  /** The row that stays in the tray otherwise. */
  became?: TrayRow
}

const scanOf = (scanned: string): Scan => ({
  serial: serialFromScan(scanned),
  ...(isSignedVoucher(scanned) && { code: scanned.trim() }),
})

/** The row without its state. */
const withoutState = ({ key, serial, code }: Scan & { key: string }) => ({ key, serial, code })

/** States in which a second scan of the voucher changes nothing. In any other state the voucher is checked again. */
const IN_HAND: readonly TrayRow['is'][] = ['pin', 'checking', 'good', 'offer']

export const isRedeemable = (row: TrayRow): row is RedeemableRow => row.is === 'good' || row.is === 'offer'

export const isChecking = ({ rows }: Pick<TrayState, 'rows'>): boolean => rows.some(({ is }) => is === 'checking')

/** Returns the value of a row, in cents. */
const centsOf = (row: RedeemableRow): number =>
  row.is === 'good' ? sumCents([row.held]) : row.offer.denomination_cents

/** Returns the value of the rows, in cents. */
export const sumOfRows = (rows: readonly RedeemableRow[]): number => rows.reduce((sum, row) => sum + centsOf(row), 0)

/** Returns the vouchers that Redeem takes: those that the bill needs, or all redeemable ones without a bill. */
export function chosenRows({ rows, bill }: Pick<TrayState, 'rows' | 'bill'>): RedeemableRow[] {
  const redeemable = rows.filter(isRedeemable)
  return vouchersForBill(bill, redeemable.map(centsOf)).map((place) => redeemable[place]!)
}

function rowStateOfOffer(result: AcceptResult): Exclude<RowState, { is: 'good' }> {
  switch (result.is) {
    case 'offer':
      return { is: 'offer', offer: result.offer }
    case 'not':
      return { is: 'not accepted', result }
    case 'accepted':
    case 'known':
      return { is: 'known', taken: result.row }
    case 'none':
      return { is: 'not checked', why: 'connectivity' }
  }
}

function rowStateOfCheck(asked: CheckResult): RowState {
  switch (asked.is) {
    case 'held':
      return { is: 'good', held: asked.row }
    case 'known':
      return { is: 'known', taken: asked.row }
    case 'unstored':
      return { is: 'not checked', why: 'unstored' }
    case 'no answer':
      return { is: 'not checked', why: asked.answered ? 'answered' : 'connectivity' }
    case 'refused':
      return PIN_CODES.includes(asked.refused.code)
        ? { is: 'pin', problem: asked.refused }
        : { is: 'refused', refused: asked.refused }
  }
}
