import { cacheNames } from 'workbox-core'
import { addPlugins, cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { LAYOUT_FILES, layoutOf, type Layout } from '../src/domain/paths.ts'
import { answerWithoutShell, repairShell, type Part, type ShellFile } from './missingFiles.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: ShellFile[] }

/**
 * Stores the files that every start needs, and separately the parts that a device asks for. Each file is taken only with the exact
 * bytes of the build (offline 19): a missing file, a captive page in its place or half a body ends the installation, and the build
 * in use stays. The next check tries again.
 */
export function precacheShell(): void {
  const all: ShellFile[] = self.__WB_MANIFEST
  const shell = all.filter((file) => !isOfPart(file))
  addPlugins([bypassBadCopies])
  precacheAndRoute(shell)
  keepParts(shell, all)
  // Comes last: routes are tried in order, and a file of this build must not be searched in the former shell.
  keepFormerShell(all)
  cleanupOutdatedCaches()
  answerWithoutShell(all)
}

const isInstall = (event: Event) => event.type === 'install'

/**
 * Bypasses bad copies in the HTTP cache, which may stay there for a year. An update always bypasses that cache, because its files
 * are new. A first installation uses the files that the page just loaded, and replaces a file in the cache only after a failure,
 * for the next try.
 */
const bypassBadCopies = {
  async requestWillFetch({ request, event }: { request: Request; event?: Event }) {
    const isUpdate = event && isInstall(event) && self.registration.active
    return isUpdate ? new Request(request, { cache: 'reload' }) : request
  },
  async fetchDidFail({ request, event }: { request: Request; event: Event }) {
    if (isInstall(event)) await fetch(request.url, { cache: 'reload' }).catch(() => undefined)
  },
}

/** Paths that do not belong to the app: the two backends, uploads, and files of the build, for which a missing file must be a real 404. */
const NOT_THE_APP = [/^\/api\//, /^\/reporting\//, /^\/files\//, /^\/\.well-known\//, /\/[^/?][^/?.]*\.[^/]+$/]

/** Starts the app on any route from the cache, at once and also offline, with the HTML of its layout, with or without a query. */
export function answerNavigations(): void {
  for (const [layout, file] of Object.entries(LAYOUT_FILES) as [Layout, string][]) {
    const route = new NavigationRoute(createHandlerBoundToURL(file), { denylist: NOT_THE_APP })
    registerRoute((options) => layoutOf(options.url.pathname) === layout && route.match(options), route.handler)
  }
}

const FORMER_PREFIX = 'former-shell-'

/**
 * Keeps the files of the build before this one until the next build takes over (rule 14.3): its tabs still run, and may yet need
 * files that the server has deleted.
 */
function keepFormerShell(all: ShellFile[]): void {
  const cacheName = FORMER_PREFIX + buildId(all)
  // A device without room for both builds still gets the new one.
  self.addEventListener('install', (event) => event.waitUntil(copyFormerShell(all, cacheName).catch(() => undefined)))
  self.addEventListener('activate', (event) => event.waitUntil(deleteEarlierShells(cacheName)))
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && isHashed(url),
    async ({ request }) => (await caches.match(request.url, { cacheName })) ?? fetch(request),
  )
}

/** Identifies a build by its first page: the page names the entry, whose name depends on everything that it loads. */
const buildId = (shell: ShellFile[]) => shell.find(({ url }) => url === 'index.html')?.integrity.slice(-12) ?? ''

const isHashed = ({ pathname }: URL) => pathname.startsWith('/assets/')

async function copyFormerShell(all: ShellFile[], cacheName: string) {
  for (const cache of [cacheNames.precache, ...PARTS]) await copyFormerFiles(cache, all, cacheName)
}

async function copyFormerFiles(from: string, own: ShellFile[], to: string) {
  if (!(await caches.has(from))) return
  const present = await caches.open(from)
  const owned = new Set(own.map(addressOf))
  const former = (await present.keys()).filter(({ url }) => isHashed(new URL(url)) && !owned.has(url))
  if (former.length === 0) return
  const copies = await caches.open(to)
  for (const request of former) {
    const file = await present.match(request)
    if (file) await copies.put(request, file)
  }
}

async function deleteEarlierShells(cacheName: string) {
  for (const other of await caches.keys()) {
    if (other.startsWith(FORMER_PREFIX) && other !== cacheName) await caches.delete(other)
  }
}

/**
 * The parts of the portal that no start needs, two fifths of all bytes. A device fetches a part when a page asks for it, into a
 * cache of this name. From then on, each new build is installed only with this part complete. Only a counter whose browser has no
 * barcode reader needs `barcode-reader`.
 */
const PARTS = ['screens', 'barcode-reader'] as const satisfies Part[]

function keepParts(shell: ShellFile[], all: ShellFile[]): void {
  let lastAddition: Promise<unknown> = Promise.resolve()
  self.addEventListener('message', (event) => {
    const { type, part } = (event.data ?? {}) as { type?: unknown; part?: Part }
    if (type !== 'KEEP') return
    // One after the other: in parallel, each would fetch the same files.
    lastAddition = lastAddition
      .then(() => addPart(shell, all, part))
      .then(
        () => event.ports[0]?.postMessage(true),
        () => event.ports[0]?.postMessage(false),
      )
    event.waitUntil(lastAddition)
  })
  self.addEventListener('install', (event) => event.waitUntil(fetchParts(all)))
  self.addEventListener('activate', (event) => event.waitUntil(deleteOtherFiles(all)))
  const partFiles = new Map(all.filter(isOfPart).map((file) => [`/${file.url}` as string, file]))
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && partFiles.has(url.pathname),
    async ({ request, url }) => {
      const { part, integrity } = partFiles.get(url.pathname)!
      return (await caches.match(request.url, { cacheName: part })) ?? fetch(request.url, { integrity })
    },
  )
}

/** Adds a part and fetches all missing files, not only those of the part: browsers may delete caches but keep the worker (offline 25). */
async function addPart(shell: ShellFile[], all: ShellFile[], part: Part | undefined) {
  if (part) await caches.open(part)
  await repairShell(shell)
  await fetchParts(all)
}

const isOfPart = (file: ShellFile): file is ShellFile & { part: Part } => file.part !== undefined

/** Fetches the missing files of the parts that this device keeps. */
async function fetchParts(all: ShellFile[]) {
  for (const part of PARTS) {
    if (!(await caches.has(part))) continue
    const cache = await caches.open(part)
    const present = new Set((await cache.keys()).map(({ url }) => url))
    const missing = all.filter((file) => file.part === part && !present.has(addressOf(file)))
    for (const { url, integrity } of missing) await cache.put(url, await fetchWhole(url, integrity))
  }
}

/** Fetches a file, and bypasses the HTTP cache if the copy there is bad. */
const fetchWhole = (url: string, integrity: string) =>
  fetch(url, { integrity }).catch(() => fetch(url, { integrity, cache: 'reload' }))

async function deleteOtherFiles(all: ShellFile[]) {
  const own = new Set(all.map(addressOf))
  for (const part of PARTS) {
    if (!(await caches.has(part))) continue
    const cache = await caches.open(part)
    for (const request of await cache.keys()) if (!own.has(request.url)) await cache.delete(request)
  }
}

const addressOf = ({ url }: ShellFile) => new URL(url, location.href).href
