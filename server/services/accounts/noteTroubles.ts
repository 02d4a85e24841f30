import type { reportTroubles } from '../../../src/contract/devices/troubles.ts'
import type { ParsedBodyOf } from '../../../src/contract/endpoint.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from './sessions/Actor.ts'

/** What went wrong on the device of the actor goes into log and metrics. Some of it may be of whoever used the device before. */
export function noteTroubles(
  { log, metrics }: Deps,
  { userId, sessionId }: Actor,
  { troubles }: ParsedBodyOf<typeof reportTroubles>,
): number {
  for (const { request_id: failed_request, ...trouble } of troubles) {
    log.warn('device_trouble', { ...trouble, failed_request, told_by: userId, session: sessionId })
    metrics.deviceTrouble(trouble)
  }
  return troubles.length
}
