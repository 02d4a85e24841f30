import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** True if the page is in view, and not in a tab or an app behind another one. */
export const usePageVisible = (): boolean => useSyncExternalStore(onVisibilityChange, isVisible)

/** Calls `onReturn` each time the page comes back into view. */
export function useReturnToPage(onReturn: () => void): void {
  const onChange = useEffectEvent(() => isVisible() && onReturn())
  useEffect(() => onVisibilityChange(() => void onChange()), [])
}

const isVisible = () => document.visibilityState === 'visible'

function onVisibilityChange(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
