import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'columns'
const Chosen = v.record(v.string(), v.array(v.string()))

/** Columns that were switched off, by list. How a list looks on this device is nobody's secret and outlives a logout. */
export const columnChoice = proxy<{ hidden: Record<string, string[]> }>({ hidden: readStored(KEY, Chosen) ?? {} })

onStoredElsewhere(KEY, () => {
  columnChoice.hidden = readStored(KEY, Chosen) ?? {}
})

export function toggleColumn(list: string, column: string): void {
  const now = columnChoice.hidden[list] ?? []
  const next = now.includes(column) ? now.filter((one) => one !== column) : [...now, column]
  columnChoice.hidden = { ...columnChoice.hidden, [list]: next }
  writeStored(KEY, columnChoice.hidden)
}
