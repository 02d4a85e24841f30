import { formatAsOf } from '../domain/singaporeTime.ts'
import type { ReferenceList } from '../offline/reads/useReferenceList.ts'
import { oldWords } from './cached/AsOf.tsx'
import { useMinute } from './cached/useCurrentMinute.ts'
import { useOffline } from './connectivity/useOffline.ts'

/** For the field of a reference list: a kept list names its age; a list that was never kept says what it needs. */
export function useListHint({ asOf, missing }: Pick<ReferenceList<unknown>, 'asOf' | 'missing'>): { hint?: string } {
  const offline = useOffline()
  const now = useMinute()
  if (missing) return { hint: 'The list needs a connection once.' }
  if (!offline || !asOf) return {}
  const old = oldWords(asOf, now)
  return { hint: `As of ${formatAsOf(asOf, now)}${old ? `, ${old}` : ''}` }
}
