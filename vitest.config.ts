import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Two cores: more workers would only wait for each other. No project isolates its files: half the time of a short one was the
// loading of modules that the one before it had loaded.
const WORKERS = 2
/** A third is at work while others wait for a server to start, a disk or a lock. */
const POSTGRES_WORKERS = 3

/** Wait for most of their time. Begun last, they would leave both cores idle. */
const WAITING = /\/(embedded|standby|failover|fullDisk|durability|killedServer|main)\.test\.ts$/

/** A fresh clone knows no durations, by which Vitest sorts, and begins with the largest files. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const waits = ({ moduleId }: TestSpecification) => WAITING.test(moduleId)
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))]
  }
}

/** What runs on the oldest PostgreSQL that is supported as well: migrations, and the statements of money. */
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
/** What it starts is Debian's own version. */
const OLDEST_ONLY = ['tests/server/operations/composeDatabase.test.ts']

/** What the build puts into the portal's own code. Each project empties its own. */
const define = () => ({ __API_ORIGINS__: '[]', __BUILD_ID__: '"test"', __DRILL__: 'false' })

/** Of `npm test`, which is run before every commit; `npm run test:all` has them. */
const LONG_FORM = process.env['TEST_FORM'] === 'short' ? ['**/*.long.test.ts'] : []

const onPostgres = (name: string, include: string[], exclude: string[] = []) => ({
  define: define(),
  test: {
    name,
    environment: 'node' as const,
    isolate: false,
    maxWorkers: POSTGRES_WORKERS,
    // Projects of other workers have to have another one.
    sequence: { groupOrder: 1 },
    include,
    exclude: [...exclude, ...LONG_FORM],
    globalSetup: ['tests/support/setup/postgresGlobalSetup.ts'],
    setupFiles: ['failOnConsole', 'usePostgres', 'watchHashing'].map((name) => `tests/support/setup/${name}.ts`),
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
          // Also not of `npm run check`, which is run all day.
          exclude: process.env['TEST_FORM'] === 'all' ? [] : ['**/*.long.test.ts'],
          setupFiles: ['fake-indexeddb/auto', 'tests/support/setup/failOnConsole.ts'],
          // Making an RSA key takes seconds on a busy machine.
          testTimeout: 20_000,
        },
      },
      onPostgres('server', ['tests/server/**/*.test.ts'], OLDEST_ONLY),
      onPostgres('server-oldest', [...OLDEST_TOO, ...OLDEST_ONLY]),
    ],
  },
})
