import { useEffect, useState } from 'react'
import { formatCents } from '../../domain/money.ts'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import { tillDatabase } from '../../offline/redemptions/openTill.ts'
import { takenTillRows } from '../../offline/redemptions/tillRows.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { isAtRisk, isUnsent, isVoiding, needsAttention, type TillRow } from '../../offline/store/till.ts'
import { usePageVisible } from '../../ui/usePageVisible.ts'

/** Returns the current Singapore day, and renders again after midnight: a counter may stay open for days or sleep overnight. */
export function useToday(): string {
  const [today, setToday] = useState(() => singaporeDay(new Date()))
  const visible = usePageVisible()
  useEffect(() => {
    const update = () => setToday(singaporeDay(new Date()))
    update()
    const timer = setInterval(update, 60_000)
    return () => clearInterval(timer)
  }, [visible])
  return today
}

export interface TillRows {
  /** All taken vouchers that the counter may show, oldest first. */
  all: readonly TillRow[]
  /** Vouchers redeemed by any cashier on this device that the server has not recorded yet. */
  uploading: TillRow[]
  /** Vouchers accepted without a check by any cashier on this device that the server has not settled yet. */
  atRisk: TillRow[]
  /** Vouchers whose void was asked for on this device, by any cashier, and is not answered yet. */
  voiding: TillRow[]
  /** Vouchers about which the server said something later, until a cashier has marked them as seen. */
  attention: TillRow[]
}

/** Returns the device's rows for the counter, live. One query serves the whole screen. */
export function useTillRows(): TillRows {
  const rows = useLiveQuery(() => takenTillRows(tillDatabase(), Date.now()), 'till') ?? []
  return {
    all: rows,
    uploading: rows.filter((row) => isUnsent(row) && !isAtRisk(row)),
    atRisk: rows.filter(isAtRisk),
    voiding: rows.filter(isVoiding),
    attention: rows.filter(needsAttention),
  }
}

/** Returns the time of the redemption: the server's time, or the device's until the server has answered. */
export const redeemedAt = ({ receipt, confirmedAt, askedAt }: TillRow): Date =>
  new Date(receipt?.redeemed_at ?? confirmedAt ?? askedAt)
export const valueText = ({ denomination_cents = 0 }: TillRow): string => formatCents(denomination_cents)
export const redemptionDay = (row: TillRow): string => singaporeDay(redeemedAt(row))
