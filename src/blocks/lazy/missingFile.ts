import { mayReload, reload } from './reload.ts'

/** Says whether the file that an import failed for can be fetched now, and the page with it. */
export async function canFetchMissing(error: unknown): Promise<boolean> {
  const address = addressIn(error)
  if (address === undefined) return false
  const answers = await Promise.all([address, location.href].map((url) => fetch(url))).catch(() => [])
  // A network's login page may come for either.
  const isScript = answers[0]?.headers.get('content-type')?.includes('javascript') === true
  return isScript && answers.every(({ ok }) => ok)
}

/** The browser's message has it, but not Safari's: there the app's first file stands for it. */
const addressIn = (error: unknown) =>
  /https?:\/\/[^\s?]+\.js/.exec(String(error))?.[0] ??
  document.querySelector<HTMLScriptElement>('script[type=module]')?.src

const KEY = 'loaded-anew'
const ANEW_EVERY_MS = 60_000

/**
 * The file can be fetched and still does not run: this browser keeps a module that failed for the life of the page, as all did until
 * summer 2026 (https://github.com/whatwg/html/issues/6768). Loads the page anew when no more than a login would be lost by it, at
 * most once a minute.
 */
export function loadAnewForMissing(): void {
  if (!mayReload() && !isAtLogin()) return
  if (Math.abs(Date.now() - Number(sessionStorage.getItem(KEY))) < ANEW_EVERY_MS) return
  sessionStorage.setItem(KEY, String(Date.now()))
  reload()
}

const isAtLogin = () => document.querySelector('[data-login] form input[autocomplete="current-password"]') !== null
