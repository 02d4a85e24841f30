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
  acceptedMeanwhile,
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
  /** Stores something; on a full device it makes room first, if it can. */
  withRoom: <T>(write: () => PromiseLike<T>) => Promise<T>
  /** Tells the queue that a row waits for the server now. */
  wake: () => void
  /** Tells the server about one voucher now, even if it was put off. */
  sendNow: (id: string) => Promise<void>
}

export interface NewVoucher extends VoucherOfTill {
  pin?: string
}

/**
 * The result of verifying a voucher. `no answer`: its state is unknown, and it was not taken. `answered`: our server did answer, so the
 * connection did not fail.
 */
export type CheckResult =
  | { is: 'held'; row: TillRow }
  /** This device took it before; known without asking the server to verify it (rule 9.12). */
  | { is: 'known'; row: TillRow }
  | { is: 'refused'; refused: Refusal }
  | { is: 'no answer'; answered: boolean }
  /** The device cannot store the request, so it was not sent. */
  | { is: 'unstored' }

/** `known`: another tab has accepted the voucher without a check meanwhile. */
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
 * The state machine of a counter (rule 9.10): one page's view of the device's vouchers. Every step is on the disk before the next
 * one begins, and the screen follows the disk.
 */
export class Till {
  /** The vouchers that this page has in hand, with the time of the request. This page can confirm no other hold of this device. */
  readonly #lives = new Map<string, ClockReading>()

  /** Resolves when the vouchers that a page left have been taken up: only then may they be let go. */
  #takingUp: Promise<unknown> = Promise.resolve()

  /** Held vouchers whose page is missing, with the time when this page first saw that, by its monotonic clock. */
  #missing = new Map<string, number>()

  readonly #ports: TillPorts

  constructor(ports: TillPorts) {
    this.#ports = ports
  }

  /** Asks the server to hold one voucher for this till. After a lost answer it asks once more with the same id. */
  async verify(voucher: NewVoucher): Promise<CheckResult> {
    const { database, clocks, locks, withRoom } = this.#ports
    // In parallel: a cashier waits for both.
    const [before, { row, secret_hash }] = await Promise.all([
      this.#knownHere(voucher.serial),
      newHold(voucher, clocks.wall()),
    ])
    if (before) return { is: 'known', row: before }
    // The lock comes before the row: every tab that sees the row must also see that a page has it.
    await locks.keep(row.id)
    this.#lives.set(row.id, readClocks(clocks))
    try {
      await withRoom(() => database.vouchers.add(row))
    } catch {
      this.#leave(row.id)
      return { is: 'unstored' }
    }
    const asking = { id: row.id, serial: row.serial, secret_hash, till: row.till, ...pinOf(voucher) }
    const first = await this.#ports.wire.verify(asking)
    if (first.kind !== 'later' || !first.connectionFailed) return this.#reconcileCheck(row, first)
    // The same id is the same hold: asking again finds a lost answer. The server may refuse it now if a session has ended since.
    return this.#reconcileCheck(row, await this.#ports.wire.verify(asking), { mayArrive: true })
  }

  /**
   * Takes the vouchers of a tray in one step on the disk, so that no crash and no full disk leaves the tray half taken. Resolves
   * when that has reached the disk: from then on they are only ever uploaded or shown as refused. A voucher that may not be taken
   * any more is given back, and does not delay the others. A voucher that was already taken, as by a second tap, is reported as
   * taken again.
   */
  async confirm(ids: readonly string[]): Promise<ReadonlyMap<string, ConfirmResult>> {
    const answers = await this.#take(ids.filter((id) => this.mayStillConfirm(id)))
    const others = ids.filter((id) => !answers.has(id))
    const unread = (): ConfirmResult => ({ is: 'unstored' })
    await Promise.all(others.map(async (id) => answers.set(id, await this.#giveBackOrTaken(id).catch(unread))))
    this.#ports.wake()
    return answers
  }

  /** Takes those that may still be taken; returns no entry for the others. */
  async #take(inTime: readonly string[]): Promise<Map<string, ConfirmResult>> {
    const { database, clocks, withRoom } = this.#ports
    try {
      const rows = await withRoom(() => confirmHeld(database, inTime, clocks.wall()))
      for (const { id } of rows) this.#leave(id)
      return new Map(rows.map((row) => [row.id, { is: 'confirmed', row }]))
    } catch {
      const rows = await confirmableRows(database, inTime).catch(() => undefined)
      const ids = rows?.map(({ id }) => id) ?? inTime
      return new Map(ids.map((id) => [id, { is: 'unstored' }]))
    }
  }

  async #giveBackOrTaken(id: string): Promise<ConfirmResult> {
    const { database } = this.#ports
    await this.#giveBack(id)
    const row = await readTillRow(database, id)
    if (row && TAKEN.includes(row.state)) return { is: 'confirmed', row }
    const accepted = row && (await acceptedMeanwhile(database, row))
    return accepted ? { is: 'known', row: accepted } : { is: 'over' }
  }

  /**
   * Gives the voucher back: now, when there is a connection, or when the server's 24 hours are over. On a full device the row
   * stays, and is let go when there is room.
   */
  async cancel(id: string): Promise<void> {
    await this.#giveBack(id)
    this.#ports.wake()
  }

  async #giveBack(id: string): Promise<void> {
    // A full disk keeps the row: no page has it any more, so the next look lets it go at once.
    await this.#ports.withRoom(() => this.#letGo(id)).catch(() => this.#missing.set(id, -Infinity))
    this.#leave(id)
  }

  readonly #letGo = (id: string) =>
    changeTillRow(this.#ports.database, id, (row) => UNDECIDED.includes(row.state) && { state: 'cancelling' })

  /**
   * Returns the vouchers that `owner` still has in hand on this device, oldest first, after their page was reloaded or left. If
   * there are several pages, only one takes up each voucher. It leaves out those whose ten minutes are over and those that another
   * page has. The time before this page is measured by the wall clock alone.
   */
  takeUp(owner: string): Promise<TillRow[]> {
    const taken = this.#takeUp(owner)
    this.#takingUp = taken.catch(() => undefined)
    return taken
  }

  async #takeUp(owner: string): Promise<TillRow[]> {
    const { database } = this.#ports
    if (!(await tillDatabaseExists(database))) return []
    const left = (await rowsInStates(database, ['held'])).filter((row) => row.owner === owner)
    const ids: string[] = []
    for (const { id, askedAt } of left) if (await this.#isInHand(id, askedAt)) ids.push(id)
    // Some may have been let go before this page had them.
    const inHand = (await tillRowsByIds(database, ids)).filter(({ state }) => state === 'held')
    for (const id of ids) if (!inHand.some((row) => row.id === id)) this.#leave(id)
    return inHand.toSorted((one, other) => one.askedAt - other.askedAt)
  }

  async #isInHand(id: string, askedAt: number): Promise<boolean> {
    const { clocks, locks } = this.#ports
    const started = clocksAt(clocks, askedAt)
    if (!this.#lives.has(id) && mayConfirm(clocks, started) && (await locks.keep(id))) this.#lives.set(id, started)
    return this.mayStillConfirm(id)
  }

  /** Gives back the vouchers in hand on this page that belong to users other than `owner`: another cashier is logged in now, or none. */
  async serve(owner: string | undefined): Promise<void> {
    // Opening the database would create one in a merchant's browser.
    if (this.#lives.size === 0) return
    const inHand = await tillRowsByIds(this.#ports.database, [...this.#lives.keys()])
    for (const row of inHand) if (row.owner !== owner) await this.cancel(row.id)
  }

  /** True while the ten minutes of a voucher in hand still run. */
  mayStillConfirm(id: string): boolean {
    const started = this.#lives.get(id)
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
   * Voids a redemption. One that never left the device is let go. For any other the request is stored and sent until the server has
   * answered: first as a cancel while it is unknown if the voucher was redeemed, then as a void, within five minutes.
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
      // The next question follows at once: a void of what had arrived, or a cancel of a hold that is there again.
      if (after && isVoiding(after) && after.state !== row.state) await sendNow(id).catch(() => undefined)
      // This page tells its cashier the result. If it is closed before that, or there is no answer yet, the strip tells the result later.
      await changeTillRow(database, id, (here) => !isVoiding(here) && { seen: true }).catch(() => undefined)
    }
    wake()
    return outcomeOfVoid(await readTillRow(database, id))
  }

  /** Marks the server's refusal of a row as read. */
  readonly acknowledge = (id: string) =>
    changeTillRow(this.#ports.database, id, (row) => needsAttention(row) && { seen: true })

  /**
   * Lets go of rows that a page left unfinished, and of those whose ten minutes are over: the browser may have stopped their page.
   * No cashier can decide about them any more. A held voucher is let go only if its page was missing at two looks with time for a
   * reload between them, because the reloaded page takes it up. Resolves to when the second look is due, by the wall clock. Throws
   * what IndexedDB throws.
   */
  async releaseOrphans(): Promise<number | undefined> {
    await this.#takingUp
    const { database, clocks, locks, wake } = this.#ports
    const left = await rowsInStates(database, UNDECIDED)
    if (left.length === 0) return undefined
    const kept = await locks.kept()
    const isMissing = ({ id }: TillRow) => !kept.has(id)
    const now = clocks.monotonic()
    const missing = left.filter((row) => isMissing(row) && row.state === 'held')
    this.#missing = new Map(missing.map(({ id }) => [id, this.#missing.get(id) ?? now]))
    const waits = ({ id }: TillRow) => (this.#missing.get(id) ?? -Infinity) + RELOAD_MS - now
    const isLeft = (row: TillRow) => isMissing(row) && waits(row) <= 0
    const isOver = ({ askedAt }: TillRow) => !mayConfirm(clocks, clocksAt(clocks, askedAt))
    const orphans = left.filter((row) => isLeft(row) || isOver(row))
    for (const { id } of orphans) await this.#letGo(id)
    if (orphans.length > 0) wake()
    const others = missing.filter((row) => !orphans.includes(row))
    return others.length > 0 ? clocks.wall() + Math.min(...others.map(waits)) : undefined
  }

  /** `mayArrive`: an earlier request may still be on its way. */
  async #reconcileCheck(
    row: TillRow,
    answer: WireAnswer<VerifiedVoucher>,
    { mayArrive = false } = {},
  ): Promise<CheckResult> {
    const { clocks } = this.#ports
    if (answer.kind === 'done') {
      const { hold, denomination_cents, expires_on } = answer.answer
      const facts = { state: 'held', hold, denomination_cents, expires_on } as const
      const held = await this.#answered(row.id, facts)
      if (held) return { is: 'held', row: held }
    }
    if (answer.kind === 'refused' && mayArrive) {
      // The earlier request could still create a hold that no page has.
      await this.cancel(row.id)
      return { is: 'refused', refused: answer.refused }
    }
    if (answer.kind === 'refused') {
      await this.#answered(row.id, { state: 'gone', refused: answer.refused, settledAt: clocks.wall() })
      this.#leave(row.id)
      return { is: 'refused', refused: answer.refused }
    }
    // It may be held or not, and this device cannot tell: it is let go in both cases.
    await this.cancel(row.id)
    return { is: 'no answer', answered: answer.kind !== 'later' || !answer.connectionFailed }
  }

  /** Stores the answer. Undefined if the row is no longer being asked about, or cannot be stored. */
  #answered(id: string, to: Partial<TillRow>): Promise<TillRow | undefined> {
    const { database } = this.#ports
    return changeTillRow(database, id, ({ state }) => state === 'asking' && to).catch(() => undefined)
  }

  /**
   * Returns the row of this voucher if this device has taken it. Rows that are being let go are sent first, so that the voucher can
   * be asked about again.
   */
  async #knownHere(serial: string): Promise<TillRow | undefined> {
    const rows = await tillRowsBySerial(this.#ports.database, serial).catch(() => [])
    for (const { id } of rows.filter(({ state }) => state === 'cancelling')) {
      await this.#ports.sendNow(id).catch(() => undefined)
      // A connection that fails for one would fail for the others.
      const here = await readTillRow(this.#ports.database, id).catch(() => undefined)
      if (here?.state === 'cancelling' && here.pausedForConnection) break
    }
    const taken = rows.find(isTakenHere)
    return taken && (await this.#isStillTaken(taken)) ? taken : undefined
  }

  /** Asks the server, since the provider or another page may have voided the redemption. Without a connection the device's own row counts. */
  async #isStillTaken({ state, id, secret }: TillRow): Promise<boolean> {
    if (state !== 'receipted') return true
    const { database, wire } = this.#ports
    const answer = await wire.sync([{ became: 'asking', id, secret }], false)
    if (answer.kind !== 'done' || answer.answer[0]?.state !== 'voided') return true
    await changeTillRow(database, id, (row) => row.state === 'receipted' && { state: 'voided', voidingAt: undefined })
    return false
  }

  #leave(id: string) {
    this.#lives.delete(id)
    this.#ports.locks.leave(id)
  }
}

/** Longer than a slow tablet takes to reload the counter. */
const RELOAD_MS = 10_000

const UNDECIDED: readonly TillState[] = ['asking', 'held']

const TAKEN: readonly TillState[] = ['confirmed', 'accepted', 'receipted']

/** If it was accepted without a check and then redeemed, only the server knows whether it was voided since: it has no hold to ask about. */
const isTakenHere = ({ state, accepted }: TillRow) => TAKEN.includes(state) && !(state === 'receipted' && accepted)

function outcomeOfVoid(row: TillRow | undefined): VoidResult {
  if (row?.state === 'voided') return { is: 'voided' }
  // While the request waits, the void may have been carried out and only its answer lost.
  if (row === undefined || isVoiding(row)) return { is: 'no answer' }
  if (row.state === 'cancelling' || row.state === 'gone') return { is: 'cancelled' }
  return row.refused ? { is: 'refused', refused: row.refused } : { is: 'no answer' }
}

const pinOf = ({ pin }: NewVoucher) => (pin === undefined ? {} : { pin })
