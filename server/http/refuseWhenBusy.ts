import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import type { Database } from '../db/engine/Database.ts'
import { Refusal } from '../services/Refusal.ts'

/**
 * How long calls may wait for the database before new ones are refused; a call waits several times. More is asked then than can be
 * answered, and a longer line would only have everybody wait until they give up, and cost as much. A moment's rush is shorter and
 * simply waits. Counters and refreshes of a session are refused last, when the line is mostly theirs, and never for what merchants'
 * portals ask: a redemption has other connections than a dashboard.
 */
const LONGEST_WAIT_MS = { others: 100, counter: 750 }

/** They come again spread out, not all at once. */
const RETRY_SECONDS = { least: 1, most: 5 }

/** Who asks these wants to know just now how it stands. */
const NEVER_REFUSED: readonly Endpoint[] = [ENDPOINTS['system.health'], ENDPOINTS['system.ready']]

/** Throws Refusal SERVER_BUSY, before anything was done for the call. */
export function refuseWhenBusy({ longestWaitMs }: Pick<Database, 'longestWaitMs'>, endpoint: Endpoint): void {
  if (isUrgent(endpoint) ? longestWaitMs('portal') < LONGEST_WAIT_MS.counter : longestWaitMs() < LONGEST_WAIT_MS.others)
    return
  if (NEVER_REFUSED.includes(endpoint)) return
  const { least, most } = RETRY_SECONDS
  throw new Refusal('SERVER_BUSY', { retryAfterSeconds: least + Math.floor(Math.random() * (most - least + 1)) })
}

const isUrgent = ({ access }: Endpoint) =>
  typeof access === 'string' ? access === 'expired token' : access.feature === 'counter'
