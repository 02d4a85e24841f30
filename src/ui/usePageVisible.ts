import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** True if the page is in view: not in a tab or an app behind another one. */
export const usePageVisible = (): boolean => useSyncExternalStore(onVisibilityChange, isVisible)

/** Calls `seen` each time the page comes back into view. */
export function useReturnToPage(seen: () => void): void {
  const onChange = useEffectEvent(() => isVisible() && seen())
  useEffect(() => onVisibilityChange(() => void onChange()), [])
}

const isVisible = () => document.visibilityState === 'visible'

function onVisibilityChange(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
