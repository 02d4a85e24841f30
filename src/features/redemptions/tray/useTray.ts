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

/** Returns the tray of this page and its state. `ports` must be the same object in each render. */
export function useTray(cashier: Cashier, ports: TrayPorts) {
  const [tray] = useState(() => new Tray(cashier, ports))
  const state = useSyncExternalStore(tray.subscribe, tray.state)
  const { owner, owner_name, till, branch, needsPin } = cashier
  useEffect(
    () => tray.serve({ owner, owner_name, till, branch, needsPin }),
    [tray, owner, owner_name, till, branch, needsPin],
  )
  useEffect(() => void tray.takeUp().catch(() => undefined), [tray])
  const holds = state.rows.some(({ is }) => is === 'good')
  const look = useEffectEvent(() => void tray.endHolds())
  useEffect(() => {
    if (!holds) return undefined
    const timer = setInterval(look, HOLD_CHECK_MS)
    return () => clearInterval(timer)
  }, [holds])
  return { tray, state }
}

const HOLD_CHECK_MS = 1_000

/** If the receipts come within this time, the screen never says "uploading". */
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
