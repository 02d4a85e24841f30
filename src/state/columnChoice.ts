import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'columns'
const Chosen = v.record(v.string(), v.array(v.string()))

/**
 * Columns that were switched off, by list; of a saved view by list and view, until it is updated or reset. They
 * belong to the device and stay after a logout.
 */
export const columnChoice = proxy<{ hidden: Record<string, string[]> }>({ hidden: readStored(KEY, Chosen) ?? {} })

onStoredElsewhere(KEY, () => {
  columnChoice.hidden = readStored(KEY, Chosen) ?? {}
})

/** `now`: the columns that are off before. */
export function toggleColumn(key: string, now: readonly string[], column: string): void {
  const next = now.includes(column) ? now.filter((one) => one !== column) : [...now, column]
  write({ ...columnChoice.hidden, [key]: next })
}

/** Back to the columns of the list or the view. */
export function forgetColumns(key: string): void {
  const { [key]: _, ...rest } = columnChoice.hidden
  write(rest)
}

function write(hidden: Record<string, string[]>) {
  columnChoice.hidden = hidden
  writeStored(KEY, hidden)
}
