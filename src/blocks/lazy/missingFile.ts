import { mayReload } from './reload.ts'

/** Whether the file that an import failed for, and what that imports, can be fetched now. */
export async function canFetchMissing(error: unknown): Promise<boolean> {
  const address = addressIn(error)
  return address !== undefined && (await window.__files?.canFetch(address)) === true
}

/** The browser's message has it, but not Safari's: there the app's first file stands for it. */
const addressIn = (error: unknown) =>
  /https?:\/\/[^\s?]+\.js/.exec(String(error))?.[0] ??
  document.querySelector<HTMLScriptElement>('script[type=module]')?.src

/**
 * The file can be fetched and still does not run: this browser keeps a file that failed for the life of the page (public/boot.js).
 * Loads the page anew when nothing would be lost by it; what is typed in the login comes along.
 */
export function loadAnewForMissing(): void {
  if (mayReload() || isAtLogin()) window.__files?.loadAnew()
}

const isAtLogin = () => document.querySelector('[data-login] form input[autocomplete="current-password"]') !== null
