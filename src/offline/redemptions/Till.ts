import type { VerifiedVoucher } from '../../contract/redemptions/redeem.ts'
import type { TillWire, WireAnswer } from '../../domain/TillWire.ts'
import { DUE_NOW } from '../store/retryState.ts'
import {
  isVoiding,
  needsAttention,
  type Refusal,
  type TillDatabase,
  type TillRow,
  type TillState,
} from '../store/till.ts'
import {
  mayConfirm,
  newHold,
  clocksAt,
  readClocks,
  type Clocks,
  type PageLocks,
  type ClockReading,
  type VoucherOfTill,
} from './tillHold.ts'
import {
  findAcceptedMeanwhile,
  changeTillRow,
  confirmableRows,
  confirmHeld,
  tillDatabaseExists,
  readTillRow,
  rowsInStates,
  tillRowsByIds,
  tillRowsBySerial,
} from './tillRows.ts'

export interface TillPorts {
  database: TillDatabase
  wire: TillWire
  clocks: Clocks
  locks: PageLocks
  /** Stores something. On a full device it tries to make room first. */
  withRoom: <T>(write: () => PromiseLike<T>) => Promise<T>
  /** Tells the queue that a row waits for the server. */
  wake: () => void
  /** Tells the server about one voucher now, even if it was put off. */
  sendNow: (id: string) => Promise<void>
}

export interface NewVoucher extends VoucherOfTill {
  pin?: string
}

/**
 * The result of verifying a voucher. After `no answer` the voucher's state is unknown, and this till has not taken it. `answered`
 * is true if our server did answer, so that the connection is not at fault.
 */
export type CheckResult =
  | { is: 'held'; row: TillRow }
  /** This device took the voucher before, so the server is not asked to verify it (rule 9.12). */
  | { is: 'known'; row: TillRow }
  | { is: 'refused'; refused: Refusal }
  | { is: 'no answer'; answered: boolean }
  /** The request was not sent, because the device cannot store it. */
  | { is: 'unstored' }

/** `known`: another tab has meanwhile accepted the voucher without a check. `over`: its ten minutes are over. */
export type ConfirmResult =
  | { is: 'confirmed'; row: TillRow }
  | { is: 'known'; row: TillRow }
  | { is: 'over' }
  | { is: 'unstored' }
export type VoidResult =
  | { is: 'cancelled' }
  | { is: 'voided' }
  | { is: 'refused'; refused: Refusal }
  | { is: 'no answer' }
  | { is: 'unstored' }

/**
 * The state machine of a counter (rule 9.10), as one page sees the device's vouchers. Every step is on the disk before the next one
 * begins, and the screen shows what is on the disk.
 */
export class Till {
  /** The vouchers that this page has in hand, each with the time of its request. This page can confirm only these. */
  readonly #inHand = new Map<string, ClockReading>()

  /** Resolves when this page has taken up the vouchers that another page left. Before that, none of them may be given back. */
  #takingUp: Promise<unknown> = Promise.resolve()

  /** The held vouchers whose page is missing, each with the monotonic time at which this page first noticed that. */
  #missing = new Map<string, number>()

  readonly #ports: TillPorts

  constructor(ports: TillPorts) {
    this.#ports = ports
  }

  /** Asks the server to hold one voucher for this till. After a lost answer it asks once more with the same id. */
  async verify(voucher: NewVoucher): Promise<CheckResult> {
    const { database, clocks, locks, withRoom } = this.#ports
    // In parallel, because a cashier waits for both.
    const [known, { row, secret_hash }] = await Promise.all([
      this.#findTakenHere(voucher.serial),
      newHold(voucher, clocks.wall()),
    ])
    if (known) return { is: 'known', row: known }
    // The lock comes before the row, because every tab that sees the row must also see that a page has it in hand.
    await locks.lock(row.id)
    this.#inHand.set(row.id, readClocks(clocks))
    try {
      await withRoom(() => database.vouchers.add(row))
    } catch {
      this.#dropFromHand(row.id)
      return { is: 'unstored' }
    }
    const asking = { id: row.id, serial: row.serial, secret_hash, till: row.till, ...pinField(voucher) }
    const first = await this.#ports.wire.verify(asking)
    if (first.kind !== 'later' || !first.connectionFailed) return this.#reconcileCheck(row, first)
    // The same id gets the same hold, so this call finds a lost answer. It may be refused if the session has ended meanwhile.
    return this.#reconcileCheck(row, await this.#ports.wire.verify(asking), { earlierMayArrive: true })
  }

  /**
   * Takes the vouchers of a tray in one transaction, so that a crash or a full disk cannot leave the tray half taken. Resolves
   * when they are on the disk. From then on each voucher is uploaded, or shown as refused. A voucher that may no longer be taken
   * is given back, and the others are taken without it. A voucher that is already taken, for example by a first tap, counts as
   * confirmed.
   */
  async confirm(ids: readonly string[]): Promise<ReadonlyMap<string, ConfirmResult>> {
    const answers = await this.#take(ids.filter((id) => this.mayStillConfirm(id)))
    const others = ids.filter((id) => !answers.has(id))
    const asUnstored = (): ConfirmResult => ({ is: 'unstored' })
    await Promise.all(others.map(async (id) => answers.set(id, await this.#giveBackUnlessTaken(id).catch(asUnstored))))
    this.#ports.wake()
    return answers
  }

  /** Takes the vouchers that are still held. The result has no entry for the others. */
  async #take(inTime: readonly string[]): Promise<Map<string, ConfirmResult>> {
    const { database, clocks, withRoom } = this.#ports
    try {
      const rows = await withRoom(() => confirmHeld(database, inTime, clocks.wall()))
      for (const { id } of rows) this.#dropFromHand(id)
      return new Map(rows.map((row) => [row.id, { is: 'confirmed', row }]))
    } catch {
      const rows = await confirmableRows(database, inTime).catch(() => undefined)
      const ids = rows?.map(({ id }) => id) ?? inTime
      return new Map(ids.map((id) => [id, { is: 'unstored' }]))
    }
  }

  async #giveBackUnlessTaken(id: string): Promise<ConfirmResult> {
    const { database } = this.#ports
    await this.#giveBack(id)
    const row = await readTillRow(database, id)
    if (row && TAKEN_STATES.includes(row.state)) return { is: 'confirmed', row }
    const accepted = row && (await findAcceptedMeanwhile(database, row))
    return accepted ? { is: 'known', row: accepted } : { is: 'over' }
  }

  /**
   * Gives the voucher back now, or when the connection returns. At the latest the hold ends after the server's 24 hours. A full
   * device gives it back when it has room.
   */
  async cancel(id: string): Promise<void> {
    await this.#giveBack(id)
    this.#ports.wake()
  }

  async #giveBack(id: string): Promise<void> {
    // On a full disk the row stays held. It is marked as missing, so that the next `releaseOrphans` gives it back.
    await this.#ports.withRoom(() => this.#startCancelling(id)).catch(() => this.#missing.set(id, -Infinity))
    this.#dropFromHand(id)
  }

  readonly #startCancelling = (id: string) =>
    changeTillRow(this.#ports.database, id, (row) => UNDECIDED_STATES.includes(row.state) && { state: 'cancelling' })

  /**
   * Takes up the vouchers that `owner` left on a page that was reloaded or closed, and returns them, oldest first. Each voucher is
   * taken up by one page only, within its ten minutes. Only the wall clock measures the time before this page was opened.
   */
  takeUp(owner: string): Promise<TillRow[]> {
    const takenUp = this.#takeUp(owner)
    this.#takingUp = takenUp.catch(() => undefined)
    return takenUp
  }

  async #takeUp(owner: string): Promise<TillRow[]> {
    const { database } = this.#ports
    if (!(await tillDatabaseExists(database))) return []
    const left = (await rowsInStates(database, ['held'])).filter((row) => row.owner === owner)
    const ids: string[] = []
    for (const { id, askedAt } of left) if (await this.#tryToTakeUp(id, askedAt)) ids.push(id)
    // Another page may have given some back before this page had their locks.
    const inHand = (await tillRowsByIds(database, ids)).filter(({ state }) => state === 'held')
    for (const id of ids) if (!inHand.some((row) => row.id === id)) this.#dropFromHand(id)
    return inHand.toSorted((one, other) => one.askedAt - other.askedAt)
  }

  async #tryToTakeUp(id: string, askedAt: number): Promise<boolean> {
    const { clocks, locks } = this.#ports
    const started = clocksAt(clocks, askedAt)
    if (!this.#inHand.has(id) && mayConfirm(clocks, started) && (await locks.lock(id))) this.#inHand.set(id, started)
    return this.mayStillConfirm(id)
  }

  /** Gives back the vouchers in hand that do not belong to `owner`, the logged-in user; all of them if no user is logged in. */
  async giveBackOfOthers(owner: string | undefined): Promise<void> {
    // Without a voucher in hand the database must not be opened, because that would create it in a merchant's browser.
    if (this.#inHand.size === 0) return
    const inHand = await tillRowsByIds(this.#ports.database, [...this.#inHand.keys()])
    for (const row of inHand) if (row.owner !== owner) await this.cancel(row.id)
  }

  /** True while the ten minutes of a voucher in hand still run. */
  mayStillConfirm(id: string): boolean {
    const started = this.#inHand.get(id)
    return started !== undefined && mayConfirm(this.#ports.clocks, started)
  }

  /** Voids a redemption. If the device cannot store the request first, it is not sent. */
  async voidRedeemed(id: string): Promise<VoidResult> {
    try {
      return await this.#void(id)
    } catch {
      return { is: 'unstored' }
    }
  }

  /**
   * Voids a redemption. If the redemption was never sent, its hold is cancelled. Otherwise the request is stored, and sent until
   * the server has answered. It is sent as a cancel while nobody knows whether the voucher was redeemed, and as a void after that,
   * within five minutes.
   */
  async #void(id: string): Promise<VoidResult> {
    const { database, clocks, wake, sendNow, withRoom } = this.#ports
    const voidingAt = clocks.wall()
    const request = { voidingAt, refused: undefined, seen: false, attempts: 0, ...DUE_NOW } satisfies Partial<TillRow>
    const row = await withRoom(() =>
      changeTillRow(database, id, ({ state, sent }) => {
        if (state === 'confirmed') return { state: 'cancelling', ...(sent && request) }
        return state === 'receipted' && request
      }),
    )
    if (row && isVoiding(row)) {
      await sendNow(id).catch(() => undefined)
      const after = await readTillRow(database, id)
      // The next request follows at once. It is a void if the redemption had arrived, or a cancel if the server has the hold again.
      if (after && isVoiding(after) && after.state !== row.state) await sendNow(id).catch(() => undefined)
      // This page shows the result. If it is closed before, or there is no answer yet, the strip shows the result later.
      await changeTillRow(database, id, (current) => !isVoiding(current) && { seen: true }).catch(() => undefined)
    }
    wake()
    return outcomeOfVoid(await readTillRow(database, id))
  }

  /** Marks the server's refusal of a row as read. */
  readonly acknowledge = (id: string) =>
    changeTillRow(this.#ports.database, id, (row) => needsAttention(row) && { seen: true })

  /**
   * Gives back vouchers that no cashier can decide about any more: their page was closed, or their ten minutes are over. A page
   * that is reloaded takes its held vouchers up. So a held voucher is given back only if its page is missing at two checks, with
   * time for a reload between them. Resolves to the time of the second check, by the wall clock. Throws IndexedDB errors.
   */
  async releaseOrphans(): Promise<number | undefined> {
    await this.#takingUp
    const { database, clocks, locks, wake } = this.#ports
    const left = await rowsInStates(database, UNDECIDED_STATES)
    if (left.length === 0) return undefined
    const lockedIds = await locks.readLockedIds()
    const isMissing = ({ id }: TillRow) => !lockedIds.has(id)
    const now = clocks.monotonic()
    const missing = left.filter((row) => isMissing(row) && row.state === 'held')
    this.#missing = new Map(missing.map(({ id }) => [id, this.#missing.get(id) ?? now]))
    const remainingMs = ({ id }: TillRow) => (this.#missing.get(id) ?? -Infinity) + RELOAD_MS - now
    const isAbandoned = (row: TillRow) => isMissing(row) && remainingMs(row) <= 0
    const isOver = ({ askedAt }: TillRow) => !mayConfirm(clocks, clocksAt(clocks, askedAt))
    const orphans = left.filter((row) => isAbandoned(row) || isOver(row))
    for (const { id } of orphans) await this.#startCancelling(id)
    if (orphans.length > 0) wake()
    const others = missing.filter((row) => !orphans.includes(row))
    return others.length > 0 ? clocks.wall() + Math.min(...others.map(remainingMs)) : undefined
  }

  /** Stores the answer to `verify` and returns the result. `earlierMayArrive` is true if an earlier request may still be on its way. */
  async #reconcileCheck(
    row: TillRow,
    answer: WireAnswer<VerifiedVoucher>,
    { earlierMayArrive = false } = {},
  ): Promise<CheckResult> {
    const { clocks } = this.#ports
    if (answer.kind === 'done') {
      const { hold, denomination_cents, expires_on } = answer.answer
      const facts = { state: 'held', hold, denomination_cents, expires_on } as const
      const held = await this.#storeAnswer(row.id, facts)
      if (held) return { is: 'held', row: held }
    }
    if (answer.kind === 'refused' && earlierMayArrive) {
      // The earlier request could still create a hold that no page has in hand.
      await this.cancel(row.id)
      return { is: 'refused', refused: answer.refused }
    }
    if (answer.kind === 'refused') {
      await this.#storeAnswer(row.id, { state: 'gone', refused: answer.refused, settledAt: clocks.wall() })
      this.#dropFromHand(row.id)
      return { is: 'refused', refused: answer.refused }
    }
    // This device does not know whether the voucher is held, so it gives the voucher back in both cases.
    await this.cancel(row.id)
    return { is: 'no answer', answered: answer.kind !== 'later' || !answer.connectionFailed }
  }

  /** Stores the answer. Resolves to undefined if the row no longer waits for it, or cannot be stored. */
  #storeAnswer(id: string, changes: Partial<TillRow>): Promise<TillRow | undefined> {
    const { database } = this.#ports
    return changeTillRow(database, id, ({ state }) => state === 'asking' && changes).catch(() => undefined)
  }

  /**
   * Returns the row of this voucher if this device has taken it. Sends its cancels first, so that the voucher can be verified
   * again.
   */
  async #findTakenHere(serial: string): Promise<TillRow | undefined> {
    const rows = await tillRowsBySerial(this.#ports.database, serial).catch(() => [])
    for (const { id } of rows.filter(({ state }) => state === 'cancelling')) {
      await this.#ports.sendNow(id).catch(() => undefined)
      // If the connection failed for this row, it would fail for the others, too.
      const current = await readTillRow(this.#ports.database, id).catch(() => undefined)
      if (current?.state === 'cancelling' && current.pausedForConnection) break
    }
    const taken = rows.find(isTakenHere)
    return taken && (await this.#isStillTaken(taken)) ? taken : undefined
  }

  /** Asks the server, because the provider or another page may have voided the redemption. Without an answer the device's row counts. */
  async #isStillTaken({ state, id, secret }: TillRow): Promise<boolean> {
    if (state !== 'receipted') return true
    const { database, wire } = this.#ports
    const answer = await wire.sync([{ became: 'asking', id, secret }], false)
    if (answer.kind !== 'done' || answer.answer[0]?.state !== 'voided') return true
    await changeTillRow(database, id, (row) => row.state === 'receipted' && { state: 'voided', voidingAt: undefined })
    return false
  }

  #dropFromHand(id: string) {
    this.#inHand.delete(id)
    this.#ports.locks.unlock(id)
  }
}

/** Longer than a slow tablet takes to reload the counter. */
const RELOAD_MS = 10_000

const UNDECIDED_STATES: readonly TillState[] = ['asking', 'held']

const TAKEN_STATES: readonly TillState[] = ['confirmed', 'accepted', 'receipted']

/**
 * True if this device has taken the voucher. An accepted voucher with a receipt does not count: it has no hold to ask about, so
 * this device cannot learn whether it was voided.
 */
const isTakenHere = ({ state, accepted }: TillRow) =>
  TAKEN_STATES.includes(state) && !(state === 'receipted' && accepted)

function outcomeOfVoid(row: TillRow | undefined): VoidResult {
  if (row?.state === 'voided') return { is: 'voided' }
  // The server may have voided the redemption while only its answer was lost.
  if (row === undefined || isVoiding(row)) return { is: 'no answer' }
  if (row.state === 'cancelling' || row.state === 'gone') return { is: 'cancelled' }
  return row.refused ? { is: 'refused', refused: row.refused } : { is: 'no answer' }
}

const pinField = ({ pin }: NewVoucher) => (pin === undefined ? {} : { pin })
