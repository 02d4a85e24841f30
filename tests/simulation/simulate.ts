import './buildConstants.ts'
import 'fake-indexeddb/auto'
import { AssertionError } from 'node:assert'
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startTestPostgres } from '../support/database/testDatabase.ts'
import { testServer } from '../support/server/testServer.ts'
import { installPageGlobals } from './pageGlobals.ts'
import { digestOf, World } from './World.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    days: { type: 'string', default: '1' },
    tills: { type: 'string', default: '4' },
    worlds: { type: 'string', default: '1' },
    /** After those worlds, others from seeds that nobody has tried, until so many seconds are over. */
    seconds: { type: 'string', default: '0' },
    /** Where to write down all that happened. */
    story: { type: 'string' },
  },
})
const seed = Number(values.seed)
const options = { days: Number(values.days), tills: Number(values.tills), servers: 2 }

await liveAll()

/** Until one is broken. */
async function liveAll(): Promise<void> {
  // A till loads it with its first call, and Node takes its time over that.
  await import('ky')
  const postgres = await startTestPostgres('shipped')
  process.env['TEST_DATABASE_URL'] = postgres.url
  installPageGlobals()
  try {
    for (let n = 0; n < Number(values.worlds); n += 1) if (!(await live(seed + n))) return
    while (performance.now() < Number(values.seconds) * 1_000) if (!(await live(randomInt(2 ** 31)))) return
  } finally {
    await postgres.stop()
  }
}

/** One world; whether it kept its promises. */
async function live(of: number): Promise<boolean> {
  const server = await testServer()
  const story: string[] = []
  const before = process.cpuUsage()
  const world = new World(server, { ...options, seed: of }, (line) => story.push(line))
  try {
    await world.live()
    const { user, system } = process.cpuUsage(before)
    const cost = `${((user + system) / 1e6).toFixed(1)} s`
    console.log(
      `seed ${of} kept: ${world.timeline.steps} events, ${world.heard.size} receipts, ${cost}, story ${digestOf(story)}`,
    )
    return true
  } catch (error) {
    process.exitCode = 1
    console.log(
      `seed ${of} broke at event ${world.timeline.steps}: ${error instanceof AssertionError ? error.message : String((error as Error).stack)}`,
    )
    console.log(`npm run simulate -- --seed ${of} --days ${options.days} --tills ${options.tills} --story story.txt`)
    return false
  } finally {
    if (values.story) writeFileSync(values.story, `${story.join('\n')}\n`)
    await server.close()
  }
}
