import { subscribeKey } from 'valtio/vanilla/utils'
import type { DeviceReport } from '../../contract/devices/deviceReports.ts'
import { connectivity } from '../connectivity/connectivity.ts'
import { hasTillDatabase, tillDatabase } from '../redemptions/openTill.ts'
import { happenedAt, refusedTillRows, unsentTillRows } from '../redemptions/tillRows.ts'
import { persistence, readPersistence, unsent } from '../storage/storageHealth.ts'
import { sumCents } from '../store/till.ts'
import { appUpdate } from '../update/appUpdate.ts'

export interface ReportPorts {
  /** Whether this device is a till, or was one until it removed what it stored. */
  isTill: () => boolean
  /** The guid of the cashier who is logged in. */
  cashier: () => string | undefined
  /** Whether it has removed what it stored, as it was asked to. */
  removed: () => boolean
}

/** A till at work says how it is this often at most, but for a change of what waits. */
const EVERY_MS = 60_000

/** A report says when it was made, and the server reads the clock of the device from that: one of before a sleep is none. */
const GOOD_FOR_MS = 90_000

/**
 * Has a report ready for the next call that leaves this device, from now on (decision 0079). One that was never a till says nothing.
 */
export function startDeviceReports(ports: ReportPorts): DeviceReports {
  let ready: { report: string; madeAt: number } | undefined
  let isSent = false
  let running: Promise<void> = Promise.resolve()
  const prepare = async () => {
    const madeAt = Date.now()
    const report = await makeReport(ports)
    ready = report === undefined ? undefined : { report, madeAt }
    isSent = false
  }
  const changed = () => {
    running = running.then(prepare).catch(() => undefined)
  }
  setInterval(changed, EVERY_MS)
  subscribeKey(unsent, 'count', changed)
  // The answer may be that of a call which left earlier: then this report is lost, and the next one comes within a minute.
  subscribeKey(connectivity, 'lastContactAt', () => {
    if (isSent) ready = undefined
  })
  void readPersistence().then(changed)
  const take = () => {
    if (!ready) return undefined
    isSent = Math.abs(Date.now() - ready.madeAt) <= GOOD_FOR_MS
    if (!isSent) changed()
    return isSent ? ready.report : undefined
  }
  return { changed, take }
}

interface DeviceReports {
  /** Something has changed that the next report should say. */
  changed: () => void
  /** As JSON, for the call that leaves now; the same until our server has answered. */
  take: () => string | undefined
}

async function makeReport(ports: ReportPorts): Promise<string | undefined> {
  if (!ports.isTill()) return undefined
  const isThere = await hasTillDatabase()
  const waiting = isThere ? await unsentTillRows(tillDatabase()) : []
  const refused = isThere ? await refusedTillRows(tillDatabase()) : []
  const [oldest] = waiting
  const report: DeviceReport = {
    at: new Date().toISOString(),
    build: __BUILD_ID__,
    update_waits: appUpdate.phase !== 'none',
    persistent: persistence.granted ?? null,
    waiting: {
      count: waiting.length,
      cents: sumCents(waiting),
      oldest_at: oldest ? new Date(happenedAt(oldest)).toISOString() : null,
    },
    refused: refused.length,
    user: ports.cashier() ?? null,
    removed: ports.removed(),
  }
  return JSON.stringify(report)
}
