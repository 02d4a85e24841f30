import type { Tablet } from './Tablet.ts'
import type { World } from './World.ts'

/** The longest rest of a page that asks whether the server is there, with its spread, its answer, and how long that has to hold. */
const FOUND_WITHIN_MS = 60_000

/** A minute after connection and servers are good, each page knows it. Says so to the world, now and then, when it does not hold. */
export function expectOnline(world: World, { name, tabs, weather, weatherSince }: Tablet): void {
  const isBack = (since: number) => world.timeline.now - since > FOUND_WITHIN_MS
  if (weather !== 'good' || !isBack(weatherSince)) return
  if (!world.servers.every(({ isUp, upSince }) => isUp && isBack(upSince))) return
  for (const { code, number, startedAt } of tabs) {
    if (isBack(startedAt) && code.connectivity.verdict !== 'online')
      world.fail(`${name} believes that tab ${number} is ${code.connectivity.verdict}`)
  }
}
