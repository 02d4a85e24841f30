import { and, eq, inArray, or, sql, type Column, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { LIMITS } from '../../../src/contract/limits.ts'
import {
  LISTS,
  type ColumnOf,
  type FilterOf,
  type FilterValue,
  type ListName,
} from '../../../src/contract/tables/lists.ts'
import type { TableQuery } from '../../../src/contract/tables/tableQuery.ts'
import type { Db, RowSource } from '../engine/Database.ts'
import type { Scope } from '../Scope.ts'
import type { Cells } from './csvCells.ts'

/** A SELECT that can still be narrowed: Drizzle's own, with no more of its type than is used here. */
export interface Selection<Row> extends PromiseLike<Row[]> {
  where(condition: SQL | undefined): Selection<Row>
  orderBy(...keys: SQL[]): Selection<Row>
  limit(rows: number): Selection<Row>
  offset(rows: number): Selection<Row>
}

/** What a table can be sorted by. PostgreSQL sorts null after every value; where it should come before, the key says so. */
type SortKey = SQL | PgColumn

export interface Order {
  key: SortKey
  direction: 'asc' | 'desc'
}

/**
 * A table as it is searched, sorted and filtered: allow-listed keys, and which rows are whose. Page, count and export are made
 * from the one `matches`, so that they cannot disagree.
 */
export interface DataTable<Row, N extends ListName = ListName> {
  list: N
  id: PgColumn
  /** Ids, from as few tables as conditions and sort keys need. */
  matches(db: Db): Selection<{ id: string }>
  /** All there is to show, from the tables that `select` joins. */
  columns: Record<keyof (Row & { id: string }), Cells[string]>
  /** The same rows with whatever fields. */
  select(db: Db, fields: Cells): Selection<Record<string, unknown>>
  within(scope: Scope): SQL | undefined
  /** By the columns of the wire. */
  sort: Record<ColumnOf<N>, SortKey>
  filters: { [F in FilterOf<N>]: Filter<FilterValue<N, F>> }
  search(text: string): SQL | undefined
  /** The columns of its export. */
  csv(today: string): Cells
}

/** One value of a filter, which the contract has judged, as a condition. `today` is Singapore's. */
type Filter<V> = (value: V, today: string) => SQL | undefined

/** Conditions and order of one reading of a table. */
export interface TableReading {
  conditions: (SQL | undefined)[]
  order: Order[]
}

/** One page. The deep part of it is walked over ids alone. */
export function pageOf<Row, N extends ListName>(
  db: Db,
  table: DataTable<Row, N>,
  scope: Scope,
  { conditions, order }: TableReading,
  { start, limit }: { start: number; limit: number },
) {
  const ids = table
    .matches(db)
    .where(and(table.within(scope), ...conditions))
    .orderBy(...directed(order))
    .limit(limit)
    .offset(start)
  return rowsOf(db, table)
    .where(inArray(table.id, ids as unknown as SQL))
    .orderBy(...directed(order))
}

/** How many rows there are, counted up to LIMITS.tableCountedRows + 1. */
export function countOf<Row, N extends ListName>(
  db: Db,
  table: DataTable<Row, N>,
  scope: Scope,
  { conditions }: TableReading,
): Promise<number> {
  const counted = table
    .matches(db)
    .where(and(table.within(scope), ...conditions))
    .limit(LIMITS.tableCountedRows + 1)
  return db.$count(sql`${counted as unknown as SQL} AS counted`)
}

/** All rows of a reading. */
export function exportOf<Row, N extends ListName>(
  table: DataTable<Row, N>,
  scope: Scope,
  { conditions, order }: TableReading,
  cells: Cells,
): RowSource {
  const all = (db: Db) =>
    table
      .select(db, cells)
      .where(and(table.within(scope), ...conditions))
      .orderBy(...directed(order))
  return { all: (db) => all(db) as unknown as SQL }
}

/** `undefined` for a row that is not there or not in the scope: the caller cannot tell which. */
export async function rowOf<Row, N extends ListName>(
  db: Db,
  table: DataTable<Row, N>,
  scope: Scope,
  id: string,
  condition?: SQL,
) {
  const [found] = await rowsOf(db, table).where(and(table.within(scope), eq(table.id, id), condition))
  return found
}

const rowsOf = <Row, N extends ListName>(db: Db, table: DataTable<Row, N>) =>
  table.select(db, table.columns) as unknown as Selection<Row & { id: string }>

const directed = (order: Order[]): SQL[] =>
  order.map(({ key, direction }) => (direction === 'asc' ? sql`${key} ASC` : sql`${key} DESC`))

/** Whether `column` has `text` somewhere, in any case; %, _ and \ are themselves (TBL-04). */
export const containsText = (column: Column | SQL, text: string): SQL =>
  sql`${column} ILIKE ${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`

/** A query of the wire as conditions and order. Values of one filter are alternatives; an empty one is no filter. */
export function readingOf<Row, N extends ListName>(
  table: DataTable<Row, N>,
  { search_str, order_by, other_params }: Pick<TableQuery<N>, 'search_str' | 'order_by' | 'other_params'>,
  today: string,
): TableReading {
  const text = search_str.trim()
  const search = text === '' ? undefined : table.search(text)
  const asked = other_params.filter(({ value }) => value !== '')
  const filters = [...new Set(asked.map(({ key }) => key))].map((key) => {
    const filter = table.filters[key] as Filter<string>
    return or(...asked.flatMap((one) => (one.key === key ? [filter(one.value, today)] : [])))
  })
  return { conditions: [search, ...filters], order: orderOf(table, order_by) }
}

/** Ties go by id, in the direction of the sort, so that one index serves both. */
function orderOf<Row, N extends ListName>(table: DataTable<Row, N>, order_by: TableQuery<N>['order_by']): Order[] {
  const own = { column: LISTS[table.list].sort as ColumnOf<N>, sort_type: 'desc' } as const
  const sorts = order_by.length > 0 ? order_by : [own]
  const asked = sorts.map(({ column, sort_type }) => ({ key: table.sort[column], direction: sort_type }))
  return [...asked, { key: table.id, direction: asked.at(-1)!.direction }]
}

/** Everything in the scope by `column`, else in its own order; at most LIMITS.listRows. */
export function listOf<Row, N extends ListName>(db: Db, table: DataTable<Row, N>, scope: Scope, column?: ColumnOf<N>) {
  const order = orderOf(table, column ? [{ column, sort_type: 'asc' }] : [])
  return pageOf(db, table, scope, { conditions: [], order }, { start: 0, limit: LIMITS.listRows })
}
