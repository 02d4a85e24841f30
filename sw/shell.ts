import { cacheNames } from 'workbox-core'
import { addPlugins, cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { LAYOUT_FILES, layoutOf, type Layout } from '../src/domain/paths.ts'
import { answerWithoutShell, repairOnDemand, type ShellFile } from './missingFiles.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: ShellFile[] }

/**
 * The whole shell, every route's chunk included, and apart from the barcode reader. Each file is taken only when it has the very bytes the build wrote (offline 19):
 * a missing file, a captive page in its place or half a body ends the installation, and the build in use stays. The next check
 * tries again.
 */
export function precacheShell(): void {
  const all: ShellFile[] = self.__WB_MANIFEST
  const shell = all.filter((file) => !isOfReader(file))
  addPlugins([pastBadCopies])
  precacheAndRoute(shell)
  keepReader(all.filter(isOfReader))
  // After it: routes are asked in this order, and a file of this build is never looked for elsewhere.
  keepFormerShell(shell, all)
  cleanupOutdatedCaches()
  repairOnDemand(shell)
  answerWithoutShell(shell)
}

const isInstall = (event: Event) => event.type === 'install'

/**
 * A bad copy may lie in the HTTP cache, for a year if its sender said so. An update has nothing to gain from that cache; a first
 * installation has all that the page just loaded in it, and asks past it only after a failure, for the next try.
 */
const pastBadCopies = {
  async requestWillFetch({ request, event }: { request: Request; event?: Event }) {
    const isUpdate = event && isInstall(event) && self.registration.active
    return isUpdate ? new Request(request, { cache: 'reload' }) : request
  },
  async fetchDidFail({ request, event }: { request: Request; event: Event }) {
    if (isInstall(event)) await fetch(request.url, { cache: 'reload' }).catch(() => undefined)
  },
}

/** Paths that are not the app's: the two backends, uploads, and files of the build, whose absence must stay a real 404. */
const NOT_THE_APP = [/^\/api\//, /^\/reporting\//, /^\/files\//, /\/[^/?][^/?.]*\.[^/]+$/]

/** The app starts on any route from the cache, at once and without a connection: with the HTML of its layout, query or not. */
export function answerNavigations(): void {
  for (const [layout, file] of Object.entries(LAYOUT_FILES) as [Layout, string][]) {
    const route = new NavigationRoute(createHandlerBoundToURL(file), { denylist: NOT_THE_APP })
    registerRoute((asked) => layoutOf(asked.url.pathname) === layout && route.match(asked), route.handler)
  }
}

const PREFIX = 'former-shell-'

/**
 * When this build takes over, tabs of the one before still run, with parts of their screens not loaded yet, and the server may
 * have deleted them. The files of that one build are kept until the next takes over (rule 14.3).
 */
function keepFormerShell(shell: ShellFile[], all: ShellFile[]): void {
  const name = PREFIX + idOf(shell)
  // A device without room for both has the new build all the same.
  self.addEventListener('install', (event) => event.waitUntil(copyFormer(shell, all, name).catch(() => undefined)))
  self.addEventListener('activate', (event) => event.waitUntil(forgetEarlier(name)))
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && isHashed(url),
    async ({ request }) => (await caches.match(request.url, { cacheName: name })) ?? fetch(request),
  )
}

/** Every build has another first page: it names the entry, whose name is made of all that it leads to. */
const idOf = (shell: ShellFile[]) => shell.find(({ url }) => url === 'index.html')?.integrity.slice(-12) ?? ''

const isHashed = ({ pathname }: URL) => pathname.startsWith('/assets/')

async function copyFormer(shell: ShellFile[], all: ShellFile[], name: string) {
  await copyOthers(cacheNames.precache, shell, name)
  await copyOthers(READER_CACHE, all, name)
}

async function copyOthers(from: string, own: ShellFile[], to: string) {
  if (!(await caches.has(from))) return
  const present = await caches.open(from)
  const owned = new Set(own.map(({ url }) => new URL(url, location.href).href))
  const former = (await present.keys()).filter(({ url }) => isHashed(new URL(url)) && !owned.has(url))
  if (former.length === 0) return
  const copies = await caches.open(to)
  for (const request of former) {
    const file = await present.match(request)
    if (file) await copies.put(request, file)
  }
}

async function forgetEarlier(name: string) {
  for (const other of await caches.keys()) {
    if (other.startsWith(PREFIX) && other !== name) await caches.delete(other)
  }
}

const READER_CACHE = 'barcode-reader'

/** As the build names them: the worker that reads, and its WebAssembly. */
const isOfReader = ({ url }: ShellFile): boolean => /^assets\/(decoderWorker|zxing_reader)-/.test(url)

/**
 * The bundled barcode reader is two fifths of all bytes, and a device needs it at a counter alone, in a browser that has none. So it
 * comes when a counter asks for it, and is kept; from then on each build brings its own, whole or not at all.
 */
function keepReader(files: ShellFile[]): void {
  self.addEventListener('message', (event) => {
    if ((event.data as { type?: unknown } | null)?.type !== 'KEEP_READER') return
    event.waitUntil(fetchMissing(files).catch(() => undefined))
  })
  self.addEventListener('install', (event) =>
    event.waitUntil(caches.has(READER_CACHE).then((isCounter) => (isCounter ? fetchMissing(files) : undefined))),
  )
  self.addEventListener('activate', (event) => event.waitUntil(forgetOthers(files)))
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && files.some((file) => `/${file.url}` === url.pathname),
    async ({ request }) => (await caches.match(request.url, { cacheName: READER_CACHE })) ?? fetch(request),
  )
}

async function fetchMissing(files: ShellFile[]) {
  const cache = await caches.open(READER_CACHE)
  for (const { url, integrity } of files) {
    if (!(await cache.match(url))) await cache.put(url, await fetch(url, { integrity }))
  }
}

async function forgetOthers(files: ShellFile[]) {
  if (!(await caches.has(READER_CACHE))) return
  const own = new Set(files.map(({ url }) => new URL(url, location.href).href))
  const cache = await caches.open(READER_CACHE)
  for (const request of await cache.keys()) if (!own.has(request.url)) await cache.delete(request)
}
