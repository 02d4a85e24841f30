import { createHash } from 'node:crypto'
import { Dexie } from 'dexie'
import { IDBFactory } from 'fake-indexeddb'
import { v7 as uuidv7 } from 'uuid'
import { voucher } from '../../server/db/schema/vouchers.ts'
import { endOldHolds } from '../../server/services/redemptions/endOldHolds.ts'
import { sealLedger } from '../../server/services/redemptions/ledgerSeals.ts'
import { connectApi } from '../../src/api/ports.ts'
import { LIMITS } from '../../src/contract/limits.ts'
import { withCheckDigit } from '../../src/domain/vouchers.ts'
import { TestSession } from '../server/redemptions/hold-world/TestSession.ts'
import { post, send } from '../support/api/portalClient.ts'
import { makeMerchant, makePosUser } from '../support/database/builders.ts'
import type { TestServer } from '../support/server/testServer.ts'
import { Cashier } from './Cashier.ts'
import { Chance } from './Chance.ts'
import { expectKept } from './expectKept.ts'
import { Network, type Weather } from './Network.ts'
import { asking, withPage } from './pageGlobals.ts'
import { PortalServer, type Answered } from './PortalServer.ts'
import { Tablet, type Tab } from './Tablet.ts'
import { Timeline } from './Timeline.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export interface WorldOptions {
  seed: number
  days: number
  tills: number
  servers: number
}

/** How often what happens, on average. */
const EVERY = {
  weather: 2 * HOUR,
  death: 9 * HOUR,
  tab: 12 * HOUR,
  clock: 48 * HOUR,
  full: 72 * HOUR,
  release: 3 * HOUR,
}

const WEATHERS = { good: 60, bad: 20, away: 17, captive: 3 } satisfies Record<Weather, number>

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
  /** Vouchers that the merchant's account released: the word that ends a hold early. */
  readonly released = new Set<string>()
  /** Receipts that a till has heard: from then on nothing may unmake them. */
  readonly heard = new Map<string, string>()
  readonly server: TestServer
  readonly options: WorldOptions
  readonly #chance: Chance
  readonly #servers: PortalServer[]
  readonly #network: Network
  readonly #log: (line: string) => void
  readonly #sessions = new Map<Tablet, TestSession>()
  readonly #serials: string[] = []
  #brought = 0
  #main!: TestSession

  constructor(server: TestServer, options: WorldOptions, log: (line: string) => void) {
    this.server = server
    this.options = options
    this.timeline = new Timeline(Date.parse('2026-11-21T02:00:00Z'), (now) => server.clock.set(new Date(now)))
    this.#chance = new Chance(options.seed)
    this.#log = log
    this.#servers = Array.from({ length: options.servers }, () => new PortalServer(server.deps))
    this.#network = new Network({
      timeline: this.timeline,
      servers: this.#servers,
      chance: this.#chance.fork(),
      log: (line) => this.say(line),
      heard: (path, answered) => this.#hear(path, answered),
    })
    // Empty disks.
    Dexie.dependencies.indexedDB = new IDBFactory()
    connectApi({
      getToken: () => withPage((page) => (page as Tab).tablet.token),
      sessionBases: () => undefined,
      onRefreshed: () => undefined,
      onUnauthorized: () => undefined,
      onTrouble: () => undefined,
      serverNow: () => this.timeline.now,
      idleSeconds: () => 0,
      ask: asking,
      onContact: () => undefined,
    })
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

  say(what: string): void {
    this.#log(`${new Date(this.timeline.now).toISOString()} ${what}`)
  }

  /** By its number, which stands between the prefix and the check digit. */
  nameOf = (serial: string): string => `voucher ${Number(serial.slice(1, 12))}`

  /** A voucher of the customer who is next: mostly a new one, now and then one that was brought before, here or elsewhere. */
  bring(chance: Chance): string {
    const isCopy = this.#brought > 0 && chance.happens(0.15)
    // Somebody who tries it twice does so soon.
    const at = isCopy ? Math.max(0, this.#brought - 1 - Math.floor(chance.around(6))) : this.#brought++
    return this.#serials[at % this.#serials.length]!
  }

  /** Good for some minutes, as a till refreshes it. */
  tokenOf = (tablet: Tablet): Promise<string> => this.#sessions.get(tablet)!.token()

  async #begin(): Promise<void> {
    const { db } = this.server.database
    const merchant = await makeMerchant(db)
    this.#main = await TestSession.begin(this.server, merchant.main.id)
    await this.#printVouchers()
    for (let made = 1; made <= this.options.tills; made += 1) {
      const user = await makePosUser(db, merchant)
      const session = await TestSession.begin(this.server, user.id)
      const tillId = uuidv7()
      await send(this.#ask, 'PUT', `/api/till/${tillId}`, {
        token: await session.token(),
        body: { name: `Till ${made}` },
      })
      const tablet = new Tablet({
        name: `till ${made}`,
        tillId,
        timeline: this.timeline,
        network: this.#network,
        chance: this.#chance.fork(),
        log: (line) => this.say(line),
        hasLocks: made % 4 !== 0,
      })
      this.#sessions.set(tablet, session)
      const cashier = new Cashier(this, tablet, this.#chance.fork())
      this.cashiers.push(cashier)
      await tablet.open()
      cashier.open()
      this.#troubles(tablet)
    }
    this.#often(EVERY.release, () => this.#release())
    this.#every(HOUR, () => sealLedger(this.server.deps))
    this.#every(24 * HOUR, () => endOldHolds(this.server.deps))
  }

  async #printVouchers(): Promise<void> {
    const count = Math.ceil(this.options.days * this.options.tills * 130)
    for (let n = 1; n <= count; n += 1) this.#serials.push(withCheckDigit(`2${String(n).padStart(11, '0')}`))
    const rows = this.#serials.map((serial) => {
      return { id: uuidv7(), serial, denominationCents: 1_000, expiresOn: '2099-12-31', status: 'Active' as const }
    })
    for (let at = 0; at < rows.length; at += 5_000)
      await this.server.database.db.insert(voucher).values(rows.slice(at, at + 5_000))
  }

  #troubles(tablet: Tablet): void {
    this.#often(EVERY.weather, async () => {
      const before = tablet.weather
      tablet.weather = this.#chance.weighted(WEATHERS)
      if (tablet.weather === before) return
      this.say(`${tablet.name} has a connection that is ${tablet.weather}`)
      if (before === 'away') await tablet.wake()
    })
    this.#often(EVERY.death, async () => {
      const tab = tablet.tabs.at(-1)
      if (!tab) return
      if (this.#chance.happens(0.5)) tablet.kill(tab)
      else tab.dies = { afterWrites: this.#chance.below(12), before: this.#chance.happens(0.5) }
    })
    this.#often(EVERY.tab, async () => {
      if (tablet.tabs.length < 3) await tablet.open()
    })
    this.#often(EVERY.clock, async () => {
      tablet.clockOffsetMs += Math.round(this.#chance.between(-30, 30)) * MINUTE
      this.say(`${tablet.name} has a clock that is ${tablet.clockOffsetMs / MINUTE} minutes ahead`)
    })
    this.#often(EVERY.full, async () => {
      tablet.isFull = true
      this.say(`${tablet.name} has a full disk`)
      this.timeline.in(this.#chance.around(20 * MINUTE), async () => {
        tablet.isFull = false
      })
    })
  }

  /** The merchant ends a hold that a till has. */
  async #release(): Promise<void> {
    const [held] = await this.server.database.run<[number], { guid: string; serial: string; since: Date }>(
      {
        name: 'simulated_held',
        text: `SELECT id::text AS guid, serial, hold_since AS since FROM voucher WHERE hold_id IS NOT NULL
               ORDER BY serial OFFSET $1 % greatest(1, (SELECT count(*) FROM voucher WHERE hold_id IS NOT NULL)) LIMIT 1`,
      },
      [this.#chance.below(1_000)],
    )
    if (!held) return
    const body = { guid: held.guid, since: new Date(held.since).toISOString() }
    const { status } = await post(this.#ask, '/api/voucher/release', body, await this.#main.token())
    this.say(`the merchant releases ${this.nameOf(held.serial)}: ${status}`)
    if (status === 200) this.released.add(held.serial)
  }

  /** Everybody goes home, and all browsers are closed. */
  #close(): void {
    this.isClosing = true
    for (const { tablet } of this.cashiers) for (const tab of tablet.tabs) tablet.kill(tab)
  }

  async #heal(): Promise<void> {
    this.say('the world is healed')
    this.#network.killsServers = false
    for (const server of this.#servers) if (!server.isUp) server.start()
    for (const { tablet } of this.cashiers) {
      tablet.weather = 'good'
      tablet.isFull = false
      await tablet.open()
    }
  }

  readonly #ask = (path: string, init?: RequestInit) => this.server.app.request(path, init)

  #hear(path: string, { status, body }: Answered): void {
    if (status !== 200) return
    const { data } = JSON.parse(body) as { data: { id?: string; receipt_number?: string; outcomes?: Outcome[] } }
    const receipts = path.endsWith('/redeem') ? [data] : (data.outcomes ?? []).map(({ receipt }) => receipt)
    for (const receipt of receipts) if (receipt?.receipt_number) this.heard.set(receipt.id!, receipt.receipt_number)
  }

  #often(mean: number, happen: () => Promise<unknown>): void {
    this.timeline.in(this.#chance.around(mean), async () => {
      if (this.isClosing) return
      await happen()
      this.#often(mean, happen)
    })
  }

  #every(ms: number, happen: () => Promise<unknown>): void {
    this.timeline.in(ms, async () => {
      await happen()
      this.#every(ms, happen)
    })
  }

  async #until(end: number): Promise<void> {
    let isNext = true
    while (isNext) isNext = await this.timeline.step(end)
  }
}

interface Outcome {
  receipt?: { id: string; receipt_number: string }
}

/** Of all that was said: two runs of one seed have the same. */
export const digestOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
