import { cacheNames } from 'workbox-core'
import { registerRoute } from 'workbox-routing'
import type { ShellFile } from './ShellFile.ts'

declare const self: ServiceWorkerGlobalScope

const PREFIX = 'former-shell-'

/**
 * When this build takes over, tabs of the one before still run, with parts of their screens not loaded yet, and the server may
 * have deleted them. The files of that one build are kept until the next takes over (offline cases, decision 4).
 */
export function keepFormerShell(shell: ShellFile[]): void {
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
