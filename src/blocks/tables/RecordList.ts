import type * as v from 'valibot'
import type { Endpoint, FileOf } from '../../contract/endpoint.ts'
import type { ColumnOf, ListName } from '../../contract/tables/lists.ts'
import type { TablePage, TableQuery } from '../../contract/tables/tableQuery.ts'
import type { TableState } from '../../domain/tableState.ts'
import type { Column } from '../../ui/table/tableColumn.ts'
import type { ViewList } from '../views/builtInViews.ts'

type TableEndpoint<Row, N extends ListName> = Endpoint & {
  list: N
  params?: undefined
  body?: v.GenericSchema<unknown, TableQuery<N>>
  answer: v.GenericSchema<unknown, TablePage<Row>>
}

export type FileEndpoint = Endpoint & { answer: FileOf }

/** Defines a list of records: where its rows and its file come from, and how a row looks. There is one constant for each list. */
export interface RecordList<Row, N extends ListName> {
  /** The name of its cached answers and views, for example "branch". */
  name: ViewList
  /** The name for screen readers, for example "branches". */
  caption: string
  /** The endpoint of its rows. */
  table: TableEndpoint<Row, N>
  /** Only for an endpoint that takes the query in its address instead of its body. */
  toUrlQuery?: (query: TableQuery<N>) => Record<string, string>
  /** Exports the table's query as a file (rule 11.3). */
  exportAs?: FileEndpoint
  /** The first column names the row. */
  columns: readonly Column<Row, ColumnOf<N>>[]
  rowKey: (row: Row) => string
  /** The name of a row, to tell the menus of rows apart. */
  rowName: (row: Row) => string
}

/** The state of a table, which is in the URL, and the function that writes it. */
export interface ListState<N extends ListName> {
  state: TableState<N>
  /** Writes the state. `replace` makes no new history entry: while typing, so that Back leaves the search in one step. */
  onState: (next: Partial<TableState<N>>, replace?: boolean) => void
}

/** Returns the new order. Choosing the current column reverses it. Another column starts with the newest or largest. */
export const sortedBy = <C extends string>(state: { sort: C; dir: 'asc' | 'desc' }, column: C) => ({
  sort: column,
  dir: state.sort === column && state.dir === 'desc' ? ('asc' as const) : ('desc' as const),
  page: 1,
})
