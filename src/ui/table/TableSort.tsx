import { Icon } from '../Icon.tsx'
import { ICONS } from '../icons.tsx'
import { Menu } from '../overlay/Menu.tsx'
import type { Column, Sort } from './tableColumn.ts'

interface TableSortProps<Row, C extends string> {
  columns: readonly Column<Row, C>[]
  sort?: Sort<C>
  onSort: (column: C) => void
  triggerClass: string
}

/** The headers' work where rows are folded and have no headers. */
export function TableSort<Row, C extends string>({ columns, sort, onSort, triggerClass }: TableSortProps<Row, C>) {
  const sortable = columns.flatMap(({ sort: by, title }) => (by === undefined ? [] : [{ by, title }]))
  const current = sortable.find(({ by }) => by === sort?.column)
  const direction = sort?.dir === 'asc' ? 'ascending' : 'descending'
  return (
    <Menu
      label={current ? `Sort: ${current.title}, ${direction}` : 'Sort'}
      triggerClass={triggerClass}
      trigger={<Icon drawing={sort?.dir === 'asc' ? ICONS.up : ICONS.dn} />}
      items={sortable.map(({ by, title }) => ({
        label: title,
        hint: by === sort?.column ? `Sorted ${direction}; again turns it round` : undefined,
        onSelect: () => onSort(by),
      }))}
    />
  )
}
