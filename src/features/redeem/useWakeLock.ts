import { useEffect } from 'react'

/** A counter that went dark has to be woken for every customer. The browser lets go when the tab is hidden; seen again, it is asked anew. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let over = false
    const keepAwake = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
      // Refused on a low battery: then the device's own setting counts.
      const given = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (over) void given?.release()
      else lock = given
    }
    const seen = () => void keepAwake()
    seen()
    document.addEventListener('visibilitychange', seen)
    return () => {
      over = true
      document.removeEventListener('visibilitychange', seen)
      void lock?.release()
    }
  }, [])
}
