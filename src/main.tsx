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
import {
  auth,
  isLeaving,
  ownLogin,
  serverNow,
  sessionBaseUrls,
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

/* The only wiring. It connects everything that the first screen needs; the rest (worker, queue) is loaded after the first paint. */

function mended(url: URL): URL | undefined {
  const address = mendMailedAddress(url)
  return address === undefined ? undefined : new URL(address, url)
}

const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: RouteError,
  // Avoids both a blank page while a chunk loads and a flash.
  defaultPendingMs: 300,
  rewrite: { input: ({ url }) => mended(url) },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/**
 * Ends the session when the server has ended it (rule 4.10): everything locks, and nothing queued is lost. A 401 for an earlier
 * session of this browser says nothing about the present one.
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
  sessionBaseUrls,
  onRefreshed: tokenRefreshed,
  onUnauthorized: endSession,
  onTrouble: noteError,
  serverNow,
  idleSeconds,
  ask: runOutsideTakeover,
  alone: withLock,
  onContact: reportContact,
})

// After a sleep longer than the idle limit, the device is locked before anything of the user is painted.
if (auth.session && idleState(lastAction(), auth.session.idle_seconds, Date.now()).is === 'over') endIdle()
watchActions()

/**
 * Reacts when a user logs in, logs out or changes in any tab: the guards check the open screen again, and no logged-in user stays
 * on /login. The notice of a multiple login was stored before, so every tab shows it.
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

/**
 * Returns the address for the next login. If the session ended by itself, the user comes back to the same screen and its draft;
 * after a chosen logout the user begins at the start.
 */
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

// Runs in the task that put the screen into the page, so before it is painted, but after React's own work in it: during that work,
// the event of a value that is carried over would make React restore the old value, with the caret at its end.
router.subscribe('onRendered', () =>
  queueMicrotask(() => {
    replaceDrawnScreen(root)
    firstScreenRendered()
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
