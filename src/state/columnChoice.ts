import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'columns'
const Chosen = v.record(v.string(), v.array(v.string()))

/** Columns that were switched off, by list. They belong to the device and stay after a logout. */
export const columnChoice = proxy<{ hidden: Record<string, string[]> }>({ hidden: readStored(KEY, Chosen) ?? {} })

onStoredElsewhere(KEY, () => {
  columnChoice.hidden = readStored(KEY, Chosen) ?? {}
})

export function toggleColumn(list: string, column: string): void {
  const now = columnChoice.hidden[list] ?? []
  chooseColumns(list, now.includes(column) ? now.filter((one) => one !== column) : [...now, column])
}

/** `off`: the columns that are not shown. */
export function chooseColumns(list: string, off: readonly string[]): void {
  columnChoice.hidden = { ...columnChoice.hidden, [list]: [...off] }
  writeStored(KEY, columnChoice.hidden)
}
