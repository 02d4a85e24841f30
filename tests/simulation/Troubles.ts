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

/** The troubles of a world, and the mean time between two of the same kind. */
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

/** The chance that the connection fails right after a voucher was verified. */
const GONE_AFTER_VERIFY = 0.02

/** Factors on these frequencies, one for each world: most faults need two troubles at once, and some need quiet. */
const ROUGHNESS = [1, 4, 16]

const WEATHERS = { good: 60, bad: 20, away: 17, captive: 3 } satisfies Record<Weather, number>

/** Makes things go wrong in a world, at random moments. Each kind has its own chances for each tablet. */
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

  /** Troubles of the cashiers at a till. */
  ofCashiers(tablet: Tablet): void {
    this.often('logout', () => this.#world.logins.logOut(tablet))
    this.often('second cashier', () => this.#world.logins.change(tablet))
    this.often('deactivation', () => this.#world.logins.deactivate(tablet))
  }

  /** Troubles that do not belong to one tablet. */
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

  /** Called after a voucher was verified on the tablet. */
  afterVerify(tablet: Tablet): void {
    const goes = this.#verifying.happens(GONE_AFTER_VERIFY * this.#roughness)
    if (!goes || this.#world.isClosing || this.#world.options.without?.includes('gone after verify')) return
    this.#world.say(`${tablet.name} has a connection that is away`)
    tablet.become('away')
  }

  /** Plans a trouble again and again. When one is left out, all others stay the same. */
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

/** Kills one of the tablet's tabs, even the one that sends: at once, or at one of its next writes. */
function killOne(tablet: Tablet, chance: Chance): void {
  if (tablet.tabs.length === 0) return
  const tab = chance.pick(tablet.tabs)
  if (chance.happens(0.5)) tablet.kill(tab)
  else tab.dies = { afterWrites: chance.below(12), before: chance.happens(0.5) }
}
