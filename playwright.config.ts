import { defineConfig } from '@playwright/test'
import { headlessShellLaunch } from './tests/support/browser/chromium.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  // The JSON report is in test-results itself: Playwright empties this folder when it starts.
  outputDir: 'test-results/browser',
  globalSetup: ['./tests/support/setup/buildsGlobalSetup.ts', './tests/support/setup/browserPostgresSetup.ts'],
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  // A busy machine misses a time limit now and then. The summary of `npm test` names the repeated tests.
  retries: process.env['CI'] ? 1 : 0,
  // Two workers use the processor for four fifths of the time; a third uses the rest.
  workers: 3,
  timeout: 60_000,
  // Chromium 150 and 156 draw the same. The tolerance for other machines is smaller than a word.
  expect: {
    timeout: 10_000,
    toHaveScreenshot: { maxDiffPixelRatio: 0.0005, pathTemplate: 'tests/e2e/shell/pictures/{arg}{ext}' },
  },
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    browserName: 'chromium',
    launchOptions: headlessShellLaunch(),
    // Most tests end before the worker has fetched the whole portal; "testWithWorker" allows a worker.
    serviceWorkers: 'block',
    // A new context is a new process and compiles every script again: half of a test's processor time. Playwright empties
    // the storage in between; a test that also needs an empty HTTP cache is a "testFirstVisit".
    reuseContext: true,
    viewport: { width: 1280, height: 800 },
    locale: 'en-SG',
    timezoneId: 'Asia/Singapore',
    // An animation is drawn many times over, and tests would wait for it.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 15_000,
    // Recording every test, mostly to throw it away, takes a sixth of the processor's time: use `--trace on` for one test.
    screenshot: 'only-on-failure',
  },
})
