import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import * as v from 'valibot'
import { useRetryOnReconnect } from '../connectivity/useRetryOnReconnect.ts'
import { useLiveQuery } from '../storage/useLiveQuery.ts'
import { deviceStore, userStore } from '../storage/userStore.ts'
import { isPublicList, REFERENCE_LISTS, type ReferenceListKey } from '../store/referenceLists.ts'

type Entries<K extends ReferenceListKey> = v.InferOutput<(typeof REFERENCE_LISTS)[K]['answer']>

export interface ReferenceList<T> {
  entries: T | undefined
  asOf: Date | undefined
  /** The network failed, and nothing is stored on the device. */
  missing: boolean
}

/**
 * A reference list: the stored one at once, then whatever the worker writes when the network answers. A page that no worker
 * controls yet (the first visit) shows the network's answer itself. Asked again when the connection is back.
 */
export function useReferenceList<K extends ReferenceListKey>(
  owner: string,
  key: K,
  load: () => Promise<Entries<K>>,
): ReferenceList<Entries<K>> {
  const kept = useStoredList(owner, key)
  const [answer, setAnswer] = useState<{ data: Entries<K>; fetchedAt: number } | 'failed'>()
  const [turn, setTurn] = useState(0)
  const ask = useEffectEvent(load)
  useEffect(() => {
    ask().then(
      (data) => setAnswer({ data, fetchedAt: Date.now() }),
      () => setAnswer((before) => before ?? 'failed'),
    )
  }, [owner, key, turn])
  const askAnew = useCallback(() => {
    setAnswer(undefined)
    setTurn((now) => now + 1)
  }, [])
  useRetryOnReconnect(answer === undefined ? 'asking' : answer === 'failed' ? 'failed' : 'answered', askAnew)

  const newest = answer !== undefined && answer !== 'failed' ? answer : undefined
  if (newest) return { entries: newest.data, asOf: new Date(newest.fetchedAt), missing: false }
  if (kept) return { ...kept, missing: false }
  return { entries: undefined, asOf: undefined, missing: answer === 'failed' }
}

/** What is stored of a list, followed live, without asking the server. */
export function useStoredList<K extends ReferenceListKey>(
  owner: string,
  key: K,
): { entries: Entries<K>; asOf: Date } | undefined {
  const kept = useLiveQuery(() => listsFor(owner, key).get(key), `${owner}/${key}`)
  const stored = v.safeParse(REFERENCE_LISTS[key].answer, kept?.data)
  return kept && stored.success ? { entries: stored.output as Entries<K>, asOf: new Date(kept.fetchedAt) } : undefined
}

const listsFor = (owner: string, key: ReferenceListKey) =>
  isPublicList(key) ? deviceStore().lists : userStore(owner).lists
