import { test as base, expect } from '@playwright/test'
import { type PortalOrigin, startPortalOrigin } from './portalOrigin.ts'
import { type PageWatch, watchPages } from '../watchPages.ts'

interface TestFixtures {
  /** What the pages complained about; a test that ends with complaints it did not `forgive` fails. */
  pageWatch: PageWatch
}
interface WorkerFixtures {
  /** One server per worker; every test finds it with the line up, release 1 deployed, wall time and an empty log. */
  origin: PortalOrigin
}

/** The `test` of browser specs: the real server, the production build, and no error unseen. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  origin: [
    // Playwright reads the dependencies of a fixture from its first parameter, which has to be a pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const origin = await startPortalOrigin()
      await use(origin)
      await origin.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  baseURL: ({ origin }, use) => use(origin.url),

  pageWatch: [
    async ({ context, origin }, use) => {
      await origin.reset()
      let wentOffline = false
      const setOffline = context.setOffline.bind(context)
      context.setOffline = (offline) => {
        wentOffline ||= offline
        return setOffline(offline)
      }
      const watch = await watchPages(context, () => wentOffline || origin.wasDisturbed())
      await use(watch)
      // A line left hanging would keep the page from closing.
      await origin.line({ kind: 'up' })
      for (const error of origin.serverErrors) watch.complain(`server error: ${error}`)
      expect(watch.complaints(), 'complaints of pages and server').toEqual([])
    },
    { auto: true },
  ],
})

/** The same with the portal's worker, for what works without a line and for updates. Others would wait for it in vain. */
export const testWithWorker = test.extend({ serviceWorkers: 'allow' })

export { expect }
