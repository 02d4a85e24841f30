import { registerRoute } from 'workbox-routing'
import type { ShellFile } from './missingFiles.ts'

declare const self: ServiceWorkerGlobalScope

export const READER_CACHE = 'barcode-reader'

/** As the build names them: the worker that reads, and its WebAssembly. */
export const isOfReader = ({ url }: ShellFile): boolean => /^assets\/(decoderWorker|zxing_reader)-/.test(url)

/**
 * The bundled barcode reader is two fifths of all bytes, and a device needs it at a counter alone, in a browser that has none. So it
 * comes when a counter asks for it, and is kept; from then on each build brings its own, whole or not at all.
 */
export function keepReader(files: ShellFile[]): void {
  self.addEventListener('message', (event) => {
    if ((event.data as { type?: unknown } | null)?.type !== 'KEEP_READER') return
    event.waitUntil(fetchMissing(files).catch(() => undefined))
  })
  self.addEventListener('install', (event) =>
    event.waitUntil(caches.has(READER_CACHE).then((isCounter) => (isCounter ? fetchMissing(files) : undefined))),
  )
  self.addEventListener('activate', (event) => event.waitUntil(forgetOthers(files)))
  // In whatever cache: the release before had it among its other files, and its copy is there until the next one takes over.
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && files.some((file) => `/${file.url}` === url.pathname),
    async ({ request }) => (await caches.match(request.url)) ?? fetch(request),
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
