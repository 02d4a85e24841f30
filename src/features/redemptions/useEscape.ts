import { useEffect, useEffectEvent } from 'react'

/** Escape leaves, wherever the focus is: after a scan nothing has it. */
export function useEscape(leave: (() => void) | undefined): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => event.key === 'Escape' && leave?.())
  useEffect(() => {
    const listen = (event: KeyboardEvent) => void pressed(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
