import { useEffect, useState } from 'react'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import { tillDatabase } from '../../offline/redemptions/openTill.ts'
import { readTillRows } from '../../offline/redemptions/tillRows.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { isUnsent, needsAttention, type TillRow } from '../../offline/store/till.ts'

/** The Singapore day, followed past midnight: a counter may stay open for days. */
export function useToday(): string {
  const [today, setToday] = useState(() => singaporeDay(new Date()))
  useEffect(() => {
    const timer = setInterval(() => setToday(singaporeDay(new Date())), 60_000)
    return () => clearInterval(timer)
  }, [])
  return today
}

export interface TillRows {
  /** What this cashier took on this device today and was not refused or taken back, oldest first. */
  today: TillRow[]
  /** Taken by anyone on this device, and not written down by the server yet. */
  uploading: TillRow[]
  /** Refused after the cashier took it, by anyone here, until somebody has seen it. */
  attention: TillRow[]
}

/** The device's rows as the counter shows them, live. */
export function useTillRows(owner: string): TillRows {
  const rows = useLiveQuery(() => readTillRows(tillDatabase()), 'till') ?? []
  const today = useToday()
  return {
    today: rows.filter((row) => row.owner === owner && countsAsRedeemed(row) && redemptionDay(row) === today),
    uploading: rows.filter(isUnsent),
    attention: rows.filter(needsAttention),
  }
}

export const countsAsRedeemed = ({ state }: TillRow): boolean => state === 'confirmed' || state === 'receipted'
/** When the cashier took it, by the server where it has spoken. */
export const redeemedAt = ({ receipt, confirmedAt, askedAt }: TillRow): Date =>
  new Date(receipt?.redeemed_at ?? confirmedAt ?? askedAt)
export const redemptionDay = (row: TillRow): string => singaporeDay(redeemedAt(row))
