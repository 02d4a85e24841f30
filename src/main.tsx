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
import { runOutsideTakeover } from './offline/update/takeoverPause.ts'
import { routeTree } from './routeTree.gen.ts'
import { replaceDrawnScreen } from './start/replaceDrawnScreen.ts'
import { loadTypeface, showTypeface } from './start/typeface.ts'
import {
  auth,
  isLoggingOut,
  ownLoginSearch,
  serverNow,
  sessionBaseUrls,
  clearSession,
  storedToken,
  storeRefreshedToken,
  hasLoggedOutByChoice,
} from './state/auth.ts'
import { firstScreen, announceFirstScreen } from './state/firstScreen.ts'
import { endIdle, idleSeconds, lastActionAt, watchActions } from './state/lastAction.ts'
import { setMultiLoginMessage, shell } from './state/shell.ts'
import { showToast } from './state/toasts.ts'
import './styles.css'

/* Connects everything that the first screen needs. The rest (worker, queue) is loaded after the first paint. */

function mendAddress(url: URL): URL | undefined {
  const address = mendMailedAddress(url)
  return address === undefined ? undefined : new URL(address, url)
}

const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: RouteError,
  // Avoids a blank page while a chunk loads, and also a flash.
  defaultPendingMs: 300,
  rewrite: { input: ({ url }) => mendAddress(url) },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/**
 * Ends the session when the server has ended it (rule 4.10): everything locks, and nothing queued is lost. A 401 for an earlier
 * session of this browser does not end the present one.
 */
function endSession(error: ApiError, token: string | undefined) {
  const session = token === undefined ? undefined : readClaims(token)?.sid
  if (session !== undefined && auth.session && auth.session.guid !== session) return
  if (auth.session && !isLoggingOut()) noteError('session', error)
  if (error.code === 'SESSION_TERMINATED') setMultiLoginMessage(error.statusMessage)
  else if (auth.session && !isLoggingOut()) showToast({ tone: 'info', text: error.statusMessage, stays: true })
  clearSession()
}

function noteError(about: 'session' | 'queue', { code, requestId }: ApiError) {
  void retryImport(() => import('./state/troubles.ts')).then(({ noteTrouble }) => noteTrouble(about, code, requestId))
}

connectApi({
  getToken: storedToken,
  sessionBaseUrls,
  onRefreshed: storeRefreshedToken,
  onUnauthorized: endSession,
  onTrouble: noteError,
  serverNow,
  idleSeconds,
  runRequest: runOutsideTakeover,
  runAlone: withLock,
  onContact: reportContact,
})

// After a sleep longer than the idle limit, the session ends before anything of the user is painted.
if (auth.session && idleState(lastActionAt(), auth.session.idle_seconds, Date.now()).is === 'over') endIdle()
watchActions()

/**
 * Reacts when a user logs in, logs out or changes in any tab: the guards check the open screen again, and no logged-in user stays
 * on /login. The notice of a multiple login was stored before, so every tab shows it.
 */
let knownUser = userKey(auth.user)
subscribe(auth, () => {
  const currentUser = userKey(auth.user)
  if (currentUser === knownUser) return
  knownUser = currentUser
  if (currentUser) void router.invalidate()
  else
    void router.navigate({
      to: '/login',
      search: { ...ownLoginSearch(), ...(shell.multiLoginMessage ? { multiLogin: 1 } : returnSearch()) },
    })
})

/**
 * Returns the address for the next login. If the session ended by itself, the user comes back to the same screen and its draft.
 * After a chosen logout the user starts on the first screen.
 */
function returnSearch() {
  const { pathname, href } = router.state.location
  return hasLoggedOutByChoice() || pathname === '/login' ? {} : { redirect: href }
}

function userKey(user: typeof auth.user) {
  return user && `${user.guid} ${user.type} ${user.status}`
}

document.documentElement.dataset['build'] = __BUILD_ID__
loadTypeface()

const root = document.getElementById('root')!

/**
 * Renders the app. While the drawn screen is in the page, the app renders outside of it: between React's rendering and the event
 * below, a password manager would find two logins.
 */
function render() {
  if (document.getElementById('first')) root.remove()
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
}
// Loads the route's own files first: without them the app would render nothing, and render everything again a moment later.
void router.load().then(render, render)

// Runs in the task that put the screen into the page, before it is painted, but after React's own work. During that work, the
// event of a carried-over value would make React restore the old value, with the caret at its end.
router.subscribe('onRendered', () =>
  queueMicrotask(() => {
    showTypeface()
    replaceDrawnScreen(root)
    announceFirstScreen()
  }),
)
void firstScreen.then(startLater)

async function startLater() {
  // Loads these before the code that imports them, each in its own task: together they would block a user who types on a slow phone.
  void import('dexie').catch(() => undefined)
  void router.loadRouteChunk(router.routesById['/_app'])?.catch(() => undefined)
  const { startOffline } = await retryImport(() => import('./start/startOffline.ts'))
  await startOffline(router)
}
