import { v7 as uuidv7 } from 'uuid'
import { makeUser, type Merchant } from '../support/database/builders.ts'
import { answerUpdate } from './answerUpdate.ts'
import { Cashier } from './Cashier.ts'
import type { Chance } from './Chance.ts'
import { Manager } from './Manager.ts'
import type { Network } from './Network.ts'
import { Tablet } from './Tablet.ts'
import type { Troubles } from './Troubles.ts'
import type { World } from './World.ts'

interface Parts {
  network: Network
  chance: Chance
  troubles: Troubles
}

/** Every fourth has an older browser, and every second has a build that has been replaced. */
export async function openTill(world: World, parts: Parts, number: number): Promise<Cashier> {
  const its = { name: `till ${number}`, isCounter: true, hasLocks: number % 4 !== 0 }
  const tablet = makeTablet(world, parts, { ...its, build: number % 2 })
  await world.logins.employAt(tablet)
  const cashier = new Cashier(world, tablet, parts.chance.fork())
  await tablet.open()
  cashier.open()
  parts.troubles.of(tablet)
  parts.troubles.ofCashiers(tablet)
  return cashier
}

export async function openOffice(world: World, parts: Parts, merchant: Merchant): Promise<Manager> {
  const user = await makeUser(world.server.database.db, 'HRP Merchant', merchant)
  const its = { name: 'office', isCounter: false, hasLocks: parts.chance.happens(0.75), build: 1 }
  const tablet = makeTablet(world, parts, its)
  const manager = new Manager(world, tablet, user, parts.chance.fork())
  await tablet.open()
  await tablet.open()
  manager.open()
  parts.troubles.of(tablet)
  parts.troubles.ofManager(manager)
  return manager
}

function makeTablet(
  world: World,
  { network, chance }: Parts,
  its: Pick<ConstructorParameters<typeof Tablet>[0], 'name' | 'isCounter' | 'hasLocks' | 'build'>,
): Tablet {
  const answers = chance.fork()
  return new Tablet({
    ...its,
    tillId: uuidv7(),
    timeline: world.timeline,
    network,
    chance: chance.fork(),
    log: (line) => world.say(line),
    fail: (promise) => world.fail(promise),
    onUpdate: (tab, phase) => answerUpdate(world, answers, tab, phase),
    onReady: (id) => world.downloads.ready(id),
  })
}
