import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, chromium, expect, type BrowserContext, type ConsoleMessage } from '@playwright/test'
import { chromiumLaunch } from './chromium.ts'
import { startPortalOrigin, type PortalOrigin } from './portalOrigin.ts'

interface TestFixtures {
  /** Collects the complaints of pages. A test fails if it ends with complaints that it did not `forgive`. */
  pageWatch: PageWatch
}

interface WorkerFixtures {
  /** One server for each worker. Each test begins with a working connection, release 1, the real time and an empty log. */
  origin: PortalOrigin
}

/** A test with a server, in any browser. */
export const testWithOrigin = base.extend<object, WorkerFixtures>({
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
})

/** The `test` of browser specs: the real server, the production build, and no error that goes unnoticed. */
export const test = testWithOrigin.extend<TestFixtures>({
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
      // A hanging connection would keep the page from closing.
      await origin.setConnection({ kind: 'up' })
      // The next test may get this context. Playwright resets everything but these two.
      if (wentOffline) await setOffline(false)
      await context.clearPermissions()
      for (const error of origin.serverErrors) watch.complain(`server error: ${error}`)
      expect(watch.complaints(), 'complaints of pages and server').toEqual([])
    },
    { auto: true },
  ],
})

/** The same test in a context of its own: a first visit, with an empty HTTP cache. */
export const testFirstVisit = test.extend({
  context: async ({ browser }, use) => {
    const context = await browser.newContext()
    await use(context)
    await context.close()
  },
})

/** A first visit with the portal's service worker, for offline use and updates. Other tests would wait for the worker in vain. */
export const testWithWorker = testFirstVisit.extend({ serviceWorkers: 'allow' })

/**
 * The same with the service worker in a browser that stores on disk, as a user's does. It can be closed and opened again, installs the app, and frees
 * deleted storage at once. Every other context is in memory, where Chromium 150 never frees it.
 */
export const testOnDisk = testWithWorker.extend<{ openBrowser: () => Promise<BrowserContext> }>({
  openBrowser: async ({ origin }, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'profile-'))
    const opened: BrowserContext[] = []
    const options = { ...chromiumLaunch(), baseURL: origin.url }
    await use(async () => {
      const context = await chromium.launchPersistentContext(profile, options)
      opened.push(context)
      return context
    })
    await Promise.all(opened.map((context) => context.close()))
    await rm(profile, { recursive: true, force: true })
  },
})

export { expect }

type PageWatch = Awaited<ReturnType<typeof watchPages>>

/** The browser's own message about a refused answer. The product answers 4xx to bad input by design, so API paths may. */
const REFUSED_ANSWER = /the server responded with a status of 4\d\d/

/** The last message is about the worker's script, when it is fetched at the moment the connection is cut. */
const LINE_FAILURE =
  /net::ERR_|the server responded with a status of 503|An unknown error occurred when fetching the script/

/** Marks a policy violation that a page reports to `watchPages`; no policy blocks the console. */
const VIOLATION = 'securitypolicyviolation:'

/** Collects page errors, console errors and CSP violations of every tab of `context`, also of tabs that are opened later. */
export async function watchPages(context: BrowserContext, connectionWasDisturbed: () => boolean) {
  const heard: string[] = []
  const forgiven: RegExp[] = []
  const complain = (text: string) => void heard.push(text)
  await context.addInitScript((prefix) => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
      console.error(`${prefix} ${effectiveDirective} ${blockedURI} ${sourceFile}`)
    })
  }, VIOLATION)
  context.on('weberror', (error) => complain(`page error: ${error.error().stack || error.error().message}`))
  context.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message, connectionWasDisturbed())) {
      complain(`console error: ${message.text()} (${message.location().url})`)
    }
  })
  return {
    complain,
    /** Ignores matching complaints, earlier and later ones, in a test that provokes them on purpose. */
    forgive: (pattern: RegExp) => void forgiven.push(pattern),
    /** Returns the complaints of all pages of the context so far that were not forgiven. */
    complaints: () => heard.filter((text) => !forgiven.some((pattern) => pattern.test(text))),
  }
}

function isExpected(message: ConsoleMessage, connectionWasDisturbed: boolean): boolean {
  const text = message.text()
  const { pathname } = URL.canParse(message.location().url) ? new URL(message.location().url) : { pathname: '' }
  if (REFUSED_ANSWER.test(text) && /^\/(api|reporting)\//.test(pathname)) return true
  return connectionWasDisturbed && LINE_FAILURE.test(text)
}
