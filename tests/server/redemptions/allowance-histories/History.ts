import { and, eq, inArray, isNull } from 'drizzle-orm'
import fc from 'fast-check'
import { expect } from 'vitest'
import { changeTill, findTill } from '../../../../server/db/redemptions/tills.ts'
import { acceptedVoucher } from '../../../../server/db/schema/allowance.ts'
import { redemption } from '../../../../server/db/schema/redemptions.ts'
import { hashToken, newToken } from '../../../../server/services/opaqueToken.ts'
import type { AllowanceRules } from '../../../../src/contract/redemptions/allowance.ts'
import type { BranchAllowance } from '../../../../src/contract/redemptions/allowanceEndpoints.ts'
import { addDays, singaporeDay } from '../../../../src/domain/singaporeTime.ts'
import { get, post, type Ask } from '../../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeTill,
  makeVouchers,
  type Branch,
  type Merchant,
  type Voucher,
} from '../../../support/database/builders.ts'
import { allow } from '../../../support/redemptions/acceptingTill.ts'
import { TestSession } from '../../../support/redemptions/TestSession.ts'
import { newHoldKey, redeemHeld, verifyAt } from '../../../support/redemptions/testTill.ts'
import type { TestServer } from '../../../support/server/testServer.ts'
import { Tablet, type Connection, type TabletPlace } from './Tablet.ts'

const TILLS = 3
const VOUCHERS = 16

const till = fc.integer({ min: 0, max: TILLS - 1 })
/** Whoever has a copy shows it at any till, at any time. */
const voucher = fc.integer({ min: 0, max: VOUCHERS - 1 })
/** That of one act; the tablet comes and goes. */
const asks = fc.constantFrom<Connection>('up', 'up', 'up', 'loses answers', 'repeats', 'late')
const sends = fc.constantFrom<Connection>('up', 'no uploads', 'loses answers', 'repeats', 'late')
const takes = fc.constantFrom<Connection>('away', 'away', 'away', 'away', 'up', 'loses answers', 'late')
const rules: fc.Arbitrary<AllowanceRules> = fc.record({
  voucher_cents: fc.constantFrom(500, 1_000, 1_000, 1_000),
  till_cents: fc.constantFrom(1_000, 3_000, 5_000),
  day_cents: fc.constantFrom(3_000, 6_000),
  hours: fc.constantFrom(1, 4, 24),
})

const step = fc.oneof(
  { weight: 14, arbitrary: fc.record({ do: fc.constant('take' as const), till, voucher, over: takes }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('renew' as const), till, over: asks }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), till, over: sends }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 20, 90, 1_500) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('change' as const), rules }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), till }) },
  fc.record({ do: fc.constant('hold' as const), till, voucher }),
  fc.record({ do: fc.constant('elsewhere' as const), voucher }),
  fc.record({ do: fc.constant('crash' as const), till }),
  fc.record({ do: fc.constant('set clock' as const), till, minutes: fc.constantFrom(-600, -30, 10, 600) }),
  fc.record({ do: fc.constant('destroy' as const), till }),
  fc.record({ do: fc.constant('clear' as const), till }),
  fc.record({ do: fc.constant('revoke' as const), till }),
)

export const history = fc.record({ rules, steps: fc.array(step, { minLength: 10, maxLength: 50 }) })

const RULES: AllowanceRules = { voucher_cents: 1_000, till_cents: 5_000, day_cents: 10_000, hours: 24 }
const taken = (by: number, from: number, to: number): Step[] =>
  Array.from({ length: to - from }, (_, n) => ({ do: 'take', till: by, voucher: from + n, over: 'away' }))
const renewed = (by: number): Step => ({ do: 'renew', till: by, over: 'up' })
const exampleOf = (...between: Step[]): { rules: AllowanceRules; steps: Step[] } => ({
  rules: RULES,
  steps: [...taken(0, 0, 5), ...between, renewed(2), ...taken(1, 5, 10), ...taken(2, 10, 15)],
})

/** What a review thought of, and chance seldom does: a till asks again and again while what it has accepted is not uploaded. */
export const EXAMPLES = [
  exampleOf({ do: 'change', rules: { ...RULES, till_cents: 1_000 } }, renewed(0), renewed(0), {
    do: 'change',
    rules: RULES,
  }),
  exampleOf({ do: 'move', till: 0 }, renewed(0), renewed(0)),
]

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

export interface HistoryPlace {
  server: TestServer
  verify: TabletPlace['verify']
  /** Signed by the key of the programme. */
  codeOf: (voucher: Voucher) => string
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
  /** Two of one organisation; tablets are moved between them. */
  #branches: Branch[] = []
  /** The most that its manager was shown as what a day may cost at each of them. In cents. */
  #dayCents = 0
  /** What whoever gave a till up was told that it may still bring, and since which day. */
  readonly #told: { day: string; cents: number }[] = []

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
    const { server, codeOf } = this.#place
    // A day of its own: nothing of the history before counts.
    server.clock.advance({ days: 2 })
    this.#shop = await makeMerchant(this.#db)
    this.#branches = [this.#shop.branch, await makeBranch(this.#db, this.#shop.organisation)]
    this.#owner = await TestSession.begin(server, this.#shop.main.id)
    await this.#change(first)
    const expiresOn = addDays(singaporeDay(server.clock.now()), 400)
    this.#vouchers = await makeVouchers(this.#db, VOUCHERS, (n) => ({
      denominationCents: n < 15 ? 1_000 : 500,
      expiresOn,
    }))
    this.#codes = this.#vouchers.map(codeOf)
    for (let n = 0; n < TILLS; n++) this.#tablets.push(await this.#newTablet())
    for (const tablet of this.#tablets) await tablet.renew()
  }

  async #newTablet(): Promise<Tablet> {
    const { server, verify } = this.#place
    const token = newToken()
    const { user, session } = await this.#cashierAt(this.#branches[0]!)
    const now = server.clock.now()
    const till = await makeTill(this.#db, user, { tokenHash: hashToken(token), enrolledAt: now })
    return new Tablet({ server, verify, token, user, till, session })
  }

  async #cashierAt(branch: Branch) {
    const user = await makePosUser(this.#db, { organisation: this.#shop.organisation, branch })
    return { user, session: await TestSession.begin(this.#place.server, user.id) }
  }

  async #carryOut(one: Step) {
    if (one.do === 'wait') return this.#place.server.clock.advance({ minutes: one.minutes })
    if (one.do === 'change') return this.#change(one.rules)
    if (one.do === 'elsewhere') return this.#redeemElsewhere(this.#vouchers[one.voucher]!)
    const tablet = this.#tablets[one.till]!
    if ('over' in one) tablet.connection = one.over
    switch (one.do) {
      case 'take':
        return tablet.take(this.#codes[one.voucher]!)
      case 'hold':
        return tablet.take(this.#codes[one.voucher]!, false)
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
      case 'move':
        return this.#move(tablet)
    }
  }

  async #change(to: AllowanceRules) {
    // A record of fast-check may have no prototype, which Drizzle looks at.
    for (const branch of this.#branches) await allow(this.#db, branch, { ...to })
    this.#dayCents = Math.max(this.#dayCents, to.day_cents)
  }

  async #redeemElsewhere({ serial }: Voucher) {
    const { ask, token, till: id } = this.#place.other
    const key = newHoldKey()
    if ((await verifyAt(ask, await token(), id, serial, key)).status === 200) await redeemHeld(ask, key)
  }

  /** A new one stands in its place. Its share stays out until somebody revokes it. */
  async #destroy(at: number) {
    this.#destroyed.push(...this.#tablets.splice(at, 1, await this.#newTablet()))
  }

  #ask: Ask = (path, init) => this.#place.server.app.request(path, init)

  /** The page of its branch says what the till may have accepted before it is given up. */
  async #giveUp({ place: { till } }: Tablet) {
    const day = singaporeDay(this.#place.server.clock.now())
    for (const { id } of this.#branches) {
      const { data } = await get<BranchAllowance>(this.#ask, `/api/branch/allowance/${id}`, await this.#owner.token())
      const out = data.tills.find(({ guid }) => guid === till.guid || this.#before.get(guid) === till.id)
      if (out) this.#told.push({ day, cents: out.cents })
    }
  }

  /** Rows of tills at branches where they do not work any more, and whose they were. */
  readonly #before = new Map<string, string>()

  async #revoke(tablet: Tablet) {
    await this.#giveUp(tablet)
    const path = `/api/device/${tablet.place.till.guid}/revoke`
    await post(this.#ask, path, { remove: false }, await this.#owner.token())
  }

  /** To the other branch, where somebody else stands at it. One that was revoked stays. */
  async #move(tablet: Tablet) {
    const { till } = tablet.place
    const to = this.#branches.find(({ id }) => id !== till.branchId)!
    const body = { branch_guid: to.id }
    const moved = await post(this.#ask, `/api/device/${till.guid}/move`, body, await this.#owner.token())
    if (moved.status !== 200) return
    this.#before.set(till.guid, till.id)
    const there = await findTill(this.#db, to.id, till.id)
    this.#before.delete(there!.guid)
    tablet.place = { ...tablet.place, till: there!, ...(await this.#cashierAt(to)) }
    await tablet.start()
  }

  /** What it had accepted is lost, and a manager enrols it again. */
  async #clear(tablet: Tablet) {
    await this.#giveUp(tablet)
    await tablet.clearStorage()
    const now = this.#place.server.clock.now()
    const token = newToken()
    tablet.place = { ...tablet.place, token }
    const enrolled = { tokenHash: hashToken(token), enrolledAt: now, revokedAt: null }
    await changeTill(this.#db, tablet.place.till.guid, enrolled)
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
    this.#expectWithinWhatWasShown()
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
  #expectWithinWhatWasShown() {
    const days = new Map<string, { day: string; cents: number }>()
    for (const { accepted } of [...this.#tablets, ...this.#destroyed])
      for (const { cents, at, branchId } of accepted.values()) {
        const day = singaporeDay(at)
        const key = `${branchId} ${day}`
        days.set(key, { day, cents: (days.get(key)?.cents ?? 0) + cents })
      }
    for (const { day, cents } of days.values()) {
      const told = this.#told.reduce((all, one) => (one.day <= day ? all + one.cents : all), 0)
      expect(cents, `accepted on ${day}`).toBeLessThanOrEqual(this.#dayCents + told)
    }
  }

  /** Nothing waits, nothing disappears, and till and server say the same of it. */
  async #expectEnds(tablet: Tablet) {
    const said = await this.#db.select().from(acceptedVoucher).where(eq(acceptedVoucher.tillId, tablet.place.till.id))
    for (const row of await tablet.rows()) {
      expect(['asking', 'held', 'confirmed', 'cancelling', 'accepted']).not.toContain(row.state)
      if (!row.accepted) continue
      const outcome = said.find(({ id }) => id === row.id)?.outcome
      expect({ state: row.state, outcome }).toEqual({ state: ENDS[outcome as keyof typeof ENDS], outcome })
    }
  }
}

const ENDS = { redeemed: 'receipted', lost: 'lost', review: 'attention' } as const
