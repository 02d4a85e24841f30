import type { VerifiedVoucher } from '../../contract/redemptions/redeem.ts'
import type { TillWire, WireAnswer } from '../../domain/TillWire.ts'
import { NO_REST } from '../store/rest.ts'
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
  startedAt,
  startedNow,
  type Clocks,
  type PageLocks,
  type Started,
  type VoucherOfTill,
} from './tillHold.ts'
import {
  acceptedMeanwhile,
  changeTillRow,
  confirmableRows,
  confirmHeld,
  isMade,
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
  /** Stores something, and makes room for it on a full device if it can. */
  withRoom: <T>(write: () => PromiseLike<T>) => Promise<T>
  /** Something waits for the server now. */
  wake: () => void
  /** Tells the server about one voucher now, whatever else waits. */
  sendNow: (id: string) => Promise<void>
}

export interface NewVoucher extends VoucherOfTill {
  pin?: string
}

/**
 * What verifying a voucher led to. `line`: nothing is known of it, and nothing is taken. `answered`: by our server all the same, so it was
 * not the connection that failed.
 */
export type Asked =
  | { is: 'held'; row: TillRow }
  /** This device took it before: caught without the server (rule 9.12). */
  | { is: 'known'; row: TillRow }
  | { is: 'refused'; refused: Refusal }
  | { is: 'line'; answered: boolean }
  /** The device cannot store what it asks for; then nothing is asked. */
  | { is: 'unstored' }

/** `known`: another tab has accepted the voucher without a check meanwhile. */
export type Confirmed =
  | { is: 'confirmed'; row: TillRow }
  | { is: 'known'; row: TillRow }
  | { is: 'over' }
  | { is: 'unstored' }
export type Voided =
  | { is: 'cancelled' }
  | { is: 'voided' }
  | { is: 'refused'; refused: Refusal }
  | { is: 'line' }
  | { is: 'unstored' }

/**
 * The counter's own machine (rule 9.10): one page's view of the device's vouchers. Every step is on the disk before the
 * next one begins, and the screen follows the disk.
 */
export class Till {
  /** What this page has in hand, and since when it was asked about: no other hold of this device can be confirmed here. */
  readonly #lives = new Map<string, Started>()

  /** What a page left is taken up before it is let go. */
  #takingUp: Promise<unknown> = Promise.resolve()

  /** Held vouchers whose page is not there, and since when this page knows that, by its monotonic clock. */
  #missing = new Map<string, number>()

  readonly #ports: TillPorts

  constructor(ports: TillPorts) {
    this.#ports = ports
  }

  /** Asks the server to keep one voucher for this till. A lost answer is asked for again under the same id, once. */
  async ask(voucher: NewVoucher): Promise<Asked> {
    const { database, clocks, locks, withRoom } = this.#ports
    // At once: a cashier waits for both.
    const [before, { row, secret_hash }] = await Promise.all([
      this.#knownHere(voucher.serial),
      newHold(voucher, clocks.wall()),
    ])
    if (before) return { is: 'known', row: before }
    // The lock comes before the row: whoever sees the row must already see that a page is there for it.
    await locks.keep(row.id)
    this.#lives.set(row.id, startedNow(clocks))
    try {
      await withRoom(() => database.vouchers.add(row))
    } catch {
      this.#leave(row.id)
      return { is: 'unstored' }
    }
    const asking = { id: row.id, serial: row.serial, secret_hash, till: row.till, ...pinOf(voucher) }
    const first = await this.#ports.wire.verify(asking)
    if (first.kind !== 'later' || !first.connectionFailed) return this.#reconcileCheck(row, first)
    // The same id is the same hold: asking again is how a lost answer is found. It may be refused now, where a session has ended since.
    return this.#reconcileCheck(row, await this.#ports.wire.verify(asking), { mayArrive: true })
  }

  /**
   * Takes the vouchers of a tray by one step on the disk, so that no crash and no full disk leaves it half taken. Resolves when that has
   * reached the disk: from here on they are only ever uploaded or shown as refused. One that may not be taken any more is given back, and
   * holds up no other. Of one that was taken before, as by a second tap, it says so again.
   */
  async confirm(ids: readonly string[]): Promise<ReadonlyMap<string, Confirmed>> {
    const answers = await this.#take(ids.filter((id) => this.mayStillConfirm(id)))
    const others = ids.filter((id) => !answers.has(id))
    const unread = (): Confirmed => ({ is: 'unstored' })
    await Promise.all(others.map(async (id) => answers.set(id, await this.#giveBackOrTaken(id).catch(unread))))
    this.#ports.wake()
    return answers
  }

  /** Answers nothing for those that may not be taken. */
  async #take(inTime: readonly string[]): Promise<Map<string, Confirmed>> {
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

  async #giveBackOrTaken(id: string): Promise<Confirmed> {
    const { database } = this.#ports
    await this.#giveBack(id)
    const row = await readTillRow(database, id)
    if (row && TAKEN.includes(row.state)) return { is: 'confirmed', row }
    const accepted = row && (await acceptedMeanwhile(database, row))
    return accepted ? { is: 'known', row: accepted } : { is: 'over' }
  }

  /**
   * Gives the voucher back: now, once there is a connection, or when the server's own 24 hours are over. Where the device is full it
   * becomes an orphan, and is let go when there is room.
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
   * The vouchers that `owner` still has in hand on this device, oldest first: their screen was drawn anew, or their page was left. Of several
   * pages one takes each up. Without those whose ten minutes are over, by the wall clock alone for the time before this page, and those that
   * another page has.
   */
  takeUp(owner: string): Promise<TillRow[]> {
    const taken = this.#takeUp(owner)
    this.#takingUp = taken.catch(() => undefined)
    return taken
  }

  async #takeUp(owner: string): Promise<TillRow[]> {
    const { database } = this.#ports
    if (!(await isMade(database))) return []
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
    const started = startedAt(clocks, askedAt)
    if (!this.#lives.has(id) && mayConfirm(clocks, started) && (await locks.keep(id))) this.#lives.set(id, started)
    return this.mayStillConfirm(id)
  }

  /** Lets go of what others than `owner` have in hand at this page: somebody else is logged in now, or nobody. */
  async serve(owner: string | undefined): Promise<void> {
    // Looking into the database would make one in a merchant's browser.
    if (this.#lives.size === 0) return
    const inHand = await tillRowsByIds(this.#ports.database, [...this.#lives.keys()])
    for (const row of inHand) if (row.owner !== owner) await this.cancel(row.id)
  }

  /** Whether the ten minutes of a voucher in hand still run. */
  mayStillConfirm(id: string): boolean {
    const started = this.#lives.get(id)
    return started !== undefined && mayConfirm(this.#ports.clocks, started)
  }

  /** Takes a redemption back. What the device cannot store first is not asked for. */
  async voidTaken(id: string): Promise<Voided> {
    try {
      return await this.#void(id)
    } catch {
      return { is: 'unstored' }
    }
  }

  /**
   * One that never left the device is let go. Of any other the wish is on the disk, and is sent until the server has answered: first as a
   * cancel, where nobody knows yet whether it was redeemed, then as a void, in five minutes at most.
   */
  async #void(id: string): Promise<Voided> {
    const { database, clocks, wake, sendNow, withRoom } = this.#ports
    const voidingAt = clocks.wall()
    const wish = { voidingAt, refused: undefined, seen: false, attempts: 0, ...NO_REST } satisfies Partial<TillRow>
    const row = await withRoom(() =>
      changeTillRow(database, id, ({ state, sent }) => {
        if (state === 'confirmed') return { state: 'cancelling', ...(sent && wish) }
        return state === 'receipted' && wish
      }),
    )
    if (row && isVoiding(row)) {
      await sendNow(id).catch(() => undefined)
      if (row.state === 'cancelling' && (await readTillRow(database, id))?.state === 'receipted') {
        await sendNow(id).catch(() => undefined)
      }
    }
    // This page tells its cashier. Where it dies before, or there is no answer yet, the strip tells of the end.
    await changeTillRow(database, id, (here) => !isVoiding(here) && { seen: true }).catch(() => undefined)
    wake()
    return outcomeOfVoid(await readTillRow(database, id))
  }

  /** Somebody has read what the server said against it. */
  readonly understood = (id: string) =>
    changeTillRow(this.#ports.database, id, (row) => needsAttention(row) && { seen: true })

  /**
   * Lets go of rows that a page left in the middle, and of those whose ten minutes are over: their page may have been stopped by its
   * browser. Nobody can decide about them any more. What is held is let go only after its page was missing at two looks with time for a
   * reload between them: the page that is loaded anew takes it up. Resolves to when the second look is due, by the wall clock. Throws what
   * IndexedDB throws.
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
    const isOver = ({ askedAt }: TillRow) => !mayConfirm(clocks, startedAt(clocks, askedAt))
    const orphans = left.filter((row) => isLeft(row) || isOver(row))
    for (const { id } of orphans) await this.#letGo(id)
    if (orphans.length > 0) wake()
    const others = missing.filter((row) => !orphans.includes(row))
    return others.length > 0 ? clocks.wall() + Math.min(...others.map(waits)) : undefined
  }

  /** `mayArrive`: an earlier asking is perhaps still on its way. */
  async #reconcileCheck(row: TillRow, answer: WireAnswer<VerifiedVoucher>, { mayArrive = false } = {}): Promise<Asked> {
    const { clocks } = this.#ports
    if (answer.kind === 'done') {
      const { hold, denomination_cents, expires_on } = answer.answer
      const facts = { state: 'held', hold, denomination_cents, expires_on } as const
      const held = await this.#answered(row.id, facts)
      if (held) return { is: 'held', row: held }
    }
    if (answer.kind === 'refused' && mayArrive) {
      // It would hold the voucher for nobody.
      await this.cancel(row.id)
      return { is: 'refused', refused: answer.refused }
    }
    if (answer.kind === 'refused') {
      await this.#answered(row.id, { state: 'gone', refused: answer.refused, settledAt: clocks.wall() })
      this.#leave(row.id)
      return { is: 'refused', refused: answer.refused }
    }
    // Perhaps it is held, perhaps not: it is let go either way, for nobody here may say that it is.
    await this.cancel(row.id)
    return { is: 'line', answered: answer.kind !== 'later' || !answer.connectionFailed }
  }

  /** Undefined where it is not asked about any more, or cannot be stored. */
  #answered(id: string, to: Partial<TillRow>): Promise<TillRow | undefined> {
    const { database } = this.#ports
    return changeTillRow(database, id, ({ state }) => state === 'asking' && to).catch(() => undefined)
  }

  /** A voucher that this device has taken. One that is being let go is let go first, so that it can be asked about anew. */
  async #knownHere(serial: string): Promise<TillRow | undefined> {
    const rows = await tillRowsBySerial(this.#ports.database, serial).catch(() => [])
    for (const { id } of rows.filter(({ state }) => state === 'cancelling')) {
      await this.#ports.sendNow(id).catch(() => undefined)
      // The connection that is away for one is away for the others.
      if ((await readTillRow(this.#ports.database, id).catch(() => undefined))?.state === 'cancelling') break
    }
    const taken = rows.find(isTakenHere)
    return taken && (await this.#isStillTaken(taken)) ? taken : undefined
  }

  /** The provider, or another page, may have voided it. Without a connection the device's own memory counts. */
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

/** Longer than a slow tablet takes to load the counter anew. */
const RELOAD_MS = 10_000

const UNDECIDED: readonly TillState[] = ['asking', 'held']

const TAKEN: readonly TillState[] = ['confirmed', 'accepted', 'receipted']

/** Of what was accepted without a check and redeemed, only the server knows whether it was voided since: there is no hold to ask about. */
const isTakenHere = ({ state, accepted }: TillRow) => TAKEN.includes(state) && !(state === 'receipted' && accepted)

function outcomeOfVoid(row: TillRow | undefined): Voided {
  if (row?.state === 'voided') return { is: 'voided' }
  // While the wish stands, the void may have been carried out, and only its answer lost.
  if (row === undefined || isVoiding(row)) return { is: 'line' }
  if (row.state === 'cancelling' || row.state === 'gone') return { is: 'cancelled' }
  return row.refused ? { is: 'refused', refused: row.refused } : { is: 'line' }
}

const pinOf = ({ pin }: NewVoucher) => (pin === undefined ? {} : { pin })
