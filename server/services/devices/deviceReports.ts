import * as v from 'valibot'
import { DeviceReport } from '../../../src/contract/devices/deviceReports.ts'
import type { reportTroubles } from '../../../src/contract/devices/troubles.ts'
import type { ParsedBodyOf } from '../../../src/contract/endpoint.ts'
import { putReport } from '../../db/devices.ts'
import { changeTill } from '../../db/redemptions/tills.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor, Caller } from '../accounts/sessions/Actor.ts'

/** Characters. Every report of this portal is shorter. */
const LONGEST = 4_096

/**
 * Stores the report that a till sends about itself with any call that has its cookie, and ignores other text. `browser` returns the browser of the
 * call. Returns `remove` when the till must remove its stored data; undefined when the report was not read.
 */
export async function hearDeviceReport(
  { database, clock, queues }: Deps,
  reportText: string,
  { till: findTill }: Pick<Caller, 'till'>,
  browser: () => string,
): Promise<'remove' | 'nothing' | undefined> {
  // While calls wait, the server has too much to do, so reports are skipped. Each till sends its report again within a minute.
  const isBusy = [queues.counter, queues.others, queues.uploads].some((queue) => queue.state().waiting > 0)
  if (reportText.length > LONGEST || isBusy || database.writability() !== 'writable') return undefined
  const report = readReport(reportText)
  const till = report && (await findTill())
  if (!till) return undefined
  // No wall applies, because the cookie identifies the till. The caller may belong to another organisation, or be logged out.
  const { db } = database.forAllTenants()
  const now = clock.now()
  const { waiting } = report
  const row = {
    tillGuid: till.guid,
    heardAt: now,
    clockOffsetMs: now.getTime() - Date.parse(report.at),
    build: report.build,
    updateWaits: report.update_waits,
    browser: browser(),
    persistent: report.persistent,
    waitingCount: waiting.count,
    waitingCents: waiting.cents,
    oldestWaitingAt: waiting.oldest_at === null ? null : new Date(waiting.oldest_at),
    refused: report.refused,
    posUserId: report.user,
  }
  await putReport(db, row)
  if (!till.removalRequestedAt || till.removedAt) return 'nothing'
  if (!report.removed) return 'remove'
  await changeTill(db, till.guid, { removedAt: now })
  return 'nothing'
}

function readReport(reportText: string): DeviceReport | undefined {
  try {
    const parsed = v.safeParse(DeviceReport, JSON.parse(reportText))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

/**
 * Writes the problems of the actor's device to the log and the metrics, and returns their number. An earlier user of the device may have had some of
 * them.
 */
export function noteTroubles(
  { log, metrics }: Deps,
  { userId, sessionId }: Actor,
  { troubles }: ParsedBodyOf<typeof reportTroubles>,
): number {
  for (const { request_id: failed_request, ...trouble } of troubles) {
    log.warn('device_trouble', { ...trouble, failed_request, reported_by: userId, session: sessionId })
    metrics.deviceTrouble(trouble)
  }
  return troubles.length
}
