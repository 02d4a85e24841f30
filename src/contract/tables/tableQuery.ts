import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { count, listOf, optionalText, withErrorCode } from '../wireFields.ts'
import { columnsOf, isFilterValue, LISTS, SEARCH_LENGTH, type ColumnOf, type FilterOf, type ListName } from './lists.ts'

/** Refuses a page that starts too far down a list: such pages are slow, and people do not read them. START_TOO_DEEP asks to narrow the search. */
export const reachableStart = v.check(
  withErrorCode('START_TOO_DEEP', (start: number) => start <= LIMITS.tableDeepestStart),
  'is too deep: narrow the search',
)

/** The table query (rule 11.1) with the columns and filters of a list. An empty value is no filter. */
export function tableQuery<const N extends ListName>(list: N) {
  const keys = Object.keys(LISTS[list].filters) as FilterOf<N>[]
  return v.strictObject({
    start: v.pipe(v.number(), v.safeInteger(), v.minValue(0), reachableStart),
    limit: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(LIMITS.tablePageSize)),
    search_str: v.optional(optionalText(SEARCH_LENGTH), ''),
    order_by: v.optional(
      listOf(
        v.strictObject({
          column: v.picklist(columnsOf(list), 'is not a column to sort by'),
          sort_type: v.picklist(['asc', 'desc']),
        }),
        3,
      ),
      [],
    ),
    other_params: v.optional(
      listOf(
        v.pipe(
          v.strictObject({ key: v.picklist(keys), value: optionalText(64) }),
          v.forward(
            v.check(
              ({ key, value }) => value === '' || isFilterValue(list, key, value),
              'is not a value of this filter',
            ),
            ['value'],
          ),
        ),
        10,
      ),
      [],
    ),
  })
}

export interface TableQuery<N extends ListName = ListName> {
  start: number
  limit: number
  search_str: string
  /** The most important first; when empty, the list's own order. */
  order_by: { column: ColumnOf<N>; sort_type: 'asc' | 'desc' }[]
  other_params: { key: FilterOf<N>; value: string }[]
}

/** `total` is exact up to 10,000; beyond that it is 10,000 and `total_capped` is true. */
export const tablePage = <R extends v.GenericSchema>(row: R) =>
  v.object({ rows: v.array(row), total: count, total_capped: v.boolean() })

export interface TablePage<R> {
  rows: R[]
  total: number
  total_capped: boolean
}

/** An entry of a reference list or a filter. */
export const Option = v.object({ guid, name: v.string() })
export type Option = v.InferOutput<typeof Option>
