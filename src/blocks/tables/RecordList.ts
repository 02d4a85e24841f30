import type * as v from 'valibot'
import type { Endpoint } from '../../contract/endpoint.ts'
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

export type FileEndpoint = Endpoint & { answer: 'file' }

/** What one list of records is: where its rows and its file come from, and how a row looks. One constant a list. */
export interface RecordList<Row, N extends ListName> {
  /** Names the cached answers and the views: "branch". */
  name: ViewList
  /** For screen readers, and in the middle of a sentence: "branches". */
  caption: string
  /** Where its rows come from. */
  table: TableEndpoint<Row, N>
  /** For an endpoint that takes the query in its address instead of its body. */
  toUrlQuery?: (query: TableQuery<N>) => Record<string, string>
  /** The same query as the table, as a file (rule 11.3). */
  exportAs?: FileEndpoint
  /** The first one names the row. */
  columns: readonly Column<Row, ColumnOf<N>>[]
  rowKey: (row: Row) => string
  /** Tells rows apart in menus. */
  rowName: (row: Row) => string
}

/** The state of a table, which is the URL's, and how it is written. */
export interface ListState<N extends ListName> {
  state: TableState<N>
  /** `replace` while typing, so that Back leaves the search in one step. */
  onState: (next: Partial<TableState<N>>, replace?: boolean) => void
}

/** The same column again turns the order; a new one starts with the newest or largest. */
export const sortedBy = <C extends string>(state: { sort: C; dir: 'asc' | 'desc' }, column: C) => ({
  sort: column,
  dir: state.sort === column && state.dir === 'desc' ? ('asc' as const) : ('desc' as const),
  page: 1,
})
