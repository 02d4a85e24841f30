import { v7 as uuidv7 } from 'uuid'
import { Cashier } from './Cashier.ts'
import type { Chance } from './Chance.ts'
import type { Network } from './Network.ts'
import { Tablet } from './Tablet.ts'
import type { Troubles } from './Troubles.ts'
import type { World } from './World.ts'

interface Parts {
  network: Network
  chance: Chance
  troubles: Troubles
}

/** Opens a till. Every fourth has an older browser. */
export async function openTill(world: World, { network, chance, troubles }: Parts, number: number): Promise<Cashier> {
  const tablet = new Tablet({
    name: `till ${number}`,
    hasLocks: number % 4 !== 0,
    tillId: uuidv7(),
    timeline: world.timeline,
    network,
    chance: chance.fork(),
    log: (line) => world.say(line),
  })
  await world.logins.employAt(tablet)
  const cashier = new Cashier(world, tablet, chance.fork())
  await tablet.open()
  cashier.open()
  troubles.of(tablet)
  troubles.ofCashiers(tablet)
  return cashier
}
