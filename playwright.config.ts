import { defineConfig } from '@playwright/test'
import { headlessShellLaunch } from './tests/support/browser/chromium.ts'

export default defineConfig({
  testDir: 'tests/e2e',
  // Apart from the JSON report, which lies in test-results itself: Playwright empties this folder when it starts.
  outputDir: 'test-results/browser',
  globalSetup: ['./tests/support/setup/buildsGlobalSetup.ts', './tests/support/setup/browserPostgresSetup.ts'],
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  // Two are bound by the processor for four fifths of the time: the third is at work while they wait.
  workers: 3,
  timeout: 60_000,
  // Chromium 150 and 156 draw the same. What is left for another machine is less than a word.
  expect: {
    timeout: 10_000,
    toHaveScreenshot: { maxDiffPixelRatio: 0.0005, pathTemplate: 'tests/e2e/shell/pictures/{arg}{ext}' },
  },
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    browserName: 'chromium',
    launchOptions: headlessShellLaunch(),
    // Most tests are over before it has fetched the whole portal; "testWithWorker" has it.
    serviceWorkers: 'block',
    // A new context is a new process and compiles every script again: half of a test's time on the processor. Playwright empties
    // the storage in between; what must find an empty HTTP cache as well is a "testFirstVisit".
    reuseContext: true,
    viewport: { width: 1280, height: 800 },
    locale: 'en-SG',
    timezoneId: 'Asia/Singapore',
    // What moves is drawn many times over, and waited for.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 15_000,
    // Recording every test, to throw nearly all of it away, is a sixth of the processor's time: `--trace on` for one test.
    screenshot: 'only-on-failure',
  },
})
