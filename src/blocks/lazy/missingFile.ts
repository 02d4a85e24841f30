import { mayReload, reload } from './reload.ts'

/** True if the file of a failed import can be fetched now, and the page as well. */
export async function canFetchMissing(error: unknown): Promise<boolean> {
  const address = addressIn(error)
  if (address === undefined) return false
  const answers = await Promise.all([address, location.href].map((url) => fetch(url))).catch(() => [])
  // The login page of a network may answer both requests.
  const isScript = answers[0]?.headers.get('content-type')?.includes('javascript') === true
  return isScript && answers.every(({ ok }) => ok)
}

/** Returns the address in the browser's error message. Safari's has none, so the app's first file is used instead. */
const addressIn = (error: unknown) =>
  /https?:\/\/[^\s?]+\.js/.exec(String(error))?.[0] ??
  document.querySelector<HTMLScriptElement>('script[type=module]')?.src

const RELOADED_AT_KEY = 'loaded-anew'
const RELOAD_EVERY_MS = 60_000

/**
 * Reloads the page because a file can be fetched and still does not run: this browser keeps a failed module for the life of the page, as all did
 * until summer 2026 (https://github.com/whatwg/html/issues/6768). It reloads only if no more than a login would be lost, and at most once a minute.
 */
export function loadAnewForMissing(): void {
  if (!mayReload() && !isAtLogin()) return
  if (Math.abs(Date.now() - Number(sessionStorage.getItem(RELOADED_AT_KEY))) < RELOAD_EVERY_MS) return
  sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))
  reload()
}

const isAtLogin = () => document.querySelector('[data-login] form input[autocomplete="current-password"]') !== null
