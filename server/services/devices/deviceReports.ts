import { compactVerify, decodeJwt, importJWK } from 'jose'
import * as v from 'valibot'
import { DeviceReport, type PublicKey } from '../../../src/contract/devices/deviceReports.ts'
import type { reportTroubles } from '../../../src/contract/devices/troubles.ts'
import type { ParsedBodyOf } from '../../../src/contract/endpoint.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import { addDays, singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { findTillKey, putReport } from '../../db/devices.ts'
import { changeTill, findTill, setTillKey } from '../../db/redemptions/tills.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'

/** Gives the device `id` its key at the actor's branch. Throws Refusal NOT_FOUND for one that was not named there, TILL_ENROLLED, TILL_REVOKED. */
export async function registerDeviceKey(
  { database }: Deps,
  actor: Actor,
  id: string,
  { key }: { key: PublicKey },
): Promise<void> {
  // The permission is a POS user's, and a POS user has a branch.
  if (!actor.branch) throw new Refusal('FORBIDDEN')
  if (await setTillKey(database.db, actor.branch.id, id, key)) return
  const till = await findTill(database.db, actor.branch.id, id)
  if (!till) throw new Refusal('NOT_FOUND')
  throw new Refusal(till.revokedAt ? 'TILL_REVOKED' : 'TILL_ENROLLED')
}

/** Longer than any of ours. */
const LONGEST = 4_096

/** A call that waits this long for the database shows that there are more of them than it can do: reports are left out then. */
const BUSY_MS = 50

/** Which till a report is of, before anybody has looked whether it is true. */
export const reporterOf = (jws: string): string | undefined => {
  const report = jws.length > LONGEST ? undefined : readReport(jws)
  return report && `${report.branch}/${report.till}`
}

/**
 * Writes down what a till says of itself, if its key has signed it; anything else is dropped without a word. It comes with calls of
 * everybody and of nobody, so it is looked up without the wall: the signature says whose it is. `browser` is that of the call. Answers whether
 * the till is to remove what it stores; undefined where the report was not believed, or not read.
 */
export async function hearDeviceReport(
  { database, clock }: Deps,
  jws: string,
  browser: () => string,
): Promise<'remove' | 'nothing' | undefined> {
  if (jws.length > LONGEST || database.writability() !== 'writable' || database.longestWaitMs('portal') > BUSY_MS)
    return undefined
  const report = readReport(jws)
  if (!report) return undefined
  const { db } = database.portal()
  const till = await findTillKey(db, report.branch, report.till)
  if (!till || !(await isSignedBy(till.publicKey, jws))) return undefined
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
    days: Object.fromEntries(report.connection.map((page) => [page.day, page])),
    shiftCheck: report.check,
  }
  await putReport(db, row, addDays(singaporeDay(now), -LIMITS.diaryDays))
  if (till.removal !== 'asked') return 'nothing'
  if (!report.removed) return 'remove'
  await changeTill(db, till.guid, { removedAt: now })
  return 'nothing'
}

/** What it says, whoever signed it. */
function readReport(jws: string): DeviceReport | undefined {
  try {
    const parsed = v.safeParse(DeviceReport, decodeJwt(jws))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

async function isSignedBy(key: PublicKey, jws: string): Promise<boolean> {
  try {
    await compactVerify(jws, await importJWK(key, 'ES256'), { algorithms: ['ES256'] })
    return true
  } catch {
    return false
  }
}

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
