import assert from 'node:assert/strict'
import { endOldHolds } from '../../server/services/redemptions/holds.ts'
import { sealLedger } from '../../server/services/redemptions/ledgerSeals.ts'
import { LIMITS } from '../../src/contract/limits.ts'
import type { Receipt } from '../../src/contract/redemptions/redeem.ts'
import { makeMerchant } from '../support/database/builders.ts'
import { TestSession } from '../support/redemptions/TestSession.ts'
import type { TestServer } from '../support/server/testServer.ts'
import type { Cashier } from './Cashier.ts'
import { Chance } from './Chance.ts'
import { Customers } from './Customers.ts'
import { expectInLedger, expectKept } from './expectKept.ts'
import { expectOnline } from './expectOnline.ts'
import { Logins } from './Logins.ts'
import { Network } from './Network.ts'
import { openTill } from './openTill.ts'
import { PortalServer, type Answered } from './PortalServer.ts'
import type { Tablet } from './Tablet.ts'
import { Timeline } from './Timeline.ts'
import { Troubles, type Trouble } from './Troubles.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export interface WorldOptions {
  seed: number
  days: number
  tills: number
  /** Opening hours of the shops in a day, around midnight. A till has eight customers in an hour. */
  hours: number
  servers: number
  /** Troubles to leave out. All other events are drawn from the same chances. */
  without?: readonly Trouble[]
}

/** More vouchers than customers bring. */
const VOUCHERS_AN_HOUR = 11

/** Opening time of shops that open for twelve hours. */
const START = Date.parse('2026-11-21T10:00:00Z')

/** Midnight in Singapore, in UTC. Vouchers expire then, so it is the middle of the simulated day. */
const MIDNIGHT = 16 * HOUR

/** Time in which a page may decide about a voucher: after that an older browser knows that no page does. */
const HELD_AT_MOST = (LIMITS.confirmMinutes + 1) * MINUTE

/** Time until all waiting rows are uploaded, once the world is healed: the longest pause of a till, and a margin. */
const HEALED_WITHIN = 15 * MINUTE

/**
 * Tills, an unreliable network, and servers on one real PostgreSQL, all driven by one seed. Events run one after the
 * other, each with all its consequences, so the same seed gives the same story.
 */
export class World {
  readonly timeline: Timeline
  isClosing = false
  readonly cashiers: Cashier[] = []
  #broken: string | undefined
  readonly customers = new Customers()
  /** Vouchers whose hold the merchant's account ended early, by a release or a deactivation. */
  readonly endedByMerchant = new Set<string>()
  /** Receipts that a till has received, by their holds: from then on they must stay in the ledger. */
  readonly heard = new Map<string, Receipt>()
  readonly #justHeard: string[] = []
  /** Vouchers that tills redeemed without receiving a receipt so far, by their holds. */
  readonly waiting = new Map<string, string>()
  logins!: Logins
  readonly server: TestServer
  readonly options: WorldOptions
  readonly #chance: Chance
  readonly servers: readonly PortalServer[]
  readonly #network: Network
  readonly #troubles: Troubles
  readonly #log: (line: string) => void

  constructor(server: TestServer, options: WorldOptions, log: (line: string) => void) {
    this.server = server
    this.options = options
    this.timeline = new Timeline(START, (now) => server.clock.set(new Date(now)))
    this.#chance = new Chance(options.seed)
    this.#troubles = new Troubles(this, this.#chance.fork())
    this.#log = log
    this.servers = Array.from({ length: options.servers }, () => new PortalServer(server.deps))
    this.#network = new Network({
      timeline: this.timeline,
      servers: this.servers,
      chance: this.#chance.fork(),
      log: (line) => this.say(line),
      heard: (tablet, path, answered) => this.#hear(tablet, path, answered),
    })
    this.#network.killsServers = options.without?.includes('killed server') !== true
  }

  /** Runs all days, heals the world, and checks its promises. Throws an AssertionError when one is broken. */
  async live(): Promise<void> {
    await this.#begin()
    const end = this.timeline.now + this.options.days * 24 * HOUR
    await this.#until(end)
    this.#close()
    await this.#until(this.timeline.now + HELD_AT_MOST)
    await this.#heal()
    await this.#until(this.timeline.now + HEALED_WITHIN)
    await expectKept(this)
  }

  get tablets(): readonly Tablet[] {
    return this.cashiers.map(({ tablet }) => tablet)
  }

  /** Milliseconds until the shops open: 0 while they are open. */
  opensIn(): number {
    const hours = this.options.hours * HOUR
    const sinceOpening = (this.timeline.now - MIDNIGHT + hours / 2) % (24 * HOUR)
    return sinceOpening < hours ? 0 : 24 * HOUR - sinceOpening
  }

  /** Reports a promise that was broken during an event. */
  fail(promise: string): void {
    this.#broken ??= promise
  }

  say(what: string): void {
    this.#log(`${new Date(this.timeline.now).toISOString()} ${what}`)
  }

  async #begin(): Promise<void> {
    const { db } = this.server.database
    const merchant = await makeMerchant(db)
    const main = await TestSession.begin(this.server, merchant.main.id)
    this.logins = new Logins(this, merchant, main)
    await this.customers.giveVouchers(
      Math.ceil(this.options.days * this.options.tills * this.options.hours * VOUCHERS_AN_HOUR),
      this.server.database.db,
      {
        expire: this.options.without?.includes('expiry') !== true,
      },
    )
    const parts = { network: this.#network, chance: this.#chance, troubles: this.#troubles }
    for (let made = 1; made <= this.options.tills; made += 1) this.cashiers.push(await openTill(this, parts, made))
    this.#troubles.ofAll(merchant, main)
    this.#every(HOUR, () => sealLedger(this.server.deps))
    this.#every(5 * MINUTE, async () => this.tablets.forEach((tablet) => expectOnline(this, tablet)))
    this.#every(24 * HOUR, () => endOldHolds(this.server.deps))
  }

  /** Closes the shops and all browsers. */
  #close(): void {
    this.isClosing = true
    for (const tablet of this.tablets) {
      tablet.isShut = true
      for (const tab of tablet.tabs) tablet.kill(tab)
    }
  }

  async #heal(): Promise<void> {
    this.say('the world is healed')
    this.#network.killsServers = false
    for (const server of this.servers) server.start()
    for (const tablet of this.tablets) {
      tablet.become('good')
      tablet.isFull = false
      tablet.isShut = false
      await tablet.open()
    }
  }

  /** Sends a request to a separate server, without the unreliable network. */
  readonly ask = (path: string, init?: RequestInit) => this.server.app.request(path, init)

  #hear(tablet: Tablet, path: string, { status, body }: Answered): void {
    if (status !== 200) return
    if (path === '/api/voucher/verify') this.#troubles.afterVerify(tablet)
    if (path !== '/api/till/sync') return
    const { data } = JSON.parse(body) as { data: { outcomes: { receipt?: Receipt }[] } }
    for (const { receipt } of data.outcomes) {
      if (!receipt || this.heard.has(receipt.id)) continue
      this.heard.set(receipt.id, receipt)
      this.#justHeard.push(receipt.id)
      this.waiting.delete(receipt.id)
    }
  }

  #every(ms: number, happen: () => Promise<unknown>): void {
    this.timeline.in(ms, async () => {
      await happen()
      this.#every(ms, happen)
    })
  }

  async #until(end: number): Promise<void> {
    let isNext = true
    while (isNext) {
      isNext = await this.timeline.step(end)
      assert.ok(this.#broken === undefined, this.#broken)
      if (this.#justHeard.length > 0) await expectInLedger(this, this.#justHeard.splice(0))
    }
  }
}
