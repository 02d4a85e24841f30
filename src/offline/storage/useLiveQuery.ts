import { liveQuery } from 'dexie'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { storageHealth } from './storageHealth.ts'

/**
 * Returns the value of a Dexie query, and follows its changes in any tab and in the worker. It is `undefined` before the first
 * answer, and without a key.
 */
export function useLiveQuery<T>(query: () => Promise<T>, key: string | undefined): T | undefined {
  const [answer, setAnswer] = useState<{ key: string | undefined; value: T }>()
  // The key identifies the query, so a new closure with the same key must not subscribe again.
  const runQuery = useEffectEvent(query)
  // A failed query ends. It is started again when its database has reopened.
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
