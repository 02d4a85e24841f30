import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * One identity for a function that is new at every rendering: what gets it need not be drawn again for it. For what happens on
 * an event only; during rendering it would still be the one before.
 */
export function useStableCallback<A extends unknown[], R>(now: (...args: A) => R): (...args: A) => R {
  const latest = useRef(now)
  useLayoutEffect(() => {
    latest.current = now
  })
  return useCallback((...args: A) => latest.current(...args), [])
}
