import { subscribeKey } from 'valtio/vanilla/utils'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { reportTroubles } from '../contract/devices/troubles.ts'
import { isDown } from '../domain/connectivity.ts'
import { connectivity } from '../offline/connectivity/connectivity.ts'
import { auth } from '../state/auth.ts'
import { noteTrouble, troublesTold, untoldTroubles } from '../state/troubles.ts'

const LOOK_EVERY_MS = 20_000

let telling = false

/** Notes outages, and reports the troubles of this device to the server as soon as it answers again. */
export function tellTroubles(): void {
  subscribeKey(
    connectivity,
    'verdict',
    (verdict) => isDown(verdict) && noteTrouble('connection', verdict.toUpperCase()),
  )
  subscribeKey(connectivity, 'returns', () => void tell())
  subscribeKey(auth, 'session', () => void tell())
  setInterval(() => void tell(), LOOK_EVERY_MS)
}

async function tell() {
  const waiting = untoldTroubles()
  if (telling || waiting.length === 0 || !auth.session || isDown(connectivity.verdict)) return
  telling = true
  try {
    const told = waiting.map(({ about, code, at, times, request_id }) => ({
      about,
      code,
      at,
      times,
      ...(request_id ? { request_id } : {}),
    }))
    await call(reportTroubles, { body: { troubles: told } })
    troublesTold(waiting)
  } catch (error) {
    // Troubles that the server does not accept stay readable here.
    if (error instanceof ApiError && !error.isTransient && error.statusCode !== 401) troublesTold(waiting)
  } finally {
    telling = false
  }
}
