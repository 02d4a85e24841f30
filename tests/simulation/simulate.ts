import 'fake-indexeddb/auto'
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startTestPostgres } from '../support/database/testDatabase.ts'
import { buildPage } from './buildPage.ts'
import { digestOf, liveWorld, type Life } from './liveWorld.ts'
import { countSteps } from './stillness.ts'
import { TROUBLES } from './Troubles.ts'
import type { WorldOptions } from './World.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    days: { type: 'string', default: '1' },
    tills: { type: 'string', default: '4' },
    hours: { type: 'string', default: '12' },
    worlds: { type: 'string', default: '1' },
    /** After those worlds, runs others with random seeds until so many seconds are over. */
    seconds: { type: 'string', default: '0' },
    /** Troubles to leave out, separated by commas. */
    without: { type: 'string', default: '' },
    /** File for the log of all events. */
    story: { type: 'string' },
  },
})
const seed = Number(values.seed)
const without = TROUBLES.filter((trouble) => values.without.split(',').includes(trouble))

/** Exit codes like those of a shell. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 }
/** True once the run is interrupted: its database goes away then, which breaks no promise. */
let isEnding = false
const lives: Omit<Life, 'story'>[] = []

await liveAll()
tellAll()

/** Runs worlds until one breaks a promise. */
async function liveAll(): Promise<void> {
  await buildPage()
  const postgres = await startTestPostgres('shipped')
  process.env['TEST_DATABASE_URL'] = postgres.url
  for (const [signal, code] of Object.entries(EXIT_CODES)) {
    process.once(signal, () => {
      isEnding = true
      void postgres.stop().finally(() => process.exit(code))
    })
  }
  countSteps()
  try {
    for (let n = 0; n < Number(values.worlds); n += 1) if (!(await keeps(seed + n))) return
    while (performance.now() < Number(values.seconds) * 1_000) if (!(await keeps(randomInt(2 ** 31)))) return
  } finally {
    await postgres.stop()
  }
}

/** Runs the world of this seed; true when it kept its promises. */
async function keeps(of: number): Promise<boolean> {
  const options = {
    seed: of,
    days: Number(values.days),
    tills: Number(values.tills),
    hours: Number(values.hours),
    servers: 2,
    without,
  }
  const life = await liveWorld(options)
  if (isEnding) return false
  if (values.story) writeFileSync(values.story, `${life.story.join('\n')}\n`)
  const { story, ...told } = life
  lives.push(told)
  const { broken, events, receipts, seconds } = told
  if (broken === undefined) {
    console.log(
      `seed ${of} kept: ${events} events, ${receipts} receipts, ${seconds.toFixed(1)} s, story ${digestOf(story)}`,
    )
    return true
  }
  process.exitCode = 1
  tellBroken({ options, life })
  return false
}

/** Prints totals, also after a broken promise. */
function tellAll(): void {
  const sum = (of: (life: (typeof lives)[number]) => number) => lives.reduce((total, life) => total + of(life), 0)
  const seconds = sum((life) => life.seconds).toFixed(1)
  console.log(
    `\n${lives.length} worlds, ${sum(({ events }) => events)} events, ${sum(({ receipts }) => receipts)} receipts, ${seconds} s`,
  )
}

function tellBroken({ options, life: { broken, events } }: { options: WorldOptions; life: Life }): void {
  const { seed: of, days, tills, hours, without: spared = [] } = options
  const less = spared.length > 0 ? ` --without '${spared.join(',')}'` : ''
  console.log(`seed ${of} broke at event ${events}: ${broken}`)
  console.log(
    `npm run simulate -- --seed ${of} --days ${days} --tills ${tills} --hours ${hours}${less} --story story.txt`,
  )
}
