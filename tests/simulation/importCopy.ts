import { readRescueKey } from '../../server/services/redemptions/rescueCopies.ts'
import type { UploadOutcome } from '../../src/contract/redemptions/redeem.ts'
import { sealWaiting } from '../../src/offline/redemptions/rescueCopy.ts'
import { TillDatabase } from '../../src/offline/store/till.ts'
import { post } from '../support/api/portalClient.ts'
import type { Merchant } from '../support/database/builders.ts'
import type { TestSession } from '../support/redemptions/TestSession.ts'
import type { Cashier } from './Cashier.ts'
import type { Chance } from './Chance.ts'
import type { Tablet } from './Tablet.ts'
import type { World } from './World.ts'

const MINUTE = 60_000

/** Somebody saves a rescue copy of what waits on a till, and the merchant imports it later, now and then twice. A customer
 * may come back with a voucher that is in it. */
export async function saveAndImportCopy(
  world: World,
  at: { merchant: Merchant; main: TestSession },
  cashier: Cashier,
  chance: Chance,
) {
  const { tablet } = cashier
  // A disk that takes nothing makes no copy.
  if (tablet.isFull) return
  const key = await readRescueKey(world.server.deps, at.merchant)
  const till = { id: tablet.parts.tillId, name: tablet.name }
  const database = tablet.readDisk(() => new TillDatabase())
  const { copies, rows } = await sealWaiting(database, key, till, world.timeline.now)
  database.close()
  const later = [chance.around(20 * MINUTE), ...(chance.happens(0.3) ? [chance.around(300 * MINUTE)] : [])]
  if (rows.length === 0) return
  world.say(`${tablet.name} has a rescue copy of ${rows.length}`)
  if (chance.happens(0.5)) await cashier.changeMind(chance.pick(rows).id)
  for (const ms of later) {
    world.timeline.in(ms, async () => {
      for (const copy of copies) await importCopy(world, at.main, tablet, copy)
    })
  }
}

async function importCopy(world: World, main: TestSession, tablet: Tablet, copy: string): Promise<void> {
  const { status, data } = await post<{ rows: { serial: string; result: UploadOutcome }[] }>(
    world.ask,
    '/api/rescue/import',
    { copy },
    await main.token(),
  )
  world.say(
    `the merchant imports a rescue copy of ${tablet.name}: ${status} ${data.rows.map(({ result }) => result.outcome).join(' ')}`,
  )
  for (const { serial, result } of data.rows) world.history.imported(serial, result)
}
