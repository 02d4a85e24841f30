import { useEffect, useEffectEvent } from 'react'
import { call } from '../../../api/call.ts'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { myDay, type DayRow } from '../../../contract/redemptions/counter.ts'
import { formatTime } from '../../../domain/singaporeTime.ts'
import { useCachedRead, type CachedRead } from '../../../offline/reads/useCachedRead.ts'
import { isVoiding, type TillRow } from '../../../offline/store/till.ts'
import { usePageVisible } from '../../../ui/usePageVisible.ts'
import { redeemedAt, redemptionDay, useToday } from '../useTillRows.ts'

export type DayState = 'Redeemed' | 'Voiding' | 'Uploading' | 'At risk' | 'Lost' | 'Refused after upload' | 'Voided'

/** One voucher of a cashier's day. This device, the server or both know it. */
export interface DayEntry {
  id: string
  at: Date
  serial: string
  denomination_cents: number
  state: DayState
  receipt_number: string | undefined
  /** The name of the till when it redeemed the voucher. */
  till: string | null | undefined
  voidedAt: Date | undefined
  /** The time when the server recorded the redemption. It can be voided for five minutes from then. */
  recordedAt: Date | undefined
  /** The row on this device. An entry without such a row cannot be voided or marked as seen here. */
  row: TillRow | undefined
}

export interface MyDayNow {
  day: string
  /** Newest first. */
  entries: readonly DayEntry[]
  /**
   * How new the data of other tills is: `all` if it is current, a time if it is older, `none` if it is unknown, `asking` while
   * the server is asked.
   */
  others: Date | 'all' | 'none' | 'asking'
  retry: () => void
}

/**
 * Returns the user's vouchers of today: all that the server's last answer has, and those of `rows` that only this device knows.
 * The counter and My day both count with it.
 */
export function useMyDay(owner: string, rows: readonly TillRow[]): MyDayNow {
  const day = useToday()
  const offline = useOffline()
  const read = useCachedRead(owner, `counter.my_day ${day}`, myDay.answer, (signal) =>
    call(myDay, { query: { day }, signal }),
  )
  useFreshAnswer(read, offline)
  // After midnight the previous day is shown until there is an answer.
  const known = read.data?.day === day ? read.data : undefined
  const onDevice = rows.filter((row) => row.owner === owner && redemptionDay(row) === day)
  const old = offline ? read.asOf : read.staleAsOf
  const isAsking = !offline && (read.phase === 'loading' || read.phase === 'refreshing')
  return {
    day,
    entries: mergeEntries(known?.rows ?? [], onDevice),
    others: known ? (old ?? 'all') : isAsking ? 'asking' : 'none',
    retry: read.retry,
  }
}

const OLD_MS = 10 * 60_000
const CHECK_EVERY_MS = 60_000

/** Asks again when the answer is old: a counter stays open all day, and its cashier may work at another till meanwhile. */
function useFreshAnswer({ asOf, retry }: Pick<CachedRead<unknown>, 'asOf' | 'retry'>, offline: boolean): void {
  const visible = usePageVisible()
  const askIfOld = useEffectEvent(() => {
    if (asOf && Date.now() - asOf.getTime() > OLD_MS) retry()
  })
  useEffect(() => {
    if (!visible || offline) return undefined
    const timer = setInterval(askIfOld, CHECK_EVERY_MS)
    return () => clearInterval(timer)
  }, [visible, offline])
}

/** Says in words which tills the figures include. */
export function tillsText({ others }: Pick<MyDayNow, 'others'>): string {
  if (others instanceof Date) return `other tills as of ${formatTime(others)}`
  return others === 'none' ? 'this till only' : 'all tills'
}

/** True if the entry counts in the total at the counter, in My day and on paper. A voucher at the shop’s risk does not (rule 9.31). */
export const isRedeemed = ({ state }: DayEntry): boolean => state === 'Redeemed' || state === 'Uploading'

/** Returns the value of the entries, in cents. */
export const sumOfEntries = (entries: readonly DayEntry[]): number =>
  entries.reduce((sum, { denomination_cents }) => sum + denomination_cents, 0)

const STATES: Partial<Record<TillRow['state'], DayState>> = {
  confirmed: 'Uploading',
  accepted: 'At risk',
  lost: 'Lost',
  receipted: 'Redeemed',
  attention: 'Refused after upload',
  voided: 'Voided',
}

/**
 * Merges the server's rows with this device's rows. If both have a voucher, the server's row counts: only the server knows of a
 * void on another till.
 */
function mergeEntries(fromServer: readonly DayRow[], onDevice: readonly TillRow[]): DayEntry[] {
  const rows = new Map(onDevice.map((row) => [row.id, row]))
  const known = new Set(fromServer.map(({ id }) => id))
  const entries = [
    ...fromServer.map((one) => serverEntry(one, rows.get(one.id))),
    ...onDevice.flatMap((row) => (known.has(row.id) ? [] : deviceEntry(row))),
  ]
  return entries.toSorted((one, other) => other.at.getTime() - one.at.getTime())
}

function serverEntry(entry: DayRow, row: TillRow | undefined): DayEntry {
  const isVoided = entry.voided_at !== null || row?.state === 'voided'
  return {
    id: entry.id,
    at: new Date(entry.redeemed_at),
    serial: entry.serial,
    denomination_cents: entry.denomination_cents,
    state: isVoided ? 'Voided' : row && isVoiding(row) ? 'Voiding' : 'Redeemed',
    receipt_number: entry.receipt_number,
    till: entry.till,
    voidedAt: entry.voided_at === null ? voidedHere(row) : new Date(entry.voided_at),
    recordedAt: new Date(entry.recorded_at),
    row,
  }
}

/** Returns the time of a void by this device's clock. Used until the server's time is known. */
const voidedHere = (row: TillRow | undefined): Date | undefined =>
  row?.state === 'voided' && row.settledAt !== undefined ? new Date(row.settledAt) : undefined

function deviceEntry(row: TillRow): DayEntry[] {
  const state = isVoiding(row) ? 'Voiding' : STATES[row.state]
  if (!state) return []
  const { id, serial, denomination_cents = 0, receipt } = row
  return [
    {
      id,
      at: redeemedAt(row),
      serial,
      denomination_cents,
      state,
      receipt_number: receipt?.receipt_number,
      till: receipt?.till,
      voidedAt: voidedHere(row),
      recordedAt: receipt?.recorded_at ? new Date(receipt.recorded_at) : undefined,
      row,
    },
  ]
}
