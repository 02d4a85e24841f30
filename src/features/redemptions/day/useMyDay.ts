import { call } from '../../../api/call.ts'
import { myDay, type DayRow } from '../../../contract/redemptions/counter.ts'
import { useCachedRead, type CachedRead } from '../../../offline/reads/useCachedRead.ts'
import { tillDatabase } from '../../../offline/redemptions/openTill.ts'
import { readTillRows } from '../../../offline/redemptions/tillRows.ts'
import { useLiveQuery } from '../../../offline/storage/useLiveQuery.ts'
import { isVoiding, type TillRow } from '../../../offline/store/till.ts'
import { redeemedAt, redemptionDay } from '../useTillRows.ts'

export type DayState = 'Redeemed' | 'Voiding' | 'Uploading' | 'At risk' | 'Lost' | 'Refused after upload' | 'Voided'

/** One voucher of a cashier's day, whether this device or the server knows it. */
export interface DayEntry {
  id: string
  at: Date
  serial: string
  denomination_cents: number
  state: DayState
  receipt_number: string | undefined
  /** The till's name then. */
  till: string | null | undefined
  voidedAt: Date | undefined
  /** When the server recorded it: a void is possible for five minutes after. */
  recordedAt: Date | undefined
  /** The device's own row, which alone can be voided or marked as seen here. */
  row: TillRow | undefined
}

/** My vouchers of a Singapore day, newest first: of every till as the server last answered, and what only this device knows. */
export function useMyDay(owner: string, day: string) {
  const read = useCachedRead(owner, `counter.my_day ${day}`, myDay.answer, (signal) =>
    call(myDay, { query: { day }, signal }),
  )
  const onDevice = (useLiveQuery(() => readTillRows(tillDatabase()), 'till') ?? []).filter(
    (row) => row.owner === owner && redemptionDay(row) === day,
  )
  return { read: read as CachedRead<unknown>, entries: mergeEntries(read.data?.rows ?? [], onDevice) }
}

const STATES: Partial<Record<TillRow['state'], DayState>> = {
  confirmed: 'Uploading',
  accepted: 'At risk',
  lost: 'Lost',
  receipted: 'Redeemed',
  attention: 'Refused after upload',
  voided: 'Voided',
}

/**
 * A row on this device may be newer than the server's last answer. Of a voucher that both know, the server's row counts, since only
 * the server knows of a void on another till.
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
    voidedAt: entry.voided_at === null ? undefined : new Date(entry.voided_at),
    recordedAt: new Date(entry.recorded_at),
    row,
  }
}

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
      voidedAt: undefined,
      recordedAt: receipt?.recorded_at ? new Date(receipt.recorded_at) : undefined,
      row,
    },
  ]
}
