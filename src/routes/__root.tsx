import { createRootRoute, Navigate, Outlet, redirect } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { gate } from '../domain/gate.ts'
import { visitor } from '../state/auth.ts'
import { firstScreen } from '../state/firstScreen.ts'

/**
 * Every navigation passes the gate (spec §2, §4, §6). The server checks again: a guard is courtesy, not authorization. A mailed
 * link is for whoever holds it, logged in here or not.
 */
export const Route = createRootRoute({
  beforeLoad: ({ location }) => {
    const path = location.pathname.replace(/(.)\/$/, '$1')
    if (path === '/login' && 'step' in location.search && isMailed(location.search.step)) return
    const destination = gate(path, visitor())
    if (destination === undefined || destination === path) return
    const asked = destination === '/login' && path !== '/' ? { redirect: location.href } : {}
    throw redirect({ to: destination, search: asked, replace: true })
  },
  component: Root,
  notFoundComponent: () => <Navigate to="/404" replace />,
})

const isMailed = (step: unknown) => step === 'reset' || step === 'activate'

const Overlays = lazy(async () => ({ default: (await import('../features/shell/Overlays.tsx')).Overlays }))
const UpdateBar = lazy(async () => ({ default: (await import('../features/app-update/UpdateBar.tsx')).UpdateBar }))

const DrillStrip = __DRILL__
  ? lazy(async () => ({ default: (await import('../features/drill/DrillStrip.tsx')).DrillStrip }))
  : () => null
const BaseBanner = lazy(async () => ({ default: (await import('../features/api-base/BaseBanner.tsx')).BaseBanner }))
const SessionTimeout = lazy(async () => ({
  default: (await import('../features/session-timeout/SessionTimeout.tsx')).SessionTimeout,
}))

/** Toasts, dialogs and the update prompt stand over every layout; the first screen does not wait for them. */
function Root() {
  const [rendered, setRendered] = useState(false)
  useEffect(() => void firstScreen.then(() => setRendered(true)), [])
  return (
    <>
      {rendered && (
        <Suspense fallback={null}>
          <DrillStrip />
          <BaseBanner />
        </Suspense>
      )}
      <Outlet />
      {rendered && (
        <Suspense fallback={null}>
          <Overlays />
          <UpdateBar />
          <SessionTimeout />
        </Suspense>
      )}
    </>
  )
}
