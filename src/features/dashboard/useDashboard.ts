import { useEffect, useEffectEvent } from 'react'
import { dashboardApi } from '../../api/business.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { Dashboard } from '../../contract/dashboard.ts'
import { type CachedRead, useCachedRead } from '../../offline/reads/useCachedRead.ts'

/** A glance at another tab and back is no reason to ask again. */
const FRESH_FOR_MS = 30_000

/** The figures of my scope, kept for offline; read anew whenever the tab is seen again. */
export function useDashboard(): CachedRead<Dashboard> {
  const { guid } = useUser()
  const read = useCachedRead(guid, 'dashboard', Dashboard, (signal) => dashboardApi.read({ signal }))
  const seen = useEffectEvent(() => {
    const age = Date.now() - (read.asOf?.getTime() ?? 0)
    if (document.visibilityState === 'visible' && age > FRESH_FOR_MS) read.retry()
  })
  useEffect(() => {
    const look = () => seen()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return read
}
