import { ports, type Base, type BaseUrls } from './ports.ts'

/** Origins an override may name, fixed at build time (rule 12.2). */
export const ALLOWED_ORIGINS: readonly string[] = __API_ORIGINS__
/** The key in local storage that can name another address for a base. */
export const overrideKey = (base: Base): string => `${base}_base`

export const ownBase = (base: Base): string => `${location.origin}/${base}`

/**
 * Returns the address of a base: this origin, unless local storage names another that the build allows (rule 12.2). A session keeps
 * the base where the user logged in: a token is sent only where it came from (WEB-07). An origin that is not allowed is ignored:
 * neither token nor password may go to an address that an attacker put into storage (WEB-06).
 */
export function baseUrl(base: Base): string {
  const baseUrls = ports().sessionBaseUrls()
  if (baseUrls === undefined) return chosenBase(base)
  return allowedOverride(baseUrls[base], ALLOWED_ORIGINS) ?? ownBase(base)
}

/** The addresses of the services for a session that begins now. */
export const baseUrlsNow = (): BaseUrls => ({ api: baseUrl('api'), reporting: baseUrl('reporting') })

/** Returns the address that local storage names, if the build allows it, and otherwise that of this origin. */
export const chosenBase = (base: Base): string =>
  allowedOverride(storedOverride(base), ALLOWED_ORIGINS) ?? ownBase(base)

export function storedOverride(base: Base): string | null {
  try {
    return localStorage.getItem(overrideKey(base)) || null
  } catch {
    return null
  }
}

/** Returns the override without a trailing slash, if it is a plain address on an allowed origin. */
export function allowedOverride(stored: string | null, allowedOrigins: readonly string[]): string | undefined {
  const url = stored ? readAddress(stored) : undefined
  if (!url) return undefined
  // No user, query or fragment.
  const isPlain = url.href === url.origin + url.pathname
  return isPlain && allowedOrigins.includes(url.origin) ? url.href.replace(/\/$/, '') : undefined
}

function readAddress(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
