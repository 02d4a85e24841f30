import { useEffect, useReducer } from 'react'
import { useSnapshot } from 'valtio/react'
import {
  ALLOWED_ORIGINS,
  allowedOverride,
  baseUrl,
  chosenBase,
  overrideKey,
  ownBase,
  storedOverride,
} from '../../api/baseUrl.ts'
import type { Base } from '../../api/ports.ts'
import { auth } from '../../state/auth.ts'
import { shell } from '../../state/shell.ts'
import { ICONS } from '../../ui/icons.tsx'
import { Strip } from '../../ui/Strip.tsx'
import { useRootClass } from '../../ui/useRootClass.ts'

/** Says on every screen when another server than the portal's own is used, and when an override is not followed. */
export function ApiBaseBanner() {
  const states = useBaseStates()
  const elsewhere = states.filter(({ isOwn }) => !isOwn)
  const waiting = states.filter(({ override }) => override === 'waiting')
  const ignored = states.filter(({ override }) => override === 'ignored')
  const silent = elsewhere.length + waiting.length + ignored.length === 0
  useRootClass('has-banner', !silent)
  if (silent) return null
  return (
    <div className="peer grid wrap-anywhere" data-banner>
      {elsewhere.length > 0 && (
        <Strip icon={ICONS.alert}>
          <b className="font-strong">Another server is in use.</b>
          <span>{` ${elsewhere.map(baseLabel).join(', ')}`}</span>
        </Strip>
      )}
      {waiting.length > 0 && (
        <Strip
          icon={ICONS.alert}
        >{`The change of ${keysOf(waiting)} in this browser takes effect after logout.`}</Strip>
      )}
      {ignored.length > 0 && (
        <Strip icon={ICONS.alert}>
          {`The address in ${keysOf(ignored)} in this browser is not allowed here and is ignored.`}
        </Strip>
      )}
    </div>
  )
}

const BASE_NAMES = { api: 'Portal', reporting: 'Reports' } as const

const baseLabel = ({ base, url }: BaseState) => `${BASE_NAMES[base]}: ${url}`

const keysOf = (states: BaseState[]) => states.map(({ base }) => overrideKey(base)).join(' and ')

/** The current bases: read again with every page, every login and logout, and when another tab changes the storage. */
function useBaseStates(): BaseState[] {
  useSnapshot(auth)
  // Every page sets its own title. The router knows of a new page too, but its hook would cost the first screen 400 bytes.
  useSnapshot(shell)
  const [, readAgain] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    addEventListener('storage', readAgain)
    return () => removeEventListener('storage', readAgain)
  }, [])
  return baseStates()
}

interface BaseState {
  base: Base
  url: string
  isOwn: boolean
  /** What local storage asks for is not allowed, or has to wait for the logout. */
  override: 'none' | 'ignored' | 'waiting' | 'honoured'
}

/** Both bases, for telling the person. */
const baseStates = (): BaseState[] => (['api', 'reporting'] as const).map(stateOf)

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
