import { ALLOWED_ORIGINS, allowedOverride, baseUrl, chosenBase, ownBase, storedOverride } from './baseUrl.ts'
import type { Base } from './ports.ts'

export interface BaseState {
  base: Base
  url: string
  isOwn: boolean
  /** What local storage asks for is not allowed, or has to wait for the logout. */
  override: 'none' | 'ignored' | 'waiting' | 'honoured'
}

/** Both bases, for telling the person. Apart from `baseUrl`, which the first screen has to load. */
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
