import { useEffect, useRef, useState } from 'react'
import { formatCents } from '../../domain/money.ts'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import { tillDatabase } from '../../offline/redemptions/openTill.ts'
import { recentTillRows } from '../../offline/redemptions/tillRows.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { isAtRisk, isUnsent, needsAttention, TillRow } from '../../offline/store/till.ts'

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
  /** All that the counter may show, oldest first. */
  all: readonly ShownRow[]
  /** What this cashier redeemed on this device today, oldest first, without what was refused or voided. */
  today: ShownRow[]
  /** Redeemed by anyone on this device, and not recorded by the server yet. */
  uploading: ShownRow[]
  /** Accepted without a check by anyone on this device, and the server has not said what became of it. */
  atRisk: ShownRow[]
  /** Refused or lost after the upload, whoever redeemed it here, until somebody has seen it. */
  attention: ShownRow[]
}

/** The device's rows as the counter shows them, live, and the vouchers `also`, however old. One reading for all of the screen. */
export function useTillRows(owner: string, also: readonly string[] = []): TillRows {
  const last = useRef<readonly TillRow[]>([])
  const shown = async () => {
    const read = (await recentTillRows(tillDatabase(), Date.now(), also)).filter(isShown)
    if (!showTheSame(read, last.current)) last.current = read
    return last.current
  }
  const rows = useLiveQuery(shown, 'till') ?? []
  const today = useToday()
  return {
    all: rows,
    today: rows.filter((row) => row.owner === owner && countsAsRedeemed(row) && redemptionDay(row) === today),
    uploading: rows.filter((row) => isUnsent(row) && !isAtRisk(row)),
    atRisk: rows.filter(isAtRisk),
    attention: rows.filter(needsAttention),
  }
}

/** Of what is only checked nothing is shown. To draw the counter anew for it would keep its call waiting, and so the cashier. */
const isShown = ({ state }: TillRow): boolean => state !== 'asking' && state !== 'held'

/** Of a row, what is for the sender alone: nothing is drawn of it. */
const FOR_SENDER = ['sent', 'attempts', 'nextAt', 'putOffAt', 'restsForLine', 'busyAt', 'taking'] as const

/** A row as far as it is drawn. */
export type ShownRow = Omit<TillRow, (typeof FOR_SENDER)[number]>

const SHOWN_FIELDS = Object.keys(TillRow.entries).filter(
  (field): field is keyof ShownRow => !FOR_SENDER.some((one) => one === field),
)

/** Stops at the first difference: a counter has the vouchers of a day and a half, and reads them at each change. */
export const showTheSame = (rows: readonly ShownRow[], others: readonly ShownRow[]): boolean =>
  rows.length === others.length &&
  rows.every((row, at) => SHOWN_FIELDS.every((field) => isAlike(row[field], others[at]![field])))

/** Values of the disk: text, numbers, and a few objects of them. */
const isAlike = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))

export const countsAsRedeemed = (row: ShownRow): boolean => isUnsent(row) || row.state === 'receipted'
/** The server's time, or the device's until the server has answered. */
export const redeemedAt = ({ receipt, confirmedAt, askedAt }: ShownRow): Date =>
  new Date(receipt?.redeemed_at ?? confirmedAt ?? askedAt)
export const worthOf = ({ denomination_cents = 0 }: ShownRow): string => formatCents(denomination_cents)
export const redemptionDay = (row: ShownRow): string => singaporeDay(redeemedAt(row))
