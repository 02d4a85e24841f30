import { createRootRoute, Navigate, Outlet, redirect } from '@tanstack/react-router'
import { useSyncExternalStore, type ReactNode } from 'react'
import { snapshot, subscribe } from 'valtio/vanilla'
import { UserContext } from '../blocks/accounts/useUser.ts'
import { lazyAfterFirstPaint } from '../blocks/lazy/lazyWithRetry.tsx'
import { gate, pageInsteadOf, SOURCE_PARAMETER } from '../domain/gate.ts'
import { auth, ownLoginSearch, visitor } from '../state/auth.ts'

/**
 * Every navigation passes the gate (rules 2.7, 16.2). This guard protects nothing: the server checks again (rule 16.9). A mailed
 * link works with or without a login, also while another user is logged in.
 */
export const Route = createRootRoute({
  beforeLoad: ({ location }) => {
    const path = location.pathname.replace(/(.)\/$/, '$1')
    if (path === '/login' && 'step' in location.search && isMailed(location.search.step)) return
    const destination = gate(path, visitor())
    if (SOURCE_PARAMETER in location.search && (destination ?? '/404') === '/404') {
      const { [SOURCE_PARAMETER]: _told, ...search } = location.search
      if (destination === undefined) throw redirect({ to: path, search, hash: location.hash, replace: true })
      throw redirect({ href: pageInsteadOf(path, visitor()), replace: true })
    }
    if (destination === undefined || destination === path) return
    if (destination !== '/login') throw redirect({ to: destination, replace: true })
    const login = path === '/redeem' ? { as: 'pos' as const } : ownLoginSearch()
    const search = path === '/' ? login : { ...login, redirect: location.href }
    throw redirect({ to: destination, search, replace: true })
  },
  component: Root,
  notFoundComponent: () => <Navigate to="/404" replace />,
})

const isMailed = (step: unknown) => step === 'reset' || step === 'activate'

const Overlays = lazyAfterFirstPaint(async () => (await import('../features/shell/Overlays.tsx')).Overlays)
const UpdateBar = lazyAfterFirstPaint(async () => (await import('../features/devices/UpdateBar.tsx')).UpdateBar)
const ApiBaseBanner = lazyAfterFirstPaint(
  async () => (await import('../features/shell/ApiBaseBanner.tsx')).ApiBaseBanner,
)
const SessionTimeout = lazyAfterFirstPaint(
  async () => (await import('../features/accounts/sessions/SessionTimeout.tsx')).SessionTimeout,
)
const DrillStrip = __DRILL__
  ? lazyAfterFirstPaint(async () => (await import('../features/drill/DrillStrip.tsx')).DrillStrip)
  : () => null

/** Toasts, dialogs and the update prompt are above every layout. */
function Root() {
  return (
    <UserProvider>
      <DrillStrip />
      <ApiBaseBanner />
      <Outlet />
      <Overlays />
      <UpdateBar />
      <SessionTimeout />
    </UserProvider>
  )
}

function UserProvider({ children }: { children: ReactNode }) {
  const user = useSyncExternalStore(subscribeAuth, readUser)
  return <UserContext value={user}>{children}</UserContext>
}

const subscribeAuth = (changed: () => void) => subscribe(auth, changed)

const readUser = () => snapshot(auth).user
