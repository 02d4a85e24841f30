import { useMemo } from 'react'
import { useSnapshot } from 'valtio/react'
import type { ListName } from '../../contract/tables/lists.ts'
import { columnChoice, toggleColumn } from '../../state/columnChoice.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import type { Column } from '../../ui/table/tableColumn.ts'
import type { RecordList } from './RecordList.ts'

/** Which columns are shown; the first names the row and stays. */
export function ColumnMenu({ list }: { list: Pick<RecordList<never, ListName>, 'name' | 'columns'> }) {
  const hidden = useHiddenColumns(list.name) ?? []
  return (
    <Menu
      label="Columns"
      triggerClass={`${buttonClass()} phone:hidden`}
      trigger="Columns"
      items={list.columns.slice(1).map(({ key, title }) => ({
        label: title,
        checked: !hidden.includes(key),
        onSelect: () => toggleColumn(list.name, key),
      }))}
    />
  )
}

const useHiddenColumns = (list: string): readonly string[] | undefined => useSnapshot(columnChoice).hidden[list]

/** The columns that were not switched off. */
export function useChosenColumns<Row, C extends string>(list: {
  name: string
  columns: readonly Column<Row, C>[]
}): readonly Column<Row, C>[] {
  const hidden = useHiddenColumns(list.name)
  const { columns } = list
  return useMemo(
    () => (hidden ? columns.filter(({ key }, index) => index === 0 || !hidden.includes(key)) : columns),
    [columns, hidden],
  )
}
