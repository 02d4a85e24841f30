import { useCallback, useEffect, useRef } from 'react'

/**
 * Returns a function that runs an action now, or once the pointer is up. A press on a button leaves the field and shows its error,
 * which moves the button: before the pointer is up, the click would miss the button and be lost.
 */
export function useAfterPress(): (act: () => void) => void {
  const pressed = useRef(false)
  const waiting = useRef<(() => void)[]>([])

  useEffect(() => {
    const unmounted = new AbortController()
    const options = { capture: true, signal: unmounted.signal }
    const onDown = () => {
      pressed.current = true
    }
    // The click follows pointerup in the same task at the latest. Nothing may move before it.
    const onUp = () =>
      setTimeout(() => {
        pressed.current = false
        for (const act of waiting.current.splice(0)) act()
      })
    window.addEventListener('pointerdown', onDown, options)
    window.addEventListener('pointerup', onUp, options)
    window.addEventListener('pointercancel', onUp, options)
    return () => unmounted.abort()
  }, [])

  return useCallback((act) => {
    if (pressed.current) waiting.current.push(act)
    else act()
  }, [])
}
