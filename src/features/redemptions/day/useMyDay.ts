import { call } from '../../../api/call.ts'
import { myDay, type DayRow } from '../../../contract/redemptions/counter.ts'
import { useCachedRead, type CachedRead } from '../../../offline/reads/useCachedRead.ts'
import { tillDatabase } from '../../../offline/redemptions/openTill.ts'
import { readTillRows } from '../../../offline/redemptions/tillRows.ts'
import { useLiveQuery } from '../../../offline/storage/useLiveQuery.ts'
import type { TillRow } from '../../../offline/store/till.ts'
import { redeemedAt, redemptionDay } from '../useTillRows.ts'

export type DayState = 'Redeemed' | 'Uploading' | 'Refused after upload' | 'Voided'

/** One voucher of a cashier's day, whether this device or the server knows it. */
export interface DayEntry {
  id: string
  at: Date
  serial: string
  denomination_cents: number
  state: DayState
  receipt_number: string | undefined
  voidedAt: Date | undefined
  /** When the server wrote it down: a void is possible for five minutes after. */
  recordedAt: Date | undefined
  /** The device's own row, which alone can be voided or marked as seen here. */
  row: TillRow | undefined
}

/** My vouchers of a Singapore day on every till, as the server last said, with what only this device knows; newest first. */
export function useMyDay(owner: string, day: string) {
  const read = useCachedRead(owner, `counter.my_day ${day}`, myDay.answer, (signal) =>
    call(myDay, { query: { day }, signal }),
  )
  const here = (useLiveQuery(() => readTillRows(tillDatabase()), 'till') ?? []).filter(
    (row) => row.owner === owner && redemptionDay(row) === day,
  )
  return { read: read as CachedRead<unknown>, entries: mergeEntries(read.data?.rows ?? [], here) }
}

const STATES: Partial<Record<TillRow['state'], DayState>> = {
  confirmed: 'Uploading',
  receipted: 'Redeemed',
  attention: 'Refused after upload',
  voided: 'Voided',
}

/** A row of this device is newer than what the server said some time ago; a void on another till is known to the server alone. */
function mergeEntries(told: readonly DayRow[], here: readonly TillRow[]): DayEntry[] {
  const own = new Map(here.map((row) => [row.id, row]))
  const fromServer = told.map((one) => serverEntry(one, own.get(one.id)))
  const known = new Set(told.map(({ id }) => id))
  const fromDevice = here.flatMap((row) => (known.has(row.id) ? [] : deviceEntry(row)))
  return [...fromServer, ...fromDevice].toSorted((one, other) => other.at.getTime() - one.at.getTime())
}

function serverEntry(told: DayRow, row: TillRow | undefined): DayEntry {
  const isVoided = told.voided_at !== null || row?.state === 'voided'
  return {
    id: told.id,
    at: new Date(told.redeemed_at),
    serial: told.serial,
    denomination_cents: told.denomination_cents,
    state: isVoided ? 'Voided' : 'Redeemed',
    receipt_number: told.receipt_number,
    voidedAt: told.voided_at === null ? undefined : new Date(told.voided_at),
    recordedAt: new Date(told.recorded_at),
    row,
  }
}

function deviceEntry(row: TillRow): DayEntry[] {
  const state = STATES[row.state]
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
      voidedAt: undefined,
      recordedAt: receipt?.recorded_at ? new Date(receipt.recorded_at) : undefined,
      row,
    },
  ]
}
