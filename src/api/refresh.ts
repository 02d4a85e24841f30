import { refresh } from '../contract/accounts/account.ts'
import { tokenState } from '../domain/accounts/sessions.ts'
import { after } from '../domain/within.ts'
import { ApiError } from './ApiError.ts'
import { ports } from './ports.ts'
import { parseAnswer, send } from './transport.ts'

const LOCK = 'token-refresh'
let running: Promise<string> | undefined

/** Returns a token to send now; an expired one is refreshed first (rule 4.2). Throws ApiError. */
export async function liveToken(): Promise<string> {
  const token = ports().getToken()
  switch (tokenState(token, ports().serverNow())) {
    case 'valid':
      return token!
    case 'expired':
      return refreshToken(token!)
    case 'missing': {
      const error = new ApiError({ statusMessage: 'Nobody is logged in.', statusCode: 401, code: 'TOKEN_MISSING' })
      ports().onUnauthorized(error, token)
      throw error
    }
  }
}

/** Returns the token that replaces `stale`: one refresh serves all callers in this tab, and all tabs of this browser. */
export function refreshToken(stale: string): Promise<string> {
  running ??= refreshAcrossTabs(stale).finally(() => {
    running = undefined
  })
  return running
}

/** Two tabs may still refresh at once; the server answers both with the same successor (SES-18). */
async function refreshAcrossTabs(stale: string): Promise<string> {
  for (;;) {
    const token = await ports().runAlone(LOCK, (_, isOverdue) => refreshUnlessDone(stale, isOverdue))
    if (token !== undefined) return token
    await waitForSuccessor(stale)
  }
}

/**
 * Refreshes the token, unless another tab has done it. Undefined if the browser stopped this tab meanwhile: other tabs may have
 * refreshed since, even twice. Sending an old token would then end the session (rule 4.4), and an old answer must not replace a
 * newer token.
 */
async function refreshUnlessDone(stale: string, isOverdue: () => boolean): Promise<string | undefined> {
  const current = await readCurrentToken(stale)
  if (current !== undefined && current !== stale) return current
  if (isOverdue()) return undefined
  try {
    const { access_token } = await parseAnswer(refresh, await send(refresh, {}, stale))
    if (isOverdue()) return undefined
    ports().onRefreshed(access_token)
    await tellOtherTabs(stale)
    return access_token
  } catch (error) {
    // Only the server's own 401 ends the session; with a failed connection users stay logged in.
    if (error instanceof ApiError) {
      if (error.endsSession) ports().onUnauthorized(error, stale)
      else ports().onTrouble('session', error)
    }
    throw error
  }
}

/**
 * Chromium copies local storage between processes with a delay, so the tab that gets the lock next may still read the old token.
 * The tab that refreshed holds a lock named after the old token until its write has arrived. A tab that sees that lock waits for
 * the write instead of refreshing again. The browser ends a lock with its tab, so it is never stale.
 */
const TRAVEL_MS = 10_000
const LOOK_EVERY_MS = 20

const refreshedLock = (stale: string) => `token-refreshed:${stale.slice(-43)}`

async function readCurrentToken(stale: string): Promise<string | undefined> {
  const token = ports().getToken()
  return token === stale && (await isRefreshedElsewhere(stale)) ? waitForSuccessor(stale) : ports().getToken()
}

/** Waits until the other tab's write arrives, and returns the stored token: it is still `stale` if none arrived. */
async function waitForSuccessor(stale: string): Promise<string | undefined> {
  const readToken = () => ports().getToken()
  const givesUpAt = performance.now() + TRAVEL_MS
  while (readToken() === stale && performance.now() < givesUpAt) await after(LOOK_EVERY_MS)
  return readToken()
}

async function isRefreshedElsewhere(stale: string): Promise<boolean> {
  const { held } = (await navigator.locks?.query()) ?? {}
  return held?.some(({ name }) => name === refreshedLock(stale)) ?? false
}

/** Resolves when this tab has the lock, before the lock of the refresh is released. */
function tellOtherTabs(stale: string): Promise<void> {
  return new Promise((resolve) => {
    if (!navigator.locks) return resolve()
    const hold = () => (resolve(), after(TRAVEL_MS))
    void navigator.locks.request(refreshedLock(stale), { mode: 'shared' }, hold)
  })
}
