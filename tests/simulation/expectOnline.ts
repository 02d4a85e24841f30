import type { Tablet } from './Tablet.ts'
import type { World } from './World.ts'

/** The longest pause between a page's checks of the server, with its spread, the answer, and the time that the answer has to hold. */
const FOUND_WITHIN_MS = 60_000

/** Checks that each page knows that it is online, a minute after connection and servers are good. If not, it fails the world. */
export function expectOnline(world: World, { name, tabs, weather, weatherSince }: Tablet): void {
  const isBack = (since: number) => world.timeline.now - since > FOUND_WITHIN_MS
  if (weather !== 'good' || !isBack(weatherSince)) return
  if (!world.servers.every(({ isUp, upSince }) => isUp && isBack(upSince))) return
  for (const { code, number, startedAt } of tabs) {
    if (isBack(startedAt) && code.connectivity.verdict !== 'online')
      world.fail(`${name} believes that tab ${number} is ${code.connectivity.verdict}`)
  }
}
