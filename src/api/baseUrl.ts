import type { Endpoint } from '../contract/endpoint.ts'

/** Origins an override may name, fixed at build time (DESIGN §5). */
const ALLOWED_ORIGINS: readonly string[] = __API_ORIGINS__
const OVERRIDE_KEYS = { api: 'api_base', reporting: 'reporting_base' } as const

/**
 * Where a base lives: this origin, unless local storage names another (spec §7) that the build allows. Anything else in storage
 * is ignored: the token and the password must never travel to an origin that someone planted there.
 */
export function baseUrl(base: Endpoint['base']): string {
  return allowedOverride(localStorage.getItem(OVERRIDE_KEYS[base]), ALLOWED_ORIGINS) ?? `${location.origin}/${base}`
}

/** The override, without a trailing slash, if it is a plain address on an allowed origin. */
export function allowedOverride(stored: string | null, allowedOrigins: readonly string[]): string | undefined {
  if (!stored || !URL.canParse(stored)) return undefined
  const url = new URL(stored)
  const plain = !url.username && !url.password && !url.search && !url.hash
  return plain && allowedOrigins.includes(url.origin) ? url.href.replace(/\/$/, '') : undefined
}
