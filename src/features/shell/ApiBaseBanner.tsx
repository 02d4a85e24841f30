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

/**
 * Says on every screen that a server other than the portal's own is used, or that an override is ignored. The override is
 * read again with every page, every login and logout, and after a change in another tab.
 */
export function ApiBaseBanner() {
  useSnapshot(auth)
  // Every page sets its own title, so a new title means a new page. The router's hook would add 400 bytes to the first screen.
  useSnapshot(shell)
  const [, readAgain] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    addEventListener('storage', readAgain)
    return () => removeEventListener('storage', readAgain)
  }, [])
  const overridden = BASES.filter((base) => baseUrl(base) !== ownBase(base))
  const ignored = BASES.filter(isIgnored)
  const waiting = BASES.filter((base) => !isIgnored(base) && chosenBase(base) !== baseUrl(base))
  const isHidden = overridden.length + waiting.length + ignored.length === 0
  useRootClass('has-banner', !isHidden)
  if (isHidden) return null
  return (
    <div className="peer grid wrap-anywhere" data-banner>
      {overridden.length > 0 && (
        <Strip icon={ICONS.alert}>
          <b className="font-strong">Another server is in use.</b>
          <span>{` ${overridden.map((base) => `${BASE_NAMES[base]}: ${baseUrl(base)}`).join(', ')}`}</span>
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

const BASES = ['api', 'reporting'] as const

const BASE_NAMES = { api: 'Portal', reporting: 'Reports' } as const

const keysOf = (bases: Base[]) => bases.map(overrideKey).join(' and ')

/** True if local storage names an address that the build does not allow. */
function isIgnored(base: Base): boolean {
  const stored = storedOverride(base)
  return stored !== null && stored !== chosenBase(base) && allowedOverride(stored, ALLOWED_ORIGINS) === undefined
}
