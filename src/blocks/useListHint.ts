import { formatAsOf } from '../domain/singaporeTime.ts'
import type { ReferenceList } from '../offline/reads/useReferenceList.ts'
import { ageLabel } from './cached/AsOf.tsx'
import { useCurrentMinute } from './cached/useCurrentMinute.ts'
import { useOffline } from './connectivity/useOffline.ts'

/** For the field of a reference list: a kept list names its age; a list that was never kept says what it needs. */
export function useReferenceListHint({ asOf, missing }: Pick<ReferenceList<unknown>, 'asOf' | 'missing'>): {
  hint?: string
} {
  const offline = useOffline()
  const now = useCurrentMinute()
  if (missing) return { hint: 'The list needs a connection once.' }
  if (!offline || !asOf) return {}
  const old = ageLabel(asOf, now)
  return { hint: `As of ${formatAsOf(asOf, now)}${old ? `, ${old}` : ''}` }
}
