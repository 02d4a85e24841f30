import { subscribeKey } from 'valtio/vanilla/utils'
import type { DeviceReport, PublicKey } from '../../contract/devices/deviceReports.ts'
import { connectivity } from '../connectivity/connectivity.ts'
import { hasTillDatabase, tillDatabase } from '../redemptions/openTill.ts'
import { happenedAt, refusedTillRows, unsentTillRows } from '../redemptions/tillRows.ts'
import { persistence, readPersistence, unsent } from '../storage/storageHealth.ts'
import { sumCents } from '../store/till.ts'
import { appUpdate } from '../update/appUpdate.ts'
import { ensureDeviceKey, findDeviceKey, keyRegistered } from './deviceKey.ts'

export interface ReportPorts {
  /** The id of this device at the counter. */
  till: () => string
  /** The cashier who is logged in, at a branch where this device has a name. */
  cashier: () => { guid: string; branch: string } | undefined
  /** What else the device knows of itself: how its connection was, and its last check. */
  facts: () => Pick<DeviceReport, 'connection' | 'check' | 'removed'>
  /** Tells the server the public half of the key. */
  register: (till: string, key: PublicKey) => Promise<unknown>
}

/** A till at work says how it is this often at most, but for a change of what waits. */
const EVERY_MS = 60_000

/** A report says when it was made, and the server reads the clock of the device from that: one of before a sleep is none. */
const GOOD_FOR_MS = 90_000

/**
 * Has a report ready for the next call that leaves this device, from now on (decision 0078). A device without a key says nothing: it
 * was never a till.
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
  /** Signed, for the call that leaves now; the same until our server has answered. */
  take: () => string | undefined
}

async function makeReport(ports: ReportPorts): Promise<string | undefined> {
  const at = await placeOf(ports)
  if (!at) return undefined
  const { key, branch } = at
  const isThere = await hasTillDatabase()
  const waiting = isThere ? await unsentTillRows(tillDatabase()) : []
  const refused = isThere ? await refusedTillRows(tillDatabase()) : []
  const [oldest] = waiting
  const report: DeviceReport = {
    till: ports.till(),
    branch,
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
    user: ports.cashier()?.guid ?? null,
    ...ports.facts(),
  }
  const { CompactSign } = await import('jose')
  const payload = new TextEncoder().encode(JSON.stringify(report))
  return new CompactSign(payload).setProtectedHeader({ alg: 'ES256' }).sign(key.privateKey)
}

/** The key, and the branch where the server knows it. With nobody logged in, as while it uploads from the login, the last one. */
async function placeOf(ports: ReportPorts) {
  const cashier = ports.cashier()
  if (!cashier) {
    const key = await findDeviceKey()
    const branch = key?.branches.at(-1)
    return key && branch !== undefined ? { key, branch } : undefined
  }
  const key = await ensureDeviceKey()
  const { branch } = cashier
  if (!key.branches.includes(branch)) await ports.register(ports.till(), key.publicKey)
  if (key.branches.at(-1) !== branch) await keyRegistered(branch)
  return { key, branch }
}
