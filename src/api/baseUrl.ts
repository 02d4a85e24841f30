import type { Endpoint } from '../contract/endpoint.ts'
import { ports } from './ports.ts'

type Base = Endpoint['base']
export type Bases = Record<Base, string>

/** Origins an override may name, fixed at build time (DESIGN §5). */
const ALLOWED_ORIGINS: readonly string[] = __API_ORIGINS__
export const OVERRIDE_KEYS = { api: 'api_base', reporting: 'reporting_base' } as const

const ownBase = (base: Base): string => `${location.origin}/${base}`

/**
 * Where a base lives: this origin, unless local storage names another (spec §7) that the build allows. Whoever is logged in
 * stays with the base they logged in at: a token goes nowhere but where it came from (cases WEB-07). Storage is believed in
 * nothing else: neither token nor password may travel to an origin that someone planted there (WEB-06).
 */
export function baseUrl(base: Base): string {
  const bases = ports().sessionBases()
  if (bases === undefined) return chosenBase(base)
  return allowedOverride(bases[base] ?? null, ALLOWED_ORIGINS) ?? ownBase(base)
}

/** Where a session that begins now belongs. */
export const basesNow = (): Bases => ({ api: baseUrl('api'), reporting: baseUrl('reporting') })

const chosenBase = (base: Base): string => allowedOverride(storedOverride(base), ALLOWED_ORIGINS) ?? ownBase(base)

export interface BaseState {
  base: Base
  url: string
  isOwn: boolean
  /** What local storage asks for is not allowed, or has to wait for the logout. */
  override: 'none' | 'ignored' | 'waiting' | 'honoured'
}

/** Both bases, for telling the person. */
export const baseStates = (): BaseState[] => (['api', 'reporting'] as const).map(stateOf)

function stateOf(base: Base): BaseState {
  const url = baseUrl(base)
  return { base, url, isOwn: url === ownBase(base), override: overrideState(base, url) }
}

function overrideState(base: Base, url: string): BaseState['override'] {
  const stored = storedOverride(base)
  const chosen = chosenBase(base)
  const isHonoured = stored === null || stored === chosen || allowedOverride(stored, ALLOWED_ORIGINS) !== undefined
  if (!isHonoured) return 'ignored'
  if (chosen !== url) return 'waiting'
  return stored === null ? 'none' : 'honoured'
}

function storedOverride(base: Base): string | null {
  try {
    return localStorage.getItem(OVERRIDE_KEYS[base]) || null
  } catch {
    return null
  }
}

/** The override, without a trailing slash, if it is a plain address on an allowed origin. */
export function allowedOverride(stored: string | null, allowedOrigins: readonly string[]): string | undefined {
  if (!stored || !URL.canParse(stored)) return undefined
  const url = new URL(stored)
  const plain = !url.username && !url.password && !url.search && !url.hash
  return plain && allowedOrigins.includes(url.origin) ? url.href.replace(/\/$/, '') : undefined
}
