import { and, eq, inArray, isNull, sum } from 'drizzle-orm'
import fc from 'fast-check'
import { expect } from 'vitest'
import { changeTill } from '../../../../server/db/redemptions/tills.ts'
import { acceptedVoucher } from '../../../../server/db/schema/allowance.ts'
import { redemption } from '../../../../server/db/schema/redemptions.ts'
import type { AllowanceRules } from '../../../../src/contract/redemptions/allowance.ts'
import type { BranchAllowance } from '../../../../src/contract/redemptions/allowanceEndpoints.ts'
import { addDays, singaporeDay } from '../../../../src/domain/singaporeTime.ts'
import { get, type Ask } from '../../../support/api/portalClient.ts'
import {
  makeMerchant,
  makePosUser,
  makeTill,
  makeVoucher,
  type Merchant,
  type Voucher,
} from '../../../support/database/builders.ts'
import { makeDeviceKey } from '../../../support/devices/reportingDevice.ts'
import { allow, signedCode } from '../../../support/redemptions/acceptingTill.ts'
import { TestSession } from '../../../support/redemptions/TestSession.ts'
import { newHoldKey, redeemHeld, verifyAt } from '../../../support/redemptions/testTill.ts'
import type { TestServer } from '../../../support/server/testServer.ts'
import { Tablet, type Connection, type TabletPlace } from './Tablet.ts'

const TILLS = 3
const VOUCHERS = 12

const till = fc.integer({ min: 0, max: TILLS - 1 })
/** Whoever has a copy shows it at any till, at any time. */
const voucher = fc.integer({ min: 0, max: VOUCHERS - 1 })
const connection = fc.constantFrom<Connection>('up', 'away', 'away', 'away', 'loses answers', 'repeats', 'late')
const rules = fc.record({
  voucher_cents: fc.constantFrom(500, 1_000, 1_000, 2_000),
  till_cents: fc.constantFrom(1_000, 2_000, 5_000),
  day_cents: fc.constantFrom(1_000, 3_000, 6_000),
  hours: fc.constantFrom(1, 4, 24),
  check_one_in: fc.constantFrom(0, 2),
})

const step = fc.oneof(
  { weight: 9, arbitrary: fc.record({ do: fc.constant('take' as const), till, voucher }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('connect' as const), till, connection }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('renew' as const), till }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), till }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 20, 90, 400, 1_500) }),
  },
  fc.record({ do: fc.constant('hold' as const), till, voucher }),
  fc.record({ do: fc.constant('elsewhere' as const), voucher }),
  fc.record({ do: fc.constant('crash' as const), till }),
  fc.record({ do: fc.constant('set clock' as const), till, minutes: fc.constantFrom(-600, -30, 10, 600) }),
  fc.record({ do: fc.constant('destroy' as const), till }),
  fc.record({ do: fc.constant('clear' as const), till }),
  fc.record({ do: fc.constant('revoke' as const), till }),
  fc.record({ do: fc.constant('change' as const), rules }),
)

export const history = fc.record({ rules, steps: fc.array(step, { minLength: 6, maxLength: 40 }) })

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

export interface HistoryPlace {
  server: TestServer
  verify: TabletPlace['verify']
  /** A counter of another merchant, whose connection is good. */
  other: { ask: Ask; token: () => Promise<string>; till: string }
}

/** One outage after another at one branch, from its first grant to the last answer. */
export class History {
  readonly #place: HistoryPlace
  #shop!: Merchant
  #owner!: TestSession
  #vouchers: Voucher[] = []
  #codes: string[] = []
  #tablets: Tablet[] = []
  /** That nobody will ever hear of again. */
  readonly #destroyed: Tablet[] = []
  /** The most that its manager was shown: of a day, and of each till when it was given up. In cents. */
  #shown = 0

  private constructor(place: HistoryPlace) {
    this.#place = place
  }

  static async run(place: HistoryPlace, asked: { rules: AllowanceRules; steps: readonly Step[] }) {
    const one = new History(place)
    await one.#begin(asked.rules)
    for (const each of asked.steps) await one.#carryOut(each)
    await one.#end()
    await one.#judge()
  }

  get #db() {
    return this.#place.server.database.db
  }

  async #begin(first: AllowanceRules) {
    const { server } = this.#place
    // A day of its own: nothing of the history before counts.
    server.clock.advance({ days: 2 })
    this.#shop = await makeMerchant(this.#db)
    this.#owner = await TestSession.begin(server, this.#shop.main.id)
    await this.#change(first)
    const expiresOn = addDays(singaporeDay(server.clock.now()), 400)
    for (let n = 0; n < VOUCHERS; n++) {
      const made = await makeVoucher(this.#db, { denominationCents: n % 2 ? 1_000 : 500, expiresOn })
      this.#vouchers.push(made)
      this.#codes.push(await signedCode(server.deps, made))
    }
    for (let n = 0; n < TILLS; n++) this.#tablets.push(await this.#newTablet())
    for (const tablet of this.#tablets) {
      await tablet.renew()
      tablet.connection = 'away'
    }
  }

  async #newTablet(): Promise<Tablet> {
    const { server, verify } = this.#place
    const user = await makePosUser(this.#db, this.#shop)
    const key = await makeDeviceKey()
    const now = server.clock.now()
    const made = await makeTill(this.#db, user, { publicKey: key.publicKey, enrolledAt: now, provenAt: now })
    return new Tablet({ server, verify, key, user, till: made, session: await TestSession.begin(server, user.id) })
  }

  async #carryOut(one: Step) {
    if (one.do === 'wait') return this.#place.server.clock.advance({ minutes: one.minutes })
    if (one.do === 'change') return this.#change(one.rules)
    if (one.do === 'elsewhere') return this.#redeemElsewhere(this.#vouchers[one.voucher]!)
    const tablet = this.#tablets[one.till]!
    switch (one.do) {
      case 'take':
        return tablet.take(this.#codes[one.voucher]!)
      case 'hold':
        return tablet.take(this.#codes[one.voucher]!, false)
      case 'connect':
        tablet.connection = one.connection
        return undefined
      case 'renew':
        return tablet.renew()
      case 'send':
        return tablet.send()
      case 'crash':
        return tablet.start()
      case 'set clock':
        return tablet.setClock(one.minutes)
      case 'destroy':
        return this.#destroy(one.till)
      case 'clear':
        return this.#clear(tablet)
      case 'revoke':
        return this.#revoke(tablet)
    }
  }

  async #change(to: AllowanceRules) {
    // A record of fast-check may have no prototype, which Drizzle looks at.
    await allow(this.#db, this.#shop.branch, { ...to })
    this.#shown = Math.max(this.#shown, to.day_cents)
  }

  async #redeemElsewhere({ serial }: Voucher) {
    const { ask, token, till: id } = this.#place.other
    const key = newHoldKey()
    if ((await verifyAt(ask, await token(), id, serial, key)).status === 200) await redeemHeld(ask, serial, key)
  }

  /** A new one stands in its place. Its share stays out until somebody revokes it. */
  async #destroy(at: number) {
    this.#destroyed.push(...this.#tablets.splice(at, 1, await this.#newTablet()))
  }

  /** The page says what the till may have accepted before it is given up. */
  async #giveUp(tablet: Tablet) {
    const { server } = this.#place
    const ask: Ask = (path, init) => server.app.request(path, init)
    const { data } = await get<BranchAllowance>(
      ask,
      `/api/branch/allowance/${this.#shop.branch.id}`,
      await this.#owner.token(),
    )
    this.#shown += data.tills.find(({ guid }) => guid === tablet.place.till.guid)?.cents ?? 0
  }

  async #revoke(tablet: Tablet) {
    await this.#giveUp(tablet)
    await changeTill(this.#db, tablet.place.till.guid, { revokedAt: this.#place.server.clock.now() })
  }

  /** What it had accepted is lost, and a manager enrols it again. */
  async #clear(tablet: Tablet) {
    await this.#giveUp(tablet)
    await tablet.clearStorage()
    const now = this.#place.server.clock.now()
    await changeTill(this.#db, tablet.place.till.guid, { enrolledAt: now, revokedAt: null })
  }

  /** Every tablet that is left has a connection, for longer than any hold lasts. */
  async #end() {
    for (const tablet of this.#tablets) tablet.connection = 'up'
    for (let round = 0; round < 3; round++) {
      for (const tablet of this.#tablets) {
        await tablet.start()
        await tablet.send()
      }
      this.#place.server.clock.advance({ hours: 25 })
    }
  }

  async #judge() {
    await this.#expectOneRedemptionEach()
    await this.#expectWithinWhatWasShown()
    for (const tablet of this.#tablets) await this.#expectEnds(tablet)
  }

  async #expectOneRedemptionEach() {
    const ids = this.#vouchers.map(({ id }) => id)
    const found = await this.#db
      .select({ id: redemption.voucherId })
      .from(redemption)
      .where(and(inArray(redemption.voucherId, ids), isNull(redemption.voidedAt)))
    expect(new Set(found.map(({ id }) => id)).size, 'no voucher is redeemed twice').toBe(found.length)
  }

  /** Also what no tablet can tell any more: the shop gave something for it. */
  async #expectWithinWhatWasShown() {
    const days = new Map<string, number>()
    for (const { accepted } of [...this.#tablets, ...this.#destroyed])
      for (const { cents, at } of accepted.values()) {
        const day = singaporeDay(at)
        days.set(day, (days.get(day) ?? 0) + cents)
      }
    for (const [day, cents] of days) expect(cents, `accepted on ${day}`).toBeLessThanOrEqual(this.#shown)
    const [lost] = await this.#db
      .select({ cents: sum(acceptedVoucher.cents) })
      .from(acceptedVoucher)
      .where(and(eq(acceptedVoucher.branchId, this.#shop.branch.id), eq(acceptedVoucher.outcome, 'lost')))
    expect(Number(lost?.cents ?? 0)).toBeLessThanOrEqual([...days.values()].reduce((all, one) => all + one, 0))
  }

  /** Nothing waits, nothing disappears, and till and server say the same of it. */
  async #expectEnds(tablet: Tablet) {
    const said = await this.#db
      .select()
      .from(acceptedVoucher)
      .where(eq(acceptedVoucher.tillGuid, tablet.place.till.guid))
    for (const row of await tablet.rows()) {
      expect(['asking', 'held', 'confirmed', 'cancelling', 'accepted']).not.toContain(row.state)
      if (!row.accepted) continue
      const outcome = said.find(({ id }) => id === row.id)?.outcome
      expect({ state: row.state, outcome }).toEqual({ state: ENDS[outcome as keyof typeof ENDS], outcome })
    }
  }
}

const ENDS = { redeemed: 'receipted', lost: 'lost', review: 'attention' } as const
