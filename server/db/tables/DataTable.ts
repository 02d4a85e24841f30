import { and, eq, inArray, or, sql, type Column, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import * as v from 'valibot'
import { LIMITS } from '../../../src/contract/limits.ts'
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
export interface DataTable<Row, C extends string = string, F extends string = string> {
  id: PgColumn
  /** Ids, from as few tables as conditions and sort keys need. */
  matches(db: Db): Selection<{ id: string }>
  /** All there is to show, from the tables that `select` joins. */
  columns: Record<keyof (Row & { id: string }), Cells[string]>
  /** The same rows with whatever fields. */
  select(db: Db, fields: Cells): Selection<Record<string, unknown>>
  within(scope: Scope): SQL | undefined
  /** By the columns of the wire. */
  sort: Record<C, SortKey>
  filters: Record<F, Filter>
  search(text: string): SQL | undefined
  /** The columns of its export. */
  csv(today: string): Cells
}

/** One value of a filter as a condition; `undefined` for what the filter does not know. `today` is Singapore's. */
export type Filter = (value: string, today: string) => SQL | undefined

/** Conditions and order of one reading of a table. */
export interface TableReading {
  conditions: (SQL | undefined)[]
  order: Order[]
}

/** One page. The deep part of it is walked over ids alone. */
export function pageOf<Row>(
  db: Db,
  table: DataTable<Row>,
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
export function countOf<Row>(
  db: Db,
  table: DataTable<Row>,
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
export function exportOf<Row>(
  table: DataTable<Row>,
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
export async function rowOf<Row>(db: Db, table: DataTable<Row>, scope: Scope, id: string, condition?: SQL) {
  const [found] = await rowsOf(db, table).where(and(table.within(scope), eq(table.id, id), condition))
  return found
}

const rowsOf = <Row>(db: Db, table: DataTable<Row>) =>
  table.select(db, table.columns) as unknown as Selection<Row & { id: string }>

const directed = (order: Order[]): SQL[] =>
  order.map(({ key, direction }) => (direction === 'asc' ? sql`${key} ASC` : sql`${key} DESC`))

/** Whether `column` has `text` somewhere, in any case; %, _ and \ are themselves (TBL-04). */
export const containsText = (column: Column | SQL, text: string): SQL =>
  sql`${column} ILIKE ${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`

type Asked<C extends string, F extends string> = Pick<TableQuery<C, F>, 'search_str' | 'order_by' | 'other_params'>

/**
 * A query of the wire as conditions and order. Values of one filter are alternatives; an empty one is no filter. Instead, the place
 * of the first value that its filter does not know.
 */
export function readingOf<C extends string, F extends string>(
  table: DataTable<unknown, C, F>,
  { search_str, order_by, other_params }: Asked<C, F>,
  today: string,
): TableReading | { unknownValue: number } {
  const alternatives = new Map<F, SQL[]>()
  for (const [index, { key, value }] of other_params.entries()) {
    if (value === '') continue
    const condition = table.filters[key](value, today)
    if (!condition) return { unknownValue: index }
    alternatives.set(key, [...(alternatives.get(key) ?? []), condition])
  }
  const text = search_str.trim()
  const search = text === '' ? undefined : table.search(text)
  const filters = [...alternatives.values()].map((conditions) => or(...conditions))
  return { conditions: [search, ...filters], order: orderOf(table, order_by) }
}

/** Ties go by id, in the direction of the sort, so that one index serves both. */
function orderOf<C extends string>(table: DataTable<unknown, C>, order_by: TableQuery<C>['order_by']): Order[] {
  const asked = order_by.map(({ column, sort_type }) => ({ key: table.sort[column], direction: sort_type }))
  return [...asked, { key: table.id, direction: asked.at(-1)?.direction ?? 'desc' }]
}

/** Everything in the scope, for choices; at most LIMITS.listRows. */
export const listOf = <Row, C extends string>(
  db: Db,
  table: DataTable<Row, C>,
  scope: Scope,
  order_by: TableQuery<C>['order_by'],
) => pageOf(db, table, scope, { conditions: [], order: orderOf(table, order_by) }, { start: 0, limit: LIMITS.listRows })

/** A filter whose values `schema` reads. */
export const filterBy =
  <S extends v.GenericSchema<string, unknown>>(
    schema: S,
    condition: (value: v.InferOutput<S>, today: string) => SQL | undefined,
  ): Filter =>
  (value, today) => {
    const parsed = v.safeParse(schema, value)
    return parsed.success ? (condition(parsed.output, today) ?? sql`true`) : undefined
  }
