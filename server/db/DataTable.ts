import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { LIMITS } from '../../src/contract/limits.ts'
import type { Cells } from './csvCells.ts'
import type { Db } from './Database.ts'
import { type RowSource, textOf } from './RowSource.ts'
import type { Scope } from './Scope.ts'

/** A SELECT that can still be narrowed: Drizzle's own, with no more of its type than is used here. */
export interface Selection<Row> extends PromiseLike<Row[]> {
  where(condition: SQL | undefined): Selection<Row>
  orderBy(...keys: SQL[]): Selection<Row>
  limit(rows: number): Selection<Row>
  offset(rows: number): Selection<Row>
}

/** What a table can be sorted by. Never null, so that "after this row" is a plain comparison. */
export interface SortKey {
  key: SQL | PgColumn
  type: 'uuid' | 'text' | 'bpchar' | 'integer' | 'date' | 'timestamptz'
}

export interface Order {
  key: SortKey
  direction: 'asc' | 'desc'
}

/**
 * A table as it is searched, sorted and filtered: allow-listed keys, and which rows are whose. Page, count and export are made
 * from the one `matches`, so that they cannot disagree.
 */
export interface DataTable<Row> {
  id: PgColumn
  /** Ids, from as few tables as conditions and sort keys need. */
  matches(db: Db): Selection<{ id: string }>
  /** All there is to show, from the tables that `select` joins. */
  columns: Record<keyof (Row & { id: string }), Cells[string]>
  /** The same rows with whatever fields. */
  select(db: Db, fields: Cells): Selection<Record<string, unknown>>
  within(scope: Scope): SQL | undefined
}

/** Conditions and order of one reading of a table. */
export interface Reading {
  conditions: (SQL | undefined)[]
  order: Order[]
}

/** One page. The deep part of it is walked over ids alone. */
export function pageOf<Row>(
  db: Db,
  table: DataTable<Row>,
  scope: Scope,
  { conditions, order }: Reading,
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
export function countOf<Row>(db: Db, table: DataTable<Row>, scope: Scope, { conditions }: Reading): Promise<number> {
  const counted = table
    .matches(db)
    .where(and(table.within(scope), ...conditions))
    .limit(LIMITS.tableCountedRows + 1)
  return db.$count(sql`${counted as unknown as SQL} AS counted`)
}

const EXPORT_BATCH = 2_000

/** All rows of a reading. A batch begins after the last row of the one before, whatever was inserted meanwhile. */
export function exportOf<Row>(
  table: DataTable<Row>,
  scope: Scope,
  { conditions, order }: Reading,
  cells: Cells,
): RowSource {
  const select = (db: Db, fields: Cells, after?: SQL) =>
    table
      .select(db, fields)
      .where(and(table.within(scope), ...conditions, after))
      .orderBy(...directed(order))
  return {
    all: (db) => select(db, cells) as unknown as SQL,
    async *batches(db) {
      let after: SQL | undefined
      do {
        const fields = { ...cells, position: positionIn(order) }
        const batch = (await select(db, fields, after).limit(EXPORT_BATCH)).map(textOf)
        if (batch.length > 0) yield batch.map((row) => row.slice(0, -1))
        const position = batch.length === EXPORT_BATCH ? batch.at(-1)?.at(-1) : undefined
        after = position === undefined ? undefined : isAfter(order, JSON.parse(position) as string[])
      } while (after)
    },
  }
}

/** `undefined` for a row that is not there or not in the scope: the caller cannot tell which. */
export async function rowOf<Row>(db: Db, table: DataTable<Row>, scope: Scope, id: string, condition?: SQL) {
  const [found] = await rowsOf(db, table).where(and(table.within(scope), eq(table.id, id), condition))
  return found
}

const rowsOf = <Row>(db: Db, table: DataTable<Row>) =>
  table.select(db, table.columns) as unknown as Selection<Row & { id: string }>

const directed = (order: Order[]): SQL[] =>
  order.map(({ key: { key }, direction }) => (direction === 'asc' ? sql`${key} ASC` : sql`${key} DESC`))

/** The sort keys of a row as text: exact, where a Date would drop microseconds. */
const positionIn = (order: Order[]): SQL<string> =>
  sql<string>`json_build_array(${sql.join(
    order.map(({ key: { key } }) => sql`${key}::text`),
    sql`, `,
  )})::text`

/** The rows behind `position`. Of keys that go one way the database compares the whole row, which an index can serve. */
function isAfter(order: Order[], position: string[]): SQL | undefined {
  const keys = order.map(({ key: { key, type }, direction }, index) => ({
    key,
    direction,
    value: sql`${position[index]}::${sql.raw(type)}`,
  }))
  const [first] = keys
  if (keys.every(({ direction }) => direction === first?.direction)) {
    const left = sql.join(
      keys.map(({ key }) => sql`${key}`),
      sql`, `,
    )
    const right = sql.join(
      keys.map(({ value }) => value),
      sql`, `,
    )
    return sql`(${left}) ${first?.direction === 'asc' ? sql`>` : sql`<`} (${right})`
  }
  const steps = keys.map(({ key, direction, value }, index) =>
    and(
      ...keys.slice(0, index).map((before) => sql`${before.key} = ${before.value}`),
      direction === 'asc' ? sql`${key} > ${value}` : sql`${key} < ${value}`,
    ),
  )
  return or(...steps)
}
