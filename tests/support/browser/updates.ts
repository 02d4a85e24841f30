import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { buildDirectory, type ReleaseId } from './builds.ts'

export const UPDATE_PROMPT = 'New version available. Refresh now?'

/** What the page asks its person. */
export const updatePrompt = (page: Page): Locator => page.getByText(UPDATE_PROMPT)

export const refreshButton = (page: Page): Locator => page.getByRole('button', { name: 'Refresh', exact: true })

/** A look for a newer release, as the browser does one. Says whether it worked. */
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

/** Paths of the hashed files of `release` that `other` has not. */
export function filesOnlyIn(release: ReleaseId, other: ReleaseId): string[] {
  const others = new Set(hashedFiles(other))
  const ownFiles = hashedFiles(release).filter((name) => /\.(js|css)$/.test(name) && !others.has(name))
  return ownFiles.map((name) => `/assets/${name}`)
}

/** The chunk of `release` with this name. */
export function chunkOf(release: ReleaseId, name: string): string {
  const found = hashedFiles(release).find((file) => file.startsWith(`${name}-`) && file.endsWith('.js'))
  if (!found) throw new Error(`release ${release} has no chunk ${name}`)
  return `/assets/${found}`
}

/** Throws away every cache of the origin, and what the browser keeps of its answers; the worker stays registered. */
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

/** What the page asks for from now on comes from the worker or the network, never from the browser's memory. */
export async function disableHttpCache(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
}

/** How many files lie in Cache Storage. */
export const cachedFiles = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return all.flat().length
  })

/** The page is not looked at. */
export const hideTab = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => true })
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  })
