import { defineConfig } from '@playwright/test'
import { installedEngines } from '../support/engines/engines.ts'

/** Tests the same behaviours in every installed engine. `npm test` runs those that are tagged `@short`. */
export default defineConfig<object, { engine: string }>({
  testDir: '.',
  outputDir: '../../test-results/browsers',
  globalSetup: ['../support/setup/buildsGlobalSetup.ts', '../support/setup/browserPostgresSetup.ts'],
  reporter: [['list'], ['json', { outputFile: '../../test-results/engines.json' }]],
  // One for each core: starting a browser takes most of a test's time.
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  projects: installedEngines().map(({ name }) => ({ name, use: { engine: name } })),
})
