import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../../api/call.ts'
import { useCurrentMinute } from '../../../blocks/cached/useCurrentMinute.ts'
import { readRescueKey } from '../../../contract/redemptions/rescue.ts'
import { rescueReason, type RescueReason } from '../../../domain/devices/rescueCopies.ts'
import { connectivity } from '../../../offline/connectivity/connectivity.ts'
import { happenedAt } from '../../../offline/redemptions/tillRows.ts'
import { persistence } from '../../../offline/storage/storageHealth.ts'
import type { TillRow } from '../../../offline/store/till.ts'
import { whenIdle } from '../../../state/firstScreen.ts'
import { keepRescueKey } from '../../../state/rescue.ts'

/** Why a rescue copy of what waits is offered, in a sentence; undefined while the till is likely to upload it by itself. */
export function useRescueReason(rows: readonly TillRow[]): string | undefined {
  const { granted } = useSnapshot(persistence)
  const battery = useBattery()
  const now = useCurrentMinute().getTime()
  const [oldest] = rows
  const reason = oldest && rescueReason({ battery, persistent: granted, oldestAt: happenedAt(oldest), now })
  return reason && REASONS[reason]
}

/**
 * Fetches the key to which this device seals its copies, before it needs one: each time that the counter opens or the connection
 * returns. Nothing at the counter waits for it.
 */
export function useRescueKey(organisation: string): void {
  const { returns } = useSnapshot(connectivity)
  useEffect(() => {
    const fetchKey = () =>
      void call(readRescueKey).then(
        (key) => keepRescueKey(organisation, key),
        () => undefined,
      )
    return whenIdle(fetchKey, { atLatestMs: 5_000, withoutIdleMs: 500 })
  }, [organisation, returns])
}

const REASONS: Record<RescueReason, string> = {
  battery: 'The battery of this device is low.',
  age: 'Vouchers have been waiting for more than two hours.',
  storage: 'This browser may delete what is waiting.',
}

interface Charge {
  level: number
  charging: boolean
}

/** What TypeScript's own library does not know: Chromium alone tells a page about the battery. */
interface Battery extends Charge, EventTarget {}

/** The battery of this device, followed; undefined where the browser does not tell. */
function useBattery(): Charge | undefined {
  const [charge, setCharge] = useState<Charge>()
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const { getBattery } = navigator as { getBattery?: () => Promise<Battery> }
    const follow = (battery: Battery) => {
      const read = () => signal.aborted || setCharge({ level: battery.level, charging: battery.charging })
      read()
      for (const change of ['levelchange', 'chargingchange']) battery.addEventListener(change, read, { signal })
    }
    getBattery?.call(navigator).then(follow, () => undefined)
    return () => ending.abort()
  }, [])
  return charge
}
