import { useMemo } from 'react'
import { toggleColumn } from '../../state/columnChoice.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import type { Column } from '../../ui/table/tableColumn.ts'
import { columnsKey, useHiddenColumns } from '../views/savedViews.ts'
import type { RecordList } from './RecordList.ts'

interface Props {
  list: Pick<RecordList<never, string, string>, 'name' | 'columns'>
  /** The one that is open: a saved view has columns of its own. */
  view: string | undefined
}

/** Which columns are shown; the first names the row and stays. */
export function ColumnMenu({ list, view }: Props) {
  const hidden = useHiddenColumns(list.name, view) ?? []
  return (
    <Menu
      label="Columns"
      triggerClass={`${buttonClass()} phone:hidden`}
      trigger="Columns"
      items={list.columns.slice(1).map(({ key, title }) => ({
        label: title,
        checked: !hidden.includes(key),
        onSelect: () => toggleColumn(columnsKey(list.name, view), hidden, key),
      }))}
    />
  )
}

/** The columns that were not switched off. */
export function useChosenColumns<Row, C extends string>(
  list: { name: string; columns: readonly Column<Row, C>[] },
  view: string | undefined,
): readonly Column<Row, C>[] {
  const hidden = useHiddenColumns(list.name, view)
  const { columns } = list
  return useMemo(
    () => (hidden ? columns.filter(({ key }, index) => index === 0 || !hidden.includes(key)) : columns),
    [columns, hidden],
  )
}
