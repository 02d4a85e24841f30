import { liveQuery } from 'dexie'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { isDown } from '../../../domain/connectivity.ts'
import { acceptAtRisk, offerAtRisk } from '../../../offline/allowance/offerAtRisk.ts'
import { connectivity } from '../../../offline/connectivity/connectivity.ts'
import { thisTill, tillDatabase } from '../../../offline/redemptions/openTill.ts'
import { openTillRows, tillRowsByIds } from '../../../offline/redemptions/tillRows.ts'
import { readStored, writeStored } from '../../../state/persisted.ts'
import { Tray, type Cashier, type TrayPorts } from './Tray.ts'

/** Makes the tray of this page. Returns it and its state. `ports` must be the same object in each render. */
export function useTray(cashier: Cashier, ports: TrayPorts) {
  const [tray] = useState(() => new Tray(cashier, ports))
  const state = useSyncExternalStore(tray.subscribe, tray.state)
  const { owner, owner_name, till, branch, needsPin } = cashier
  useEffect(
    () => tray.setCashier({ owner, owner_name, till, branch, needsPin }),
    [tray, owner, owner_name, till, branch, needsPin],
  )
  useEffect(() => void tray.takeUp().catch(() => undefined), [tray])
  const hasHolds = state.rows.some(({ is }) => is === 'good')
  const endHolds = useEffectEvent(() => void tray.endHolds())
  useEffect(() => {
    if (!hasHolds) return undefined
    const timer = setInterval(endHolds, HOLD_CHECK_MS)
    return () => clearInterval(timer)
  }, [hasHolds])
  return { tray, state }
}

const HOLD_CHECK_MS = 1_000

/** The verdict waits this long for the receipts, so that it rarely says "uploading". */
const RECEIPT_GRACE_MS = 1_000

const BILL_KEY = 'bill'

const StoredBill = v.object({ cents: v.nullable(v.number()), ids: v.array(v.string()) })

/** The ports that connect the tray with the server and this device's disk. */
export const COUNTER_PORTS: TrayPorts = {
  till: thisTill,
  offerAtRisk,
  acceptAtRisk,
  isDown: () => isDown(connectivity.verdict),
  openRows: () =>
    openTillRows(tillDatabase()).then(
      ({ length }) => length,
      () => 0,
    ),
  untilAnswered: (ids) => (isDown(connectivity.verdict) ? Promise.resolve() : untilAnswered(ids)),
  bill: {
    read: () => readStored(BILL_KEY, StoredBill),
    write: (bill) => writeStored(BILL_KEY, bill),
  },
}

const untilAnswered = (ids: readonly string[]) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      answers.unsubscribe()
      resolve()
    }
    const timer = setTimeout(end, RECEIPT_GRACE_MS)
    const answers = liveQuery(() => tillRowsByIds(tillDatabase(), ids)).subscribe({
      next: (rows) => rows.every(({ state }) => state !== 'confirmed') && end(),
      error: end,
    })
  })
