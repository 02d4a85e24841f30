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

/** Every fourth has an older browser, and every second was installed with the release before. */
export async function openTill(world: World, parts: Parts, number: number): Promise<Cashier> {
  const its = { name: `till ${number}`, isCounter: true, hasLocks: number % 4 !== 0 }
  const tablet = makeTablet(world, parts, { ...its, isOlder: number % 2 === 0 })
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
  const its = { name: 'office', isCounter: false, hasLocks: parts.chance.happens(0.75), isOlder: false }
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
  { isOlder, ...its }: { name: string; isCounter: boolean; hasLocks: boolean; isOlder: boolean },
): Tablet {
  const answers = chance.fork()
  return new Tablet({
    ...its,
    tillId: uuidv7(),
    timeline: world.timeline,
    network,
    chance: chance.fork(),
    build: { id: isOlder ? 0 : 1, isOlder },
    log: (line) => world.say(line),
    fail: (promise) => world.fail(promise),
    onUpdate: (tab, phase) => answerUpdate(world, answers, tab, phase),
    onReady: (id) => world.downloads.ready(id),
  })
}
