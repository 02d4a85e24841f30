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
  /** True if this device has removed its stored data as requested. */
  hasRemovedData: () => boolean
}

/** A till makes a new report this often, and whenever the number of waiting vouchers changes. */
const EVERY_MS = 60_000

/** An older report, for example after a sleep, is not sent, because the server takes its time for the device's clock. */
const MAX_AGE_MS = 90_000

/** From now on, keeps a report ready for this device's next call (decision 0079). A device that was never a till reports nothing. */
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
  const prepareAgain = () => {
    running = running.then(prepare).catch(() => undefined)
  }
  setInterval(prepareAgain, EVERY_MS)
  subscribeKey(unsent, 'count', prepareAgain)
  // If the answer belongs to an earlier call, this report may be lost. The next one follows within a minute.
  subscribeKey(connectivity, 'lastContactAt', () => {
    if (isSent) ready = undefined
  })
  void readPersistence().then(prepareAgain)
  const take = () => {
    if (!ready) return undefined
    isSent = Math.abs(Date.now() - ready.madeAt) <= MAX_AGE_MS
    if (!isSent) prepareAgain()
    return isSent ? ready.report : undefined
  }
  return { prepareAgain, take }
}

interface DeviceReports {
  /** Prepares a new report. Call it when there is something new to report. */
  prepareAgain: () => void
  /** Returns the report as JSON for a call that is sent now. Returns the same report until our server has answered. */
  take: () => string | undefined
}

async function makeReport(ports: ReportPorts): Promise<string | undefined> {
  if (!ports.isTill()) return undefined
  const hasDatabase = await hasTillDatabase()
  const waiting = hasDatabase ? await unsentTillRows(tillDatabase()) : []
  const refused = hasDatabase ? await refusedTillRows(tillDatabase()) : []
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
    removed: ports.hasRemovedData(),
  }
  return JSON.stringify(report)
}
