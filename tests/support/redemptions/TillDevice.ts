import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Synced, TillWire, WireAnswer } from '../../../src/domain/TillWire.ts'
import { sendDue, sendOne } from '../../../src/offline/queue.ts'
import { Till } from '../../../src/offline/redemptions/Till.ts'
import type { PageLocks } from '../../../src/offline/redemptions/tillHold.ts'
import { tillQueueRules } from '../../../src/offline/redemptions/tillQueueRules.ts'
import { readTillRows } from '../../../src/offline/redemptions/tillRows.ts'
import { needsAttention, TillDatabase } from '../../../src/offline/store/till.ts'
import type { HoldServer } from './HoldServer.ts'

/** Effects of the connection on calls: `lose` the answer, deliver it after the till gave up (`delay`), or keep the till waiting (`hang`). */
export type Line = 'up' | 'drop' | 'lose' | 'delay' | 'delay the first' | 'hang'

const LATER: Extract<Synced, { kind: 'later' }> = { kind: 'later', connectionFailed: true, message: 'no connection' }

const RUN = { isAlone: true, stopped: new AbortController().signal }

const anyway = async <T>(write: () => PromiseLike<T>) => write()

/** A tablet with the real code of the till, over a connection and clocks that a test can break. */
export class TillDevice {
  readonly confirmed = new Set<string>()
  /** The number of calls over the connection so far. */
  calls = 0
  /** Ids that the cashier took back before they were uploaded: the customer still has these vouchers. */
  readonly #letGo = new Set<string>()
  #clockWasSet = false
  readonly #askedAt = new Map<string, number>()
  readonly #id = randomUUID()
  readonly #database = new TillDatabase(`till-${randomUUID()}`)
  readonly #server: HoldServer
  #line: Line = 'up'
  #delayed: (() => Promise<unknown>)[] = []
  #wallMs: number
  #monotonicMs = 0
  #live = new Set<string>()
  #till!: Till
  /** Makes another page beside the current one. */
  newPage!: () => Till

  constructor(server: HoldServer) {
    this.#server = server
    this.#wallMs = server.now
    this.#start()
  }

  async ask(serial: string, line: Line) {
    this.#line = line
    const asked = await this.#till.verify({ ...this.#cashier(), serial })
    if (asked.is === 'held') {
      this.#askedAt.set(asked.row.id, this.#server.now)
      expect(this.#server.holds.get(serial)?.id, 'held here is held at the server').toBe(asked.row.id)
    }
    return asked
  }

  /** Confirms everything that this page has in hand, or the `most` oldest, with one tap. Returns the outcomes in their order. */
  async confirm(line: Line, most = Infinity) {
    this.#line = line
    const rows = await readTillRows(this.#database)
    const inHand = rows.filter(({ state, id }) => state === 'held' && this.#live.has(id)).slice(0, most)
    const confirmed = await this.tap(inHand.map(({ id }) => id))
    for (const { id, serial } of inHand) if (confirmed.get(id)?.is === 'confirmed') this.#noteConfirmed(id, serial)
    return inHand.map(({ id }) => confirmed.get(id)?.is)
  }

  /** Taps without any check, also a second time. */
  tap = (ids: readonly string[]) => this.#till.confirm(ids)

  #noteConfirmed(id: string, serial: string) {
    this.confirmed.add(id)
    const minutes = (this.#server.now - this.#askedAt.get(id)!) / 60_000
    if (!this.#clockWasSet) expect(minutes, 'ten minutes bind the device').toBeLessThan(10)
    // The screen may show it as redeemed: no other till can have it, unless a person with the right to do so ended the hold.
    expect(this.#server.holds.get(serial)?.id === id || this.#server.ended.has(id)).toBe(true)
  }

  async cancel() {
    const row = (await readTillRows(this.#database)).find(({ state }) => state === 'held')
    if (row) await this.#till.cancel(row.id)
  }

  async void(line: Line) {
    this.#line = line
    const row = (await readTillRows(this.#database)).findLast(
      ({ state }) => state === 'confirmed' || state === 'receipted',
    )
    if (!row) return undefined
    const voided = await this.#till.voidRedeemed(row.id)
    if (voided.is === 'cancelled') this.#letGo.add(row.id)
    return voided
  }

  /** Presses Void for this row, whatever became of it. */
  voidRow = (id: string) => this.#till.voidRedeemed(id)

  /** Returns the states of the rows that need attention. */
  async unread() {
    return (await readTillRows(this.#database)).filter(needsAttention).map(({ state }) => state)
  }

  async upload(line: Line) {
    this.#line = line
    await this.#send(true)
    if (line === 'up') await this.#deliverDelayed()
  }

  /** Uploads the rows that are due, as after a tap or a pause. */
  async uploadDue(line: Line) {
    this.#line = line
    await this.#send(false)
  }

  /** Ends the page between two instructions, and starts another one on the same disk. */
  async crash() {
    this.#live = new Set()
    this.#start()
    await this.look()
  }

  /** Loads the page again with `owner` at the counter. Returns the rows that the owner takes over. */
  reload(owner = 'cashier') {
    this.#live = new Set()
    return this.openTab(owner)
  }

  /** Ends all pages but the current one, which has nothing in hand. */
  closeOthers = () => this.#live.clear()

  /** Lets this page look for pages that have ended. Returns the milliseconds until its next look. */
  async look() {
    const again = await this.#till.releaseOrphans()
    return again === undefined ? undefined : again - this.#wallMs
  }

  /** Opens another page at the counter, which becomes the current one. */
  async openTab(owner = 'cashier') {
    this.#start()
    const [rows] = await Promise.all([this.#till.takeUp(owner), this.look()])
    return rows
  }

  /** Sets the user who is logged in. */
  serve = (owner: string | undefined) => this.#till.giveBackOfOthers(owner)

  pass(minutes: number) {
    this.#wallMs += minutes * 60_000
    this.#monotonicMs += minutes * 60_000
  }

  setClock(minutes: number) {
    this.#clockWasSet = true
    this.#wallMs += minutes * 60_000
  }

  /** Repairs the connection for good, and delivers the calls that were under way. */
  async settle() {
    this.#line = 'up'
    for (const { state, id } of await readTillRows(this.#database)) if (state === 'held') await this.#till.cancel(id)
    await this.#deliverDelayed()
    await this.#send(true)
    await this.#send(true)
  }

  /** Expects that nothing waits any more, and that every voucher the cashier took has a visible end. */
  async checkSettled() {
    const rows = await readTillRows(this.#database)
    const open = ['asking', 'held', 'confirmed', 'cancelling', 'accepted']
    expect(rows.filter(({ state }) => open.includes(state))).toEqual([])
    for (const id of this.confirmed) {
      const row = rows.find((one) => one.id === id)
      const entry = this.#server.ledger.find((one) => one.id === id)
      expect(row, `what was confirmed is still there: ${id}`).toBeDefined()
      const ends = this.#letGo.has(id) ? ['gone'] : ['receipted', 'attention', 'voided']
      expect(ends, 'an end that somebody can see').toContain(row!.state)
      if (row!.state === 'receipted') expect(entry, 'receipted is on the ledger').toMatchObject({ voided: false })
      // There is no entry if it was cancelled before it was redeemed.
      else if (row!.state === 'voided') expect(entry?.voided ?? true, 'voided is not redeemed on the ledger').toBe(true)
      else expect(entry, `${row!.state} is not on the ledger`).toBeUndefined()
      if (row!.state === 'attention') expect(row!.seen, 'every refused upload is shown').toBe(false)
    }
    for (const { id } of this.#server.holds.values()) {
      const mine = rows.find((row) => row.id === id)
      expect(mine?.state, 'a settled device keeps no voucher from anyone').toBeUndefined()
    }
  }

  #cashier = () => ({ owner: 'cashier', owner_name: 'till-1', till: this.#id })

  #start() {
    const locks: PageLocks = {
      lock: async (id) => !this.#live.has(id) && this.#live.add(id).has(id),
      unlock: (id) => void this.#live.delete(id),
      readLockedIds: async () => this.#live,
    }
    const clocks = { wall: () => this.#wallMs, monotonic: () => this.#monotonicMs }
    const sendNow = (id: string) => sendOne(this.#kind(), id, RUN)
    const ports = { database: this.#database, wire: this.#spoiled(), clocks, wake: () => undefined, withRoom: anyway }
    this.newPage = () => new Till({ ...ports, locks, sendNow })
    this.#till = this.newPage()
  }

  #kind = () =>
    tillQueueRules({ database: this.#database, wire: this.#spoiled(), now: () => this.#wallMs, random: () => 0.5 })

  async #send(withPaused: boolean) {
    await sendDue(this.#kind(), { ...RUN, withPaused })
  }

  async #deliverDelayed() {
    const late = this.#delayed
    this.#delayed = []
    for (const arrive of late) await arrive()
  }

  #spoiled(): TillWire {
    const { verify, sync } = this.#server.wire
    return {
      verify: (request) => this.#carry(() => verify(request)),
      sync: (rows, isBacklog) => this.#carry(() => sync(rows, isBacklog)),
    }
  }

  async #carry<T extends WireAnswer<unknown>>(call: () => Promise<T>): Promise<T | typeof LATER> {
    this.calls += 1
    switch (this.#line) {
      case 'up':
        return call()
      case 'drop':
        return LATER
      case 'hang':
        return new Promise<never>(() => undefined)
      case 'lose':
        await call()
        return LATER
      case 'delay the first':
        this.#line = 'up'
        this.#delayed.push(call)
        return LATER
      case 'delay':
        this.#delayed.push(call)
        return LATER
    }
  }
}
