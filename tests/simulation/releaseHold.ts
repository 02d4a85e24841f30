import { post } from '../support/api/portalClient.ts'
import type { TestSession } from '../support/redemptions/TestSession.ts'
import type { Chance } from './Chance.ts'
import { voucherName } from './Customers.ts'
import type { World } from './World.ts'

/** Lets the merchant end a hold of a till, if there is one. */
export async function releaseHold(world: World, main: TestSession, chance: Chance): Promise<void> {
  const [held] = await world.server.database.run<[number], { guid: string; serial: string; since: Date }>(
    {
      name: 'simulated_held',
      text: `SELECT v.id::text AS guid, v.serial, h.since FROM hold h JOIN voucher v ON v.id = h.voucher_id WHERE h.became IS NULL
             ORDER BY v.serial OFFSET $1 % greatest(1, (SELECT count(*) FROM hold WHERE became IS NULL)) LIMIT 1`,
    },
    [chance.below(1_000)],
  )
  if (!held) return
  const body = { guid: held.guid, since: new Date(held.since).toISOString() }
  const { status } = await post(world.ask, '/api/voucher/release', body, await main.token())
  world.say(`the merchant releases ${voucherName(held.serial)}: ${status}`)
  if (status === 200) world.endedByMerchant.add(held.serial)
}
