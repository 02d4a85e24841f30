import { defineConfig } from '@playwright/test'
import { installedEngines } from '../support/engines/engines.ts'

/** A few behaviours in every engine that is installed. */
export default defineConfig<object, { engine: string }>({
  testDir: '.',
  outputDir: '../../test-results/browsers',
  globalSetup: ['../support/setup/buildsGlobalSetup.ts', '../support/setup/browserPostgresSetup.ts'],
  workers: 1,
  // Starting a browser is most of a test.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  projects: installedEngines().map(({ name }) => ({ name, use: { engine: name } })),
})
