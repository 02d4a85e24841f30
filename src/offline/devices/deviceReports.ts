import { subscribeKey } from 'valtio/vanilla/utils'
import type { DeviceReport } from '../../contract/devices/deviceReports.ts'
import { connectivity } from '../connectivity/connectivity.ts'
import { hasTillDatabase, tillDatabase } from '../redemptions/openTill.ts'
import { happenedAt, refusedTillRows, unsentTillRows } from '../redemptions/tillRows.ts'
import { persistence, readPersistence, unsent } from '../storage/storageHealth.ts'
import { sumCents } from '../store/till.ts'
import { appUpdate } from '../update/appUpdate.ts'

export interface ReportPorts {
  /** True if this device is a till, or was one until it removed its stored data. */
  isTill: () => boolean
  /** The guid of the cashier who is logged in. */
  cashier: () => string | undefined
  /** True if it has removed its stored data as requested. */
  removed: () => boolean
}

/** A working till reports at most this often, unless the waiting vouchers change. */
const EVERY_MS = 60_000

/** The server takes the device's clock from a report's time, so a report from before a sleep is not sent. */
const GOOD_FOR_MS = 90_000

/** Prepares a report for the next call of this device, from now on (decision 0079). A device that was never a till reports nothing. */
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
  // The answer may belong to a call that left earlier: then this report is lost, and the next one comes within a minute.
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
  /** Call it when the next report has something new to say. */
  changed: () => void
  /** Returns the report as JSON for the call that leaves now; the same one until our server has answered. */
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
