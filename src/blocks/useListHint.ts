import { useState } from 'react'
import { formatAsOf } from '../domain/singaporeTime.ts'
import type { ReferenceList } from '../offline/page/useReferenceList.ts'
import { useOffline } from './useOffline.ts'

/** For the field of a reference list: a kept list names its age; a list that was never kept says what it needs. */
export function useListHint({ asOf, missing }: Pick<ReferenceList<unknown>, 'asOf' | 'missing'>): { hint?: string } {
  const offline = useOffline()
  const [now] = useState(() => new Date())
  if (missing) return { hint: 'The list needs a connection once.' }
  return offline && asOf ? { hint: `As of ${formatAsOf(asOf, now)}` } : {}
}
