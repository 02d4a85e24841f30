import { defineConfig } from 'vitest/config'

// Two cores, and an embedded database takes 700 MB: more workers would only wait for each other.
const WORKERS = 2

// As with the browser tests: where nobody is there to run it again, a stumble of a busy machine gets a second try. The runner's
// own output names it "(retry x1)".
const retry = process.env['CI'] ? 1 : 0

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    projects: [
      {
        define: { __API_ORIGINS__: '[]', __BUILD_ID__: '"test"', __DRILL__: 'false' },
        test: {
          name: 'unit',
          environment: 'node',
          include: [
            'src/**/*.test.{ts,tsx}',
            'sw/**/*.test.ts',
            'server/**/*.test.ts',
            'tests/*.test.ts',
            'tests/{support,run,bench}/**/*.test.ts',
          ],
          setupFiles: ['fake-indexeddb/auto', 'tests/support/failOnConsole.ts'],
          // Making an RSA key takes seconds on a busy machine.
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'server',
          environment: 'node',
          include: ['tests/server/**/*.test.ts'],
          // A DATABASE_URL of the shell must not turn the embedded run into a second PostgreSQL run.
          env: { TEST_DATABASE_URL: '' },
          setupFiles: ['tests/support/failOnConsole.ts'],
          testTimeout: 30_000,
          retry,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server-pg',
          environment: 'node',
          include: ['tests/server/**/*.test.ts'],
          globalSetup: ['tests/support/postgresGlobalSetup.ts'],
          setupFiles: ['tests/support/failOnConsole.ts'],
          testTimeout: 30_000,
          retry,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
