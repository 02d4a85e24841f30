import type { Life } from './liveWorld.ts'
import { TROUBLES } from './Troubles.ts'
import type { WorldOptions } from './World.ts'

/** The same promise, whatever the numbers of its vouchers and tills. */
const kindOf = (broken: string | undefined) => broken?.replaceAll(/\d+/g, '#')

/**
 * The smallest world in which the promise is broken that `life` broke: spared one trouble after the other, for fewer tills and a
 * shorter time, as long as that still breaks it. Stops at `until`, by the clock of `performance.now()`.
 */
export async function shrinkWorld(
  broken: { options: WorldOptions; life: Life },
  live: (options: WorldOptions) => Promise<Life>,
  until: number,
): Promise<{ options: WorldOptions; life: Life }> {
  let smallest = broken
  const tried = new Set<string>()
  for (let next = smallerThan(smallest.options, tried); next; next = smallerThan(smallest.options, tried)) {
    if (performance.now() > until) break
    tried.add(JSON.stringify(next))
    const life = await live(next)
    if (kindOf(life.broken) === kindOf(broken.life.broken)) smallest = { options: next, life }
  }
  return smallest
}

/** One step smaller, in a way that was not tried. */
function smallerThan(options: WorldOptions, tried: ReadonlySet<string>): WorldOptions | undefined {
  const { days, tills, without = [] } = options
  const changes: Partial<WorldOptions>[] = [
    ...[1 / 4, 1 / 2, 3 / 4].map((part) => ({ days: days * part })),
    ...(tills > 1 ? [{ tills: 1 }, { tills: tills - 1 }] : []),
    ...TROUBLES.filter((trouble) => !without.includes(trouble)).map((trouble) => ({ without: [...without, trouble] })),
  ]
  for (const change of changes) {
    const smaller = { ...options, ...change }
    if (smaller.days > SHORTEST_DAYS && !tried.has(JSON.stringify(smaller))) return smaller
  }
  return undefined
}

/** A quarter of an hour: then a customer or two have come. */
const SHORTEST_DAYS = 0.01
