import { mayReload, reload } from './reload.ts'

/** The last error of a chunk that could not be loaded. */
export let chunkError: unknown

/** Addresses of files whose import has failed in this page. */
const failed = new Set<string>()

// Vite tells of each failed import. One that fails again although its file can be fetched never succeeds in this page.
addEventListener('vite:preloadError', ({ payload }) => {
  chunkError = payload
  // The router would reload the page, even offline or over unsaved work. This entry says that it already has.
  sessionStorage[`tanstack_router_reload:${payload.message}`] = 1
  const address = addressIn(payload)
  if (address === undefined) return
  if (failed.has(address)) void canFetch(address).then((can) => can && loadAnew())
  failed.add(address)
})

/** Returns the address in the browser's error message. Safari's has none, so the app's first file is used instead. */
const addressIn = ({ message }: Error) =>
  /https?:\/\/[^\s?]+\.js/.exec(message)?.[0] ?? document.querySelector<HTMLScriptElement>('script[type=module]')?.src

/** True if the file can be fetched now, and the page as well. */
async function canFetch(address: string): Promise<boolean> {
  const answers = await Promise.all([address, location.href].map((url) => fetch(url))).catch(() => [])
  // The login page of a network may answer both requests.
  const isScript = answers[0]?.headers.get('content-type')?.includes('javascript') === true
  return isScript && answers.every(({ ok }) => ok)
}

const RELOADED_AT_KEY = 'loaded-anew'
const RELOAD_EVERY_MS = 60_000

/**
 * Reloads the page because a file can be fetched and still does not run: this browser keeps a failed module for the life of the page, as all did
 * until summer 2026 (https://github.com/whatwg/html/issues/6768). It reloads only if no more than a login would be lost, and at most once a minute.
 */
function loadAnew(): void {
  if (!mayReload() && !isAtLogin()) return
  if (Math.abs(Date.now() - Number(sessionStorage.getItem(RELOADED_AT_KEY))) < RELOAD_EVERY_MS) return
  sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))
  reload()
}

const isAtLogin = () => document.querySelector('[data-login] form input[autocomplete="current-password"]') !== null
