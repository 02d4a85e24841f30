declare const self: ServiceWorkerGlobalScope

const ANSWER_TAKES_AT_MOST_MS = 1_000
const ASK_AGAIN_AFTER_MS = 3_000

/**
 * Replaces a faulty worker (docs/GUIDE.md, "When an update goes wrong"). It deletes the shell at once, unregisters itself and
 * reloads the open tabs from the network. IndexedDB and local storage stay, with the rows that wait to be sent. It answers no
 * request.
 */
self.addEventListener('install', () => {
  void self.skipWaiting()
  // Chromium (156) forgets a takeover when a request starts the old worker again while that one stops (decision 0028). The first
  // `skipWaiting` of a waiting worker makes Chromium check once more; later calls do nothing. So this call comes later, when the
  // tabs send no requests.
  setTimeout(() => self.registration.waiting && void self.skipWaiting(), ASK_AGAIN_AFTER_MS)
})
self.addEventListener('activate', (event) => event.waitUntil(stepDown()))
// A page that registers this address while another tab still uses the worker brings the worker back, and then sends a message. A
// page whose user accepts the update while this worker still waits sends one, too.
self.addEventListener('message', (event) => event.waitUntil(removeSelf()))

async function stepDown() {
  // Reloads only tabs that the former worker served: a page that registers this worker again would reload forever.
  const tabs = await self.clients.matchAll({ type: 'window' })
  await removeSelf()
  await Promise.all(tabs.map(reloadTab))
}

async function removeSelf() {
  for (const name of await caches.keys()) await caches.delete(name)
  await self.registration.unregister()
}

async function reloadTab(tab: WindowClient) {
  const address = await askAddress(tab)
  // Not awaited: the navigation must not wait for a worker that waits for the navigation.
  if (address !== undefined) void tab.navigate(address).catch(() => undefined)
}

/**
 * Returns the current address of a tab; `tab.url` is only the address at which it was opened. Undefined while the tab has unsaved
 * work. A tab that does not answer is broken, and is reloaded at `tab.url`.
 */
function askAddress(tab: WindowClient): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(typeof data === 'string' ? data : undefined)
    setTimeout(() => resolve(tab.url), ANSWER_TAKES_AT_MOST_MS)
    tab.postMessage({ type: 'MAY_RELOAD' }, [port2])
  })
}

// Makes this file a module: TypeScript shares the declarations of a file without imports or exports with all others.
export {}
