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

/** A SELECT that can still be narrowed: the part of Drizzle's type that is used here. */
export interface Selection<Row> extends PromiseLike<Row[]> {
  where(condition: SQL | undefined): Selection<Row>
  orderBy(...keys: SQL[]): Selection<Row>
  limit(rows: number): Selection<Row>
  offset(rows: number): Selection<Row>
}

/** A sort expression. PostgreSQL sorts null after every value. A key that must sort null first uses coalesce. */
type SortKey = SQL | PgColumn

export interface Order {
  key: SortKey
  direction: 'asc' | 'desc'
}

/**
 * A table with search, sort and filters by allow-listed keys, limited to a scope. Page, count and export use the same conditions, so they cannot
 * disagree.
 */
export interface TableSource<Row, N extends ListName = ListName> {
  list: N
  id: PgColumn
  /** Selects the ids, from only the tables that conditions and sort keys need. */
  matches(db: Db): Selection<{ id: string }>
  /** All displayed columns, from the tables that `select` joins. */
  columns: Record<keyof (Row & { id: string }), Cells[string]>
  /** Selects the same rows with the given fields. */
  select(db: Db, fields: Cells): Selection<Record<string, unknown>>
  within(scope: Scope): SQL | undefined
  /** Sort expressions by the API's column names. */
  sort: Record<ColumnOf<N>, SortKey>
  filters: { [F in FilterOf<N>]: Filter<FilterValue<N, F>> }
  search(text: string): SQL | undefined
  /** The columns of the export. */
  csv(today: string): Cells
}

/** Turns one value of a filter, checked by the contract, into a condition. `today` is a Singapore day. */
type Filter<V> = (value: V, today: string) => SQL | undefined

/** Scope, conditions and order of one query of a table. */
export interface TableReading {
  scope: Scope
  conditions: (SQL | undefined)[]
  order: Order[]
}

/** Selects one page. Skipped rows are read as ids only. */
export function selectPage<Row, N extends ListName>(
  db: Db,
  table: TableSource<Row, N>,
  { scope, conditions, order }: TableReading,
  { start, limit }: { start: number; limit: number },
) {
  const ids = table
    .matches(db)
    .where(and(table.within(scope), ...conditions))
    .orderBy(...orderSql(order))
    .limit(limit)
    .offset(start)
  return rowsOf(db, table)
    .where(inArray(table.id, ids as unknown as SQL))
    .orderBy(...orderSql(order))
}

/** Counts rows, up to LIMITS.tableCountedRows + 1. */
export function countRows<Row, N extends ListName>(
  db: Db,
  table: TableSource<Row, N>,
  { scope, conditions }: TableReading,
): Promise<number> {
  const counted = table
    .matches(db)
    .where(and(table.within(scope), ...conditions))
    .limit(LIMITS.tableCountedRows + 1)
  return db.$count(sql`${counted as unknown as SQL} AS counted`)
}

/** Selects all rows of a query. */
export function selectExport<Row, N extends ListName>(
  table: TableSource<Row, N>,
  { scope, conditions, order }: TableReading,
  cells: Cells,
): RowSource {
  const all = (db: Db) =>
    table
      .select(db, cells)
      .where(and(table.within(scope), ...conditions))
      .orderBy(...orderSql(order))
  return { all: (db) => all(db) as unknown as SQL }
}

/** Selects one row of the scope. Returns `undefined` for a row that does not exist or is not in the scope: the caller cannot tell which. */
export async function selectRow<Row, N extends ListName>(db: Db, table: TableSource<Row, N>, scope: Scope, id: string) {
  const [found] = await rowsOf(db, table).where(and(table.within(scope), eq(table.id, id)))
  return found
}

const rowsOf = <Row, N extends ListName>(db: Db, table: TableSource<Row, N>) =>
  table.select(db, table.columns) as unknown as Selection<Row & { id: string }>

const orderSql = (order: Order[]): SQL[] =>
  order.map(({ key, direction }) => (direction === 'asc' ? sql`${key} ASC` : sql`${key} DESC`))

/** True if `column` contains `text`, in any case; %, _ and \ are literal (TBL-04). */
export const containsText = (column: Column | SQL, text: string): SQL =>
  sql`${column} ILIKE ${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`

/** Turns an API query into conditions and order. Values of one filter are alternatives; an empty value is no filter. */
export function tableReading<Row, N extends ListName>(
  table: TableSource<Row, N>,
  scope: Scope,
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
  return { scope, conditions: [search, ...filters], order: orderOf(table, order_by) }
}

/** Equal rows are sorted by id, in the direction of the sort, so that one index serves both. */
function orderOf<Row, N extends ListName>(table: TableSource<Row, N>, order_by: TableQuery<N>['order_by']): Order[] {
  const defaultSort = { column: LISTS[table.list].sort as ColumnOf<N>, sort_type: 'desc' } as const
  const sorts = order_by.length > 0 ? order_by : [defaultSort]
  const asked = sorts.map(({ column, sort_type }) => ({ key: table.sort[column], direction: sort_type }))
  return [...asked, { key: table.id, direction: asked.at(-1)!.direction }]
}

/** Selects everything in the scope, by `column` or in the table's own order; at most LIMITS.listRows. */
export function selectList<Row, N extends ListName>(
  db: Db,
  table: TableSource<Row, N>,
  scope: Scope,
  column?: ColumnOf<N>,
) {
  const order = orderOf(table, column ? [{ column, sort_type: 'asc' }] : [])
  return selectPage(db, table, { scope, conditions: [], order }, { start: 0, limit: LIMITS.listRows })
}
