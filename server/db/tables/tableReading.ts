import { and, or, type SQL } from 'drizzle-orm'
import * as v from 'valibot'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { TableQuery } from '../../../src/contract/tables/tableQuery.ts'
import type { Db } from '../engine/Database.ts'
import type { Scope } from '../Scope.ts'
import { pageOf, type DataTable, type Filter, type Order, type TableReading } from './DataTable.ts'

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
    return parsed.success ? (condition(parsed.output, today) ?? and()) : undefined
  }
