import { subscribeKey } from 'valtio/vanilla/utils'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { reportTroubles } from '../contract/devices/troubles.ts'
import { isDown } from '../domain/connectivity.ts'
import { connectivity } from '../offline/connectivity/connectivity.ts'
import { auth } from '../state/auth.ts'
import { noteTrouble, markTroublesReported, unreportedTroubles } from '../state/troubles.ts'

const LOOK_EVERY_MS = 20_000

let isReporting = false

/** Notes outages, and reports the troubles of this device to the server as soon as it answers again. */
export function tellTroubles(): void {
  subscribeKey(
    connectivity,
    'verdict',
    (verdict) => isDown(verdict) && noteTrouble('connection', verdict.toUpperCase()),
  )
  subscribeKey(connectivity, 'returns', () => void reportAll())
  subscribeKey(auth, 'session', () => void reportAll())
  setInterval(() => void reportAll(), LOOK_EVERY_MS)
}

async function reportAll() {
  const waiting = unreportedTroubles()
  if (isReporting || waiting.length === 0 || !auth.session || isDown(connectivity.verdict)) return
  isReporting = true
  try {
    const reported = waiting.map(({ about, code, at, times, request_id }) => ({
      about,
      code,
      at,
      times,
      ...(request_id ? { request_id } : {}),
    }))
    await call(reportTroubles, { body: { troubles: reported } })
    markTroublesReported(waiting)
  } catch (error) {
    // Troubles that the server does not accept stay readable on this device.
    if (error instanceof ApiError && !error.isTransient && error.statusCode !== 401) markTroublesReported(waiting)
  } finally {
    isReporting = false
  }
}
