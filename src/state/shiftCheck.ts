import { proxy } from 'valtio/vanilla'
import { ShiftCheck } from '../domain/devices/shiftCheck.ts'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'shift-check'

/** The last check of this till before a shift, whoever made it. Of the device: it stays when somebody logs out. */
export const shiftCheck = proxy<{ last: ShiftCheck | undefined }>({ last: readStored(KEY, ShiftCheck) })

onStoredElsewhere(KEY, () => {
  shiftCheck.last = readStored(KEY, ShiftCheck)
})

export function storeShiftCheck(check: ShiftCheck): void {
  shiftCheck.last = check
  writeStored(KEY, check)
}
