import { useEffect, useEffectEvent } from 'react'

/** Escape is the way out wherever the focus is: a hand scanner leaves none. */
export function useEscape(leave: (() => void) | undefined): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => event.key === 'Escape' && leave?.())
  useEffect(() => {
    const listen = (event: KeyboardEvent) => void pressed(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
