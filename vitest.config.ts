import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Two cores: more workers would only wait for each other. Files share their modules (`isolate: false`): loading the modules again
// took half the time of a short run.
const WORKERS = 2
/** A third worker has work while others wait for a server to start, a disk or a lock. */
const POSTGRES_WORKERS = 3

/** These files wait most of the time. Started last, they would leave both cores idle. */
const WAITING = /\/(embedded|standby|failover|fullDisk|durability|killedServer|main)\.test\.ts$/

/**
 * Starts the waiting files first. Vitest sorts by durations, which a fresh clone does not have, and then begins with the largest
 * files.
 */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const waits = ({ moduleId }: TestSpecification) => WAITING.test(moduleId)
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))]
  }
}

/** Tests that run on the oldest supported PostgreSQL as well: migrations, and the statements that handle money. */
const OLDEST_TOO = [
  'database/starting',
  'redemptions/redemption',
  'redemptions/holds',
  'redemptions/holdRaces',
  'redemptions/batchRaces',
  'redemptions/holdsEnd',
  'redemptions/ledgerSeals',
  'redemptions/sealedVoids',
  'database/tenantWall',
].map((name) => `tests/server/${name}.test.ts`)
/** Runs only in the project `server-oldest`: it starts Debian's own version. */
const OLDEST_ONLY = ['tests/server/operations/composeDatabase.test.ts']

/** Constants that the build puts into the portal's code. Each project needs its own object, because Vitest empties it. */
const define = () => ({ __API_ORIGINS__: '[]', __BUILD_ID__: '"test"', __DRILL__: 'false' })

/** Test files that `npm test` leaves out, because it runs before every commit; `npm run test:all` runs them. */
const LONG_FORM = process.env['TEST_FORM'] === 'short' ? ['**/*.long.test.ts'] : []

/** A busy machine misses a time limit now and then. The summary of `npm test` names the repeated tests. */
const retry = process.env['CI'] ? 1 : 0

const onPostgres = (name: string, include: string[], exclude: string[] = []) => ({
  define: define(),
  test: {
    name,
    environment: 'node' as const,
    isolate: false,
    maxWorkers: POSTGRES_WORKERS,
    // Projects with another number of workers need another group.
    sequence: { groupOrder: 1 },
    include,
    exclude: [...exclude, ...LONG_FORM],
    globalSetup: ['tests/support/setup/postgresGlobalSetup.ts'],
    setupFiles: ['failOnConsole', 'usePostgres', 'watchHashing'].map((name) => `tests/support/setup/${name}.ts`),
    retry,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        define: define(),
        test: {
          name: 'unit',
          isolate: false,
          environment: 'node',
          include: [
            'src/**/*.test.{ts,tsx}',
            'sw/**/*.test.ts',
            'server/**/*.test.ts',
            'tests/*.test.ts',
            'tests/{support,run,bench,house,simulation}/**/*.test.ts',
          ],
          // `npm run check` runs many times a day, and so leaves out the long files, too.
          exclude: process.env['TEST_FORM'] === 'all' ? [] : ['**/*.long.test.ts'],
          setupFiles: ['fake-indexeddb/auto', 'tests/support/setup/failOnConsole.ts'],
          // Making an RSA key takes seconds on a busy machine.
          testTimeout: 20_000,
        },
      },
      onPostgres('server', ['tests/server/**/*.test.ts'], OLDEST_ONLY),
      onPostgres('server-oldest', [...OLDEST_TOO, ...OLDEST_ONLY]),
      // Only `npm run test:peers` runs these, because they need programs that most machines do not have.
      onPostgres('peers', ['tests/peers/**/*.test.ts']),
    ],
  },
})
