import { cacheNames } from 'workbox-core'
import { getCacheKeyForURL, type PrecacheEntry } from 'workbox-precaching'
import { setCatchHandler } from 'workbox-routing'

export type Part = 'screens' | 'barcode-reader'

/** An entry of the precache list. The build adds each file's checksum, and the name of its part, if any. */
export interface ShellFile extends PrecacheEntry {
  integrity: string
  part?: Part
}

const LONGEST_WAIT_MS = 8_000

/**
 * Fetches the missing files of the shell. Stops if the server has another build, because that build brings all of its own files.
 */
export async function repairShell(shell: ShellFile[]): Promise<void> {
  const cache = await caches.open(cacheNames.precache)
  const present = new Set((await cache.keys()).map(({ url }) => url))
  // Pages come last, because a page without its scripts would be worse than no page.
  for (const { url, integrity } of shell.toSorted((a, b) => Number(isPage(a)) - Number(isPage(b)))) {
    const key = getCacheKeyForURL(url)
    if (key === undefined || present.has(key)) continue
    await cache.put(key, await fetch(url, { integrity, cache: 'no-cache' }))
  }
}

/**
 * Answers requests for files of the shell that this device has lost and that can no longer be fetched for this build (offline 25,
 * 26). A page is then fetched from the server, which may have a newer one. Without a connection, our own page says what to do,
 * instead of the browser's error page.
 */
export function answerWithoutShell(shell: ShellFile[]): void {
  setCatchHandler(async ({ request, event }) => {
    if (request.mode === 'navigate') return fetchFromServer(request).catch(makeOfflinePage)
    ;(event as ExtendableEvent).waitUntil(deleteStoredPages(shell, new URL(request.url)).catch(() => undefined))
    return Response.error()
  })
}

const fetchFromServer = (request: Request) => fetch(request, { signal: AbortSignal.timeout(LONGEST_WAIT_MS) })

/**
 * Deletes the stored pages if the server no longer has this file, because a page that needs it would stay blank. The next start
 * then gets the server's page. Without an answer the pages stay, because other screens still work.
 */
async function deleteStoredPages(shell: ShellFile[], { origin, pathname }: URL) {
  if (origin !== location.origin || !shell.some(({ url }) => `/${url}` === pathname)) return
  if ((await fetch(pathname, { cache: 'no-store' })).status !== 404) return
  const cache = await caches.open(cacheNames.precache)
  for (const { url } of shell.filter(isPage)) await cache.delete(getCacheKeyForURL(url)!)
}

const makeOfflinePage = () =>
  new Response(PAGE, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // The page has only the text below: it never contains user data.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    },
  })

const isPage = ({ url }: ShellFile): boolean => url.endsWith('.html')

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
<h1>Connect to open the portal</h1>
<p>This device no longer has the portal's files and cannot fetch them now. Connect to the internet, then try again.</p>
<a href="">Try again</a>
</body>
</html>`
