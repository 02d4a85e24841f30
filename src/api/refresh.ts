import * as v from 'valibot'
import { refresh } from '../contract/account.ts'
import { success } from '../contract/envelope.ts'
import { tokenState } from '../domain/accessToken.ts'
import { ApiError } from './ApiError.ts'
import { ports } from './ports.ts'
import { notOurAnswer, send } from './transport.ts'

const LOCK = 'token-refresh'
let running: Promise<string> | undefined

/** A token to send now: an expired one is refreshed before the request (spec §4). Throws ApiError. */
export async function liveToken(): Promise<string> {
  const token = ports().getToken()
  switch (tokenState(token, ports().serverNow())) {
    case 'valid':
      return token!
    case 'expired':
      return refreshed(token!)
    case 'missing': {
      const error = new ApiError({ statusMessage: 'Nobody is logged in.', statusCode: 401, code: 'TOKEN_MISSING' })
      ports().onUnauthorized(error, token)
      throw error
    }
  }
}

/** The successor of `stale`: one refresh for every caller in this tab, and one for every tab of this browser. */
export function refreshed(stale: string): Promise<string> {
  running ??= acrossTabs(() => refreshUnlessDone(stale)).finally(() => {
    running = undefined
  })
  return running
}

/** Without Web Locks two tabs may refresh at once; the server answers both with the same successor (cases SES-18). */
function acrossTabs<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? (navigator.locks.request(LOCK, work) as Promise<T>) : work()
}

/**
 * Chromium hands local storage from tab to tab asynchronously: the tab that gets the lock next may not see the token written
 * under it for some milliseconds. Waiting this long costs nobody anything and saves the second refresh.
 */
const STORAGE_TRAVELS_MS = 50

async function refreshUnlessDone(stale: string): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, STORAGE_TRAVELS_MS))
  const current = ports().getToken()
  if (current !== undefined && current !== stale) return current
  try {
    const answer = await send(refresh, {}, stale)
    const parsed = v.safeParse(success(refresh.answer), await answer.json().catch(() => undefined))
    ports().onContact(parsed.success)
    if (!parsed.success) throw notOurAnswer()
    ports().onRefreshed(parsed.output.data.access_token)
    return parsed.output.data.access_token
  } catch (error) {
    // Only the server's own 401 ends the session; a line that fails leaves everyone signed in.
    if (error instanceof ApiError && error.endsSession) ports().onUnauthorized(error, stale)
    throw error
  }
}
