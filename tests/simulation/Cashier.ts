import type { CheckResult } from '../../src/offline/redemptions/Till.ts'
import type { Chance } from './Chance.ts'
import { voucherName } from './Customers.ts'
import type { Tab } from './Tab.ts'
import type { Tablet } from './Tablet.ts'
import type { World } from './World.ts'

const MINUTE = 60_000
const CUSTOMER_EVERY = 7 * MINUTE

/** A cashier: scans what customers bring, redeems it or not, and now and then takes it back. */
export class Cashier {
  /** Ids of the holds for which this cashier pressed Redeem, whatever the result was. */
  readonly pressed = new Set<string>()
  /** Vouchers that this cashier redeemed, by the ids of their holds: from then on each must come to a visible end. */
  readonly taken = new Map<string, { serial: string; letGo: 'no' | 'asked' | 'yes' }>()
  readonly tablet: Tablet
  readonly #world: World
  readonly #chance: Chance

  constructor(world: World, tablet: Tablet, chance: Chance) {
    this.#world = world
    this.tablet = tablet
    this.#chance = chance
  }

  /** Serves a customer after a while, then the next, until the world's day is over. */
  open(): void {
    this.#world.timeline.in(this.#world.opensIn() + this.#chance.around(CUSTOMER_EVERY), async () => {
      if (this.#world.isClosing) return
      await this.#serve()
      this.open()
    })
  }

  async #serve(): Promise<void> {
    const tab = this.tablet.tabs.length === 0 ? await this.tablet.open() : this.#chance.pick(this.tablet.tabs)
    this.tablet.show(tab)
    this.tablet.token = await this.#world.logins.tokenOf(this.tablet)
    const serial = this.#world.customers.bring(this.#chance, [...this.#world.waiting.values()])
    this.#say(`scans ${voucherName(serial)}`)
    const voucher = { serial, owner: 'cashier', owner_name: this.tablet.name, till: this.tablet.parts.tillId }
    await tab.act(() => void tab.till.verify(voucher).then((asked) => this.#look(tab, serial, asked)))
  }

  #look(tab: Tab, serial: string, asked: CheckResult): void {
    this.#say(`is told ${asked.is}${asked.is === 'refused' ? ` ${asked.refused.code}` : ''}`)
    if (asked.is !== 'held') return
    const { id } = asked.row
    const decision = this.#chance.weighted({ take: 88, giveBack: 8, forget: 2, late: 2 })
    if (decision === 'forget') return
    const after = decision === 'late' ? this.#chance.between(9, 12) * MINUTE : this.#chance.between(3_000, MINUTE)
    tab.after(after, () => void (decision === 'giveBack' ? tab.till.cancel(id) : this.#take(tab, id, serial)))
  }

  async #take(tab: Tab, id: string, serial: string): Promise<void> {
    this.pressed.add(id)
    const confirmed = (await tab.till.confirm([id])).get(id)!
    this.#say(`takes ${voucherName(serial)}: ${confirmed.is}`)
    if (confirmed.is !== 'confirmed') return
    this.taken.set(id, { serial, letGo: 'no' })
    if (!this.#world.heard.has(id)) this.#world.waiting.set(id, serial)
    if (!this.#chance.happens(0.05)) return
    // Most mistakes are seen at once.
    const after = this.#chance.happens(0.5) ? this.#chance.between(0, 10_000) : this.#chance.between(0, 6 * MINUTE)
    tab.after(after, () => void this.#takeBack(tab, id))
  }

  async #takeBack(tab: Tab, id: string): Promise<void> {
    const taken = this.taken.get(id)!
    this.#say(`takes ${voucherName(taken.serial)} back`)
    // Set before the answer, because the tab may die before it answers.
    taken.letGo = 'asked'
    const voided = await tab.till.voidRedeemed(id)
    this.#say(`is told ${voided.is}`)
    if (voided.is === 'voided' || voided.is === 'refused') taken.letGo = 'no'
    if (voided.is !== 'cancelled') return
    taken.letGo = 'yes'
    this.#world.waiting.delete(id)
  }

  #say(what: string): void {
    this.#world.say(`${this.tablet.name} ${what}`)
  }
}
