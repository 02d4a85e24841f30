import { useEffect, useState } from 'react'

/** Whether the portal starts from this device: a worker serves this page, and what it serves lies in its cache. */
export function useShellCached(): boolean | undefined {
  const [kept, setKept] = useState<boolean>()
  useEffect(() => {
    let live = true
    const look = () => void isShellCached().then((now) => live && setKept(now))
    look()
    document.addEventListener('visibilitychange', look)
    navigator.serviceWorker?.addEventListener('controllerchange', look)
    return () => {
      live = false
      document.removeEventListener('visibilitychange', look)
      navigator.serviceWorker?.removeEventListener('controllerchange', look)
    }
  }, [])
  return kept
}

/** A worker is installed only once it has every file; what the browser cleared since is cleared all at once. */
async function isShellCached(): Promise<boolean> {
  if (!navigator.serviceWorker?.controller) return false
  const page = await caches.match('/index.html', { ignoreSearch: true }).catch(() => undefined)
  return page !== undefined
}
