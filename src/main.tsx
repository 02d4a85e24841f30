import { createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { subscribe } from 'valtio/vanilla'
import type { ApiError } from './api/ApiError.ts'
import { connectApi } from './api/ports.ts'
import { retryImport } from './blocks/lazy/lazyWithRetry.tsx'
import { RouteError } from './blocks/lazy/RouteError.tsx'
import { mendMailedAddress } from './domain/accounts/mailedAddress.ts'
import { idleState, readClaims } from './domain/accounts/sessions.ts'
import { reportContact } from './offline/connectivity/connectivity.ts'
import { withLock } from './offline/store/withLock.ts'
import { outsideTakeover } from './offline/update/takeoverPause.ts'
import { routeTree } from './routeTree.gen.ts'
import { replaceDrawnScreen } from './start/replaceDrawnScreen.ts'
import {
  auth,
  isLeaving,
  ownLogin,
  serverNow,
  sessionBases,
  loggedOut,
  storedToken,
  tokenRefreshed,
  wasLeftByChoice,
} from './state/auth.ts'
import { firstScreen, firstScreenRendered } from './state/firstScreen.ts'
import { endIdle, idleSeconds, lastAction, watchActions } from './state/lastAction.ts'
import { setMultiLoginMessage, shell } from './state/shell.ts'
import { showToast } from './state/toasts.ts'
import './styles.css'

/*
 * The only wiring. What the first screen needs is connected here; the rest (worker, queue) is loaded once it has been painted.
 */

function mended(url: URL): URL | undefined {
  const address = mendMailedAddress(url)
  return address === undefined ? undefined : new URL(address, url)
}

const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: RouteError,
  // Never a blank page while a chunk loads, never a flash either.
  defaultPendingMs: 300,
  rewrite: { input: ({ url }) => mended(url) },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/**
 * The server ended the session (rule 4.10): everything locks, nothing queued is lost. A 401 to a session that this browser has
 * left behind already says nothing about the present one.
 */
function endSession(error: ApiError, token: string | undefined) {
  const session = token === undefined ? undefined : readClaims(token)?.sid
  if (session !== undefined && auth.session && auth.session.guid !== session) return
  if (auth.session && !isLeaving()) noteError('session', error)
  if (error.code === 'SESSION_TERMINATED') setMultiLoginMessage(error.statusMessage)
  else if (auth.session && !isLeaving()) showToast({ tone: 'info', text: error.statusMessage, stays: true })
  loggedOut()
}

function noteError(about: 'session' | 'queue', { code, requestId }: ApiError) {
  void retryImport(() => import('./state/troubles.ts')).then(({ noteTrouble }) => noteTrouble(about, code, requestId))
}

connectApi({
  getToken: storedToken,
  sessionBases,
  onRefreshed: tokenRefreshed,
  onUnauthorized: endSession,
  onTrouble: noteError,
  serverNow,
  idleSeconds,
  ask: outsideTakeover,
  alone: withLock,
  onContact: reportContact,
})

// A device that slept past the limit: locked before anything of the person is painted.
if (auth.session && idleState(lastAction(), auth.session.idle_seconds, Date.now()).is === 'over') endIdle()
watchActions()

/**
 * Whoever logs in, out or changes in any tab: the guards judge the open screen anew, and nobody is left on /login. The notice
 * of a multiple login was stored before, so every tab shows it.
 */
let known = personIn(auth.user)
subscribe(auth, () => {
  const now = personIn(auth.user)
  if (now === known) return
  known = now
  if (now) void router.invalidate()
  else
    void router.navigate({
      to: '/login',
      search: { ...ownLogin(), ...(shell.multiLoginMessage ? { multiLogin: 1 } : wayBack()) },
    })
})

/** Whose session ended by itself comes back to where they were, and to their draft there; who logged out begins anew. */
function wayBack() {
  const { pathname, href } = router.state.location
  return wasLeftByChoice() || pathname === '/login' ? {} : { redirect: href }
}

function personIn(user: typeof auth.user) {
  return user && `${user.guid} ${user.type} ${user.status}`
}

document.documentElement.dataset['build'] = __BUILD_ID__

const root = document.getElementById('root')!

/**
 * While the screen that the build drew stands, the app renders outside of the page: between React's work in it and the event
 * below a password manager would find two logins.
 */
function render() {
  if (document.getElementById('first')) root.remove()
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
}
// The route's own files first: rendered before them, the app would render nothing, and all of it again a moment later.
void router.load().then(render, render)

// Within the task that put the screen into the page, thus before it is painted, but past React's own work in it: the event of a
// value that is carried over would have React put the old one back, and the caret at its end.
router.subscribe('onRendered', () =>
  queueMicrotask(() => {
    replaceDrawnScreen(root)
    firstScreenRendered()
  }),
)
void firstScreen.then(startLater)

async function startLater() {
  // Ahead of what imports them, each in a task of its own: run in one go, they would hold up somebody who types on a slow phone.
  void import('dexie').catch(() => undefined)
  void router.loadRouteChunk(router.routesById['/_app'])?.catch(() => undefined)
  const { startOffline } = await retryImport(() => import('./start/startOffline.ts'))
  await startOffline(router)
}
