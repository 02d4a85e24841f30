declare const self: ServiceWorkerGlobalScope

const ANSWER_TAKES_AT_MOST_MS = 1_000
const ASK_AGAIN_AFTER_MS = 3_000

/**
 * Replaces a worker that must go (README, "When an update went wrong"). It at once deletes the shell, unregisters itself and
 * reloads the open tabs from the network. It does not touch IndexedDB and local storage: rows that wait to be sent stay. It answers
 * no request.
 */
self.addEventListener('install', () => {
  void self.skipWaiting()
  // Chromium (156) forgets a worker that is to take over when a request starts the old one again while it stops (decision 0028).
  // The first `skipWaiting` of a waiting worker makes Chromium check once more; later calls do nothing. So the call comes when the
  // tabs are quiet.
  setTimeout(() => self.registration.waiting && void self.skipWaiting(), ASK_AGAIN_AFTER_MS)
})
self.addEventListener('activate', (event) => event.waitUntil(stepDown()))
// A page that registers this address while another tab still holds the worker brings it back, and then sends a message. So does a
// page whose user takes the update while this worker still waits.
self.addEventListener('message', (event) => event.waitUntil(leave()))

async function stepDown() {
  // Only tabs that the former worker served: a page that registers this worker again is not reloaded, or it would reload without end.
  const tabs = await self.clients.matchAll({ type: 'window' })
  await leave()
  await Promise.all(tabs.map(loadAnew))
}

async function leave() {
  for (const name of await caches.keys()) await caches.delete(name)
  await self.registration.unregister()
}

async function loadAnew(tab: WindowClient) {
  const address = await addressOf(tab)
  // Not awaited: the navigation must not wait for a worker that waits for the navigation.
  if (address !== undefined) void tab.navigate(address).catch(() => undefined)
}

/**
 * Returns the current address of a tab; its `url` is the one where it began. Undefined while the tab has unsaved work, about which
 * it asks the user. A tab without an answer is broken, and is reloaded where it began.
 */
function addressOf(tab: WindowClient): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(typeof data === 'string' ? data : undefined)
    setTimeout(() => resolve(tab.url), ANSWER_TAKES_AT_MOST_MS)
    tab.postMessage({ type: 'MAY_RELOAD' }, [port2])
  })
}

// Makes this file a module: TypeScript shares the declarations of a file without imports or exports with all others.
export {}
