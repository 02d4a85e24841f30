import { cacheNames } from 'workbox-core'
import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  getCacheKeyForURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute, setCatchHandler } from 'workbox-routing'
import { LAYOUT_FILES, layoutOf, type Layout } from '../src/domain/paths.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: ShellFile[] }

/**
 * The whole shell, every route's chunk included. Each file is taken only when it has the very bytes the build wrote (offline 19):
 * a missing file, a captive page in its place or half a body ends the installation, and the build in use stays. The next check
 * tries again.
 */
export function precacheShell(): void {
  const shell = self.__WB_MANIFEST
  addPlugins([pastBadCopies])
  precacheAndRoute(shell)
  // After it: routes are asked in this order, and a file of this build is never looked for elsewhere.
  keepFormerShell(shell)
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
const NOT_THE_APP = [/^\/api\//, /^\/reporting\//, /^\/files\//, /\/[^/?]+\.[^/]+$/]

/** The app starts on any route from the cache, at once, with or without a line: with the HTML of its layout, query or not. */
export function answerNavigations(): void {
  for (const [layout, file] of Object.entries(LAYOUT_FILES) as [Layout, string][]) {
    const route = new NavigationRoute(createHandlerBoundToURL(file), { denylist: NOT_THE_APP })
    registerRoute((asked) => layoutOf(asked.url.pathname) === layout && route.match(asked), route.handler)
  }
}

/**
 * Browsers throw caches away and leave the worker (offline 25). A page that runs asks for what is missing to be fetched again, so
 * that it also starts without a line. A server that has another build by now ends it: that one brings a whole shell of its own.
 */
function repairOnDemand(shell: ShellFile[]): void {
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

const PREFIX = 'former-shell-'

/**
 * When this build takes over, tabs of the one before still run, with parts of their screens not loaded yet, and the server may
 * have deleted them. The files of that one build are kept until the next takes over (rule 14.3).
 */
function keepFormerShell(shell: ShellFile[]): void {
  const name = PREFIX + idOf(shell)
  // A device without room for both has the new build all the same.
  self.addEventListener('install', (event) => event.waitUntil(copyFormer(shell, name).catch(() => undefined)))
  self.addEventListener('activate', (event) => event.waitUntil(forgetEarlier(name)))
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && isHashed(url),
    async ({ request }) => (await caches.match(request.url, { cacheName: name })) ?? fetch(request),
  )
}

/** Every build has another first page: it names the entry, whose name is made of all that it leads to. */
const idOf = (shell: ShellFile[]) => shell.find(({ url }) => url === 'index.html')?.integrity.slice(-12) ?? ''

const isHashed = ({ pathname }: URL) => pathname.startsWith('/assets/')

async function copyFormer(shell: ShellFile[], name: string) {
  const present = await caches.open(cacheNames.precache)
  const own = new Set(shell.map(({ url }) => new URL(url, location.href).href))
  const former = (await present.keys()).filter(({ url }) => isHashed(new URL(url)) && !own.has(url))
  if (former.length === 0) return
  const copies = await caches.open(name)
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

const SERVER_TAKES_AT_MOST_MS = 8_000

/**
 * Part of the shell is gone from this device and cannot be fetched as this build knows it (offline 25, 26). The server may have
 * a newer first page, which starts by itself; without a line a page says what to do, and the browser's own error page does not
 * come up.
 */
function answerWithoutShell(shell: ShellFile[]): void {
  setCatchHandler(async ({ request, event }) => {
    if (request.mode === 'navigate') return fromServer(request).catch(openOnline)
    ;(event as ExtendableEvent).waitUntil(letGoOfFirstPages(shell, new URL(request.url)).catch(() => undefined))
    return Response.error()
  })
}

const fromServer = (request: Request) => fetch(request, { signal: AbortSignal.timeout(SERVER_TAKES_AT_MOST_MS) })

/**
 * The server says that it has this file no more: a first page that asks for it would stay blank. Without it, the next start gets
 * the server's. A server that says nothing is no reason: the other screens still work.
 */
async function letGoOfFirstPages(shell: ShellFile[], { origin, pathname }: URL) {
  if (origin !== location.origin || !shell.some(({ url }) => `/${url}` === pathname)) return
  if ((await fetch(pathname, { cache: 'no-store' })).status !== 404) return
  const cache = await caches.open(cacheNames.precache)
  for (const { url } of shell.filter(isPage)) await cache.delete(getCacheKeyForURL(url)!)
}

const openOnline = () =>
  new Response(PAGE, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // The text below is all there is: nothing of a person is ever in it.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    },
  })

const PAGE = `<!doctype html>
<html lang="en-SG">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>HRP Merchant Portal</title>
<style>
body { margin: 0; padding: 15vh 24px; font: 16px/1.5 system-ui, sans-serif; text-align: center }
h1 { font-size: 20px; margin: 0 0 8px }
p { margin: 0 auto 24px; max-width: 440px }
a { display: inline-block; padding: 12px 24px; border: 1px solid; border-radius: 8px; color: inherit; text-decoration: none }
</style>
</head>
<body>
<h1>Open the portal once online</h1>
<p>This device no longer has the portal's files and cannot fetch them now. Connect to the internet, then try again.</p>
<a href="">Try again</a>
</body>
</html>`

/** A line of the precache list. The build gives each file's checksum. */
interface ShellFile extends PrecacheEntry {
  integrity: string
}

const isPage = ({ url }: ShellFile): boolean => url.endsWith('.html')
