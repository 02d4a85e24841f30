import type { Merchant } from '../support/database/builders.ts'
import type { TestSession } from '../support/redemptions/TestSession.ts'
import type { Chance } from './Chance.ts'
import type { Weather } from './Network.ts'
import { releaseHold } from './releaseHold.ts'
import { revokeTill } from './revokeTill.ts'
import type { Tablet } from './Tablet.ts'
import type { World } from './World.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** What troubles a world, and how often one of it happens on average. */
const EVERY = {
  weather: 2 * HOUR,
  death: 9 * HOUR,
  tab: 12 * HOUR,
  clock: 48 * HOUR,
  'full disk': 72 * HOUR,
  release: 3 * HOUR,
  logout: 12 * HOUR,
  'second cashier': 12 * HOUR,
  deactivation: 24 * HOUR,
  deployment: 12 * HOUR,
  revocation: 240 * HOUR,
}

export type Trouble = keyof typeof EVERY | 'killed server' | 'gone after verify' | 'expiry'

export const TROUBLES: readonly Trouble[] = [
  ...(Object.keys(EVERY) as (keyof typeof EVERY)[]),
  'killed server',
  'gone after verify',
  'expiry',
]

/** How often the connection goes while a cashier has a voucher in hand. */
const GONE_AFTER_VERIFY = 0.02

/** How much more often than that in a world: most faults need two troubles at once, and some need quiet. */
const ROUGHNESS = [1, 4, 16]

const WEATHERS = { good: 60, bad: 20, away: 17, captive: 3 } satisfies Record<Weather, number>

/** What goes wrong in a world, at moments that nobody expects. Each kind has chances of its own for each tablet. */
export class Troubles {
  readonly #world: World
  readonly #chance: Chance
  readonly #roughness: number
  readonly #verifying: Chance

  constructor(world: World, chance: Chance) {
    this.#world = world
    this.#chance = chance
    this.#roughness = chance.pick(ROUGHNESS)
    this.#verifying = chance.fork()
  }

  of(tablet: Tablet): void {
    this.often('weather', async (chance) => {
      const weather = chance.weighted(WEATHERS)
      if (tablet.weather === weather) return
      this.#world.say(`${tablet.name} has a connection that is ${weather}`)
      tablet.become(weather)
    })
    this.often('death', async (chance) => killOne(tablet, chance))
    this.often('tab', async () => {
      if (tablet.tabs.length < 3) await tablet.open()
    })
    this.often('clock', async (chance) => {
      tablet.clockOffsetMs += Math.round(chance.between(-30, 30)) * MINUTE
      this.#world.say(`${tablet.name} has a clock that is ${tablet.clockOffsetMs / MINUTE} minutes ahead`)
    })
    this.often('full disk', async (chance) => {
      tablet.isFull = true
      this.#world.say(`${tablet.name} has a full disk`)
      this.#world.timeline.in(chance.around(20 * MINUTE), async () => {
        tablet.isFull = false
      })
    })
  }

  /** What happens to the people at a till. */
  ofCashiers(tablet: Tablet): void {
    this.often('logout', () => this.#world.logins.logOut(tablet))
    this.often('second cashier', () => this.#world.logins.change(tablet))
    this.often('deactivation', () => this.#world.logins.deactivate(tablet))
  }

  /** What does not happen to one tablet. */
  ofAll(merchant: Merchant, main: TestSession): void {
    this.often('release', (chance) => releaseHold(this.#world, main, chance))
    this.often('deployment', async (chance) => {
      this.#world.say('a deployment restarts the servers')
      for (const server of this.#world.servers) {
        server.isUp = false
        this.#world.timeline.in(chance.between(5_000, 30_000), async () => server.start())
      }
    })
    const at = { merchant, main }
    for (const cashier of this.#world.cashiers) {
      this.often('revocation', () => revokeTill(this.#world, at, cashier.tablet))
    }
  }

  /** A voucher was just verified on it. */
  afterVerify(tablet: Tablet): void {
    const goes = this.#verifying.happens(GONE_AFTER_VERIFY * this.#roughness)
    if (!goes || this.#world.isClosing || this.#world.options.without?.includes('gone after verify')) return
    this.#world.say(`${tablet.name} has a connection that is away`)
    tablet.become('away')
  }

  /** A world that is spared one trouble has all the others as they were. */
  often(trouble: keyof typeof EVERY, happen: (chance: Chance) => Promise<unknown>): void {
    const chance = this.#chance.fork()
    if (this.#world.options.without?.includes(trouble)) return
    const next = () =>
      this.#world.timeline.in(chance.around(EVERY[trouble] / this.#roughness), async () => {
        if (this.#world.isClosing) return
        await happen(chance)
        next()
      })
    next()
  }
}

/** One of its tabs, whichever sends: at once, or at one of the next things that it writes. */
function killOne(tablet: Tablet, chance: Chance): void {
  if (tablet.tabs.length === 0) return
  const tab = chance.pick(tablet.tabs)
  if (chance.happens(0.5)) tablet.kill(tab)
  else tab.dies = { afterWrites: chance.below(12), before: chance.happens(0.5) }
}
