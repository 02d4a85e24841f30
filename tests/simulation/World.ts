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
  /** For how many of a day's hours the shops are open, around midnight. A till has eight customers in an hour. */
  hours: number
  servers: number
  /** Troubles that it is spared. What else happens is decided by the same chances. */
  without?: readonly Trouble[]
}

/** More than customers bring, by chance. */
const VOUCHERS_AN_HOUR = 11

/** When shops of twelve hours open. */
const START = Date.parse('2026-11-21T10:00:00Z')

/** In Singapore. Vouchers expire then, so this is the middle of a night market's day. */
const MIDNIGHT = 16 * HOUR

/** For how long a page may decide about a voucher: after that an older browser knows that no page does. */
const HELD_AT_MOST = (LIMITS.confirmMinutes + 1) * MINUTE

/** Until everything that waits has gone up, once the world is whole: the longest rest of a till, and then some. */
const HEALED_WITHIN = 15 * MINUTE

/**
 * Tills, a connection that spoils what it can, and servers over one real PostgreSQL, all from one seed. Events come one after the
 * other, each with everything that follows from it, so the same seed gives the same story.
 */
export class World {
  readonly timeline: Timeline
  isClosing = false
  readonly cashiers: Cashier[] = []
  #broken: string | undefined
  readonly customers = new Customers()
  /** Vouchers whose hold the merchant's account ended early, by a release or a deactivation. */
  readonly endedByMerchant = new Set<string>()
  /** Receipts that a till has heard, by their holds: from then on nothing may unmake them. */
  readonly heard = new Map<string, Receipt>()
  readonly #justHeard: string[] = []
  /** Vouchers that tills took and have heard no receipt of, by their holds. */
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

  /** Lives through all its days, is healed, and has to have kept its promises. Throws an AssertionError else. */
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

  /** In how many milliseconds the shops are open: 0 when they are. */
  opensIn(): number {
    const hours = this.options.hours * HOUR
    const sinceOpening = (this.timeline.now - MIDNIGHT + hours / 2) % (24 * HOUR)
    return sinceOpening < hours ? 0 : 24 * HOUR - sinceOpening
  }

  /** A promise was broken in the middle of an event. */
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

  /** Everybody goes home, and all browsers are closed. */
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

  /** Of a server that stands apart, without the network that spoils things. */
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
