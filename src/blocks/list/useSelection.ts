import { useState } from 'react'
import type { TableSelection } from '../../ui/table/TableRows.tsx'

interface Chosen<Row> {
  of: string
  rows: ReadonlyMap<string, Row>
}

/** Rows chosen on any page of one set; another `set` starts with none. A row that was read again is the newer one. */
export function useSelection<Row>(rows: readonly Row[], rowKey: (row: Row) => string, set: string) {
  const [chosen, setChosen] = useState<Chosen<Row>>({ of: set, rows: new Map() })
  const here = new Map(rows.map((row) => [rowKey(row), row]))
  const now = chosen.of === set ? chosen.rows : new Map<string, Row>()
  const selection: TableSelection = {
    selected: new Set(now.keys()),
    onSelect: (keys, on) => {
      const next = new Map(now)
      for (const key of keys) {
        const row = here.get(key)
        if (!on) next.delete(key)
        else if (row) next.set(key, row)
      }
      setChosen({ of: set, rows: next })
    },
  }
  return {
    rows: [...now].map(([key, row]) => here.get(key) ?? row),
    selection,
    clear: () => setChosen({ of: set, rows: new Map() }),
  }
}
