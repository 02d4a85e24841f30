declare const self: ServiceWorkerGlobalScope

const ANSWER_TAKES_AT_MOST_MS = 1_000
const ASK_AGAIN_AFTER_MS = 3_000

/**
 * Takes the place of a worker that must go (README, "When an update went wrong"): at once, it deletes the shell, ends itself and
 * loads the open tabs anew from the network. IndexedDB and local storage are not touched: what waits to be sent stays. It answers
 * no request.
 */
self.addEventListener('install', () => {
  void self.skipWaiting()
  // Chromium (156) forgets a worker that is to take over when a request starts the one in use again while it stops (decision 0028).
  // The first word of a worker that waits has it look once more, and a later one does nothing: it comes when the tabs are quiet.
  setTimeout(() => self.registration.waiting && void self.skipWaiting(), ASK_AGAIN_AFTER_MS)
})
self.addEventListener('activate', (event) => event.waitUntil(stepDown()))
// A page that registers this address while another tab still holds the worker brings it back, and then has something to say. So
// does one whose person does not wait for the browser to let this worker begin.
self.addEventListener('message', (event) => event.waitUntil(leave()))

async function stepDown() {
  // Only tabs that the former worker served: a page that registers this one anew is not loaded again, or it would never end.
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
 * Where the tab is by now; its `url` is where it began. Nothing while its person has unsaved work, about which the tab asks. A
 * tab that says nothing is broken, and is loaded where it began.
 */
function addressOf(tab: WindowClient): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(typeof data === 'string' ? data : undefined)
    setTimeout(() => resolve(tab.url), ANSWER_TAKES_AT_MOST_MS)
    tab.postMessage({ type: 'MAY_RELOAD' }, [port2])
  })
}

// What is declared above is this file's own: TypeScript takes a file without imports for a part of every other.
export {}
