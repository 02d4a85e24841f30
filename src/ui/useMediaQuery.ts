import { useCallback, useSyncExternalStore } from 'react'

/** Whether the window is as `query` says, followed. For what CSS cannot say: another control, not another look. */
export function useMediaQuery(query: string): boolean {
  const follow = useCallback(
    (changed: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(follow, () => matchMedia(query).matches)
}
