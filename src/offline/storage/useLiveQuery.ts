import { liveQuery } from 'dexie'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { storageHealth } from './storageHealth.ts'

/**
 * Returns the value of a Dexie query, and follows its changes in any tab or in the worker. It is `undefined` until the first
 * answer. Without a key nothing is followed.
 */
export function useLiveQuery<T>(query: () => Promise<T>, key: string | undefined): T | undefined {
  const [answer, setAnswer] = useState<{ key: string | undefined; value: T }>()
  // The key names the query; a new closure of the same query must not subscribe again.
  const runQuery = useEffectEvent(query)
  // A failed query has ended, so it is started again when its database has reopened.
  const { reopened } = useSnapshot(storageHealth)
  useEffect(() => {
    if (key === undefined) return undefined
    const subscription = liveQuery(() => runQuery()).subscribe({
      next: (value) => setAnswer({ key, value }),
      // If storage fails, the screen works from the network alone (rule 14.9).
      error: () => setAnswer(undefined),
    })
    return () => subscription.unsubscribe()
  }, [key, reopened])
  return answer && answer.key === key ? answer.value : undefined
}
