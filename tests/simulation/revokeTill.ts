import { post, send } from '../support/api/portalClient.ts'
import type { Merchant } from '../support/database/builders.ts'
import type { TestSession } from '../support/redemptions/TestSession.ts'
import type { Tablet } from './Tablet.ts'
import type { World } from './World.ts'

const BACK_AFTER = 20 * 60_000

/** Lets the merchant revoke a till. It takes nothing new, and all it took still counts. Twenty minutes later it is enrolled again. */
export async function revokeTill(
  world: World,
  { merchant, main }: { merchant: Merchant; main: TestSession },
  tablet: Tablet,
): Promise<void> {
  const [till] = await world.server.database.run<[string], { guid: string }>(
    { name: 'simulated_till', text: 'SELECT guid::text FROM till WHERE id = $1::uuid' },
    [tablet.parts.tillId],
  )
  const { status } = await post(world.ask, `/api/device/${till!.guid}/revoke`, { remove: false }, await main.token())
  world.say(`the merchant revokes ${tablet.name}: ${status}`)
  enrolLater(world, { merchant, main }, tablet)
}

function enrolLater(world: World, { merchant, main }: { merchant: Merchant; main: TestSession }, tablet: Tablet): void {
  world.timeline.in(BACK_AFTER, async () => {
    const token = await world.logins.tokenOf(tablet)
    if (world.isClosing) return
    // No user may work there now.
    if (token === undefined) return enrolLater(world, { merchant, main }, tablet)
    const asked = { branch_guid: merchant.branch.id, name: tablet.name }
    const { data } = await post<{ code: string }>(world.ask, '/api/device/enrolment', asked, await main.token())
    const body = { code: data.code }
    const answer = await send(world.ask, 'PUT', `/api/till/${tablet.parts.tillId}/enrolment`, { token, body })
    tablet.becomesTill(answer)
    world.say(`${tablet.name} is enrolled: ${answer.status}`)
  })
}
