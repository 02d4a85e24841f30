import { cacheNames } from 'workbox-core'
import { getCacheKeyForURL } from 'workbox-precaching'
import { isPage, type ShellFile } from './ShellFile.ts'

declare const self: ServiceWorkerGlobalScope

/**
 * Browsers throw caches away and leave the worker (cases 25). A page that runs asks for what is missing to be fetched again, so
 * that it also starts without a line. A server that has another build by now ends it: that one brings a whole shell of its own.
 */
export function repairOnDemand(shell: ShellFile[]): void {
  self.addEventListener('message', (event) => {
    if ((event.data as { type?: unknown } | null)?.type !== 'REPAIR_SHELL') return
    event.waitUntil(repair(shell).catch(() => undefined))
  })
}

async function repair(shell: ShellFile[]) {
  const cache = await caches.open(cacheNames.precache)
  const present = new Set((await cache.keys()).map(({ url }) => url))
  // Pages last: a first page without its scripts would be worse than none.
  for (const { url, integrity } of shell.toSorted((a, b) => Number(isPage(a)) - Number(isPage(b)))) {
    const key = getCacheKeyForURL(url)
    if (key === undefined || present.has(key)) continue
    await cache.put(key, await fetch(url, { integrity, cache: 'no-cache' }))
  }
}
