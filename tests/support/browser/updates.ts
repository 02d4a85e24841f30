import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { buildDirectory, type ReleaseId } from './builds.ts'

export const UPDATE_PROMPT = 'New version available. Refresh now?'

/** The prompt that asks the user to refresh. */
export const updatePrompt = (page: Page): Locator => page.getByText(UPDATE_PROMPT)

export const refreshButton = (page: Page): Locator => page.getByRole('button', { name: 'Refresh', exact: true })

/** Looks for a newer release, as the browser does. Returns true if that worked. */
export const checkForUpdate = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    const updated = await registration?.update().then(
      () => true,
      () => false,
    )
    const next = registration?.installing
    if (next) {
      await new Promise<void>((resolve) => {
        next.addEventListener('statechange', () => next.state !== 'installing' && resolve())
      })
    }
    return updated === true && next?.state !== 'redundant'
  })

export const expectBuild = (page: Page, id: ReleaseId): Promise<void> =>
  expect(page.locator('html')).toHaveAttribute('data-build', id)

/** Counts the documents that `page` loads from now on. */
export function countLoads(page: Page): () => number {
  let loads = 0
  page.on('domcontentloaded', () => (loads += 1))
  return () => loads
}

const hashedFiles = (release: ReleaseId) => readdirSync(join(buildDirectory(release), 'assets'))

/** Returns the paths of the hashed files of `release` that `other` does not have. */
export function filesOnlyIn(release: ReleaseId, other: ReleaseId): string[] {
  const others = new Set(hashedFiles(other))
  const ownFiles = hashedFiles(release).filter((name) => /\.(js|css)$/.test(name) && !others.has(name))
  return ownFiles.map((name) => `/assets/${name}`)
}

/** Returns the path of the chunk of `release` with this name. */
export function chunkOf(release: ReleaseId, name: string): string {
  const found = hashedFiles(release).find((file) => file.startsWith(`${name}-`) && file.endsWith('.js'))
  if (!found) throw new Error(`release ${release} has no chunk ${name}`)
  return `/assets/${found}`
}

/** Deletes every cache of the origin and the browser's HTTP cache. The worker stays registered. */
export async function wipeCaches(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name)
  })
  await clearHttpCache(page)
}

export async function clearHttpCache(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await session.detach()
}

/** From now on the page's requests go to the worker or the network, never to the browser's HTTP cache. */
export async function disableHttpCache(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
}

/** Returns the number of files in Cache Storage. */
export const cachedFiles = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return all.flat().length
  })

/** Makes the page think that its tab is hidden. */
export const hideTab = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => true })
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  })
