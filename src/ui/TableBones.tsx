import { columnClass, type Column } from './table/tableColumn.ts'

/** In the shape of the columns. They keep the room from the start and show themselves after 200 ms (`.bone`). */
export function TableSkeleton<Row, C extends string>(props: {
  columns: readonly Column<Row, C>[]
  rows: number
  withMenu: boolean
  withBox: boolean
}) {
  return Array.from({ length: props.rows }, (_, row) => (
    <tr key={row}>
      {props.withBox && <td className="box" aria-hidden="true" />}
      {props.columns.map((column, index) => (
        <td key={column.key} className={columnClass(column)} aria-hidden="true">
          <span className={skeletonClass(column.align, index)} />
        </td>
      ))}
      {props.withMenu && <td className="act" aria-hidden="true" />}
    </tr>
  ))
}

const skeletonClass = (align: 'right' | undefined, index: number) => {
  if (align === 'right') return 'bone end'
  return index === 2 ? 'bone short' : 'bone most'
}
