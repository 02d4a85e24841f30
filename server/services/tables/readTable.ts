import { and, or, type SQL } from 'drizzle-orm'
import * as v from 'valibot'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Option, TablePage, TableQuery } from '../../../src/contract/tables/tableQuery.ts'
import { BYTE_ORDER_MARK, toCsv } from '../../../src/domain/csv.ts'
import { formatDay, singaporeDay } from '../../../src/domain/singaporeTime.ts'
import type { Scope } from '../../db/Scope.ts'
import type { Cells } from '../../db/tables/csvCells.ts'
import {
  countOf,
  exportOf,
  pageOf,
  type DataTable,
  type Order,
  type SortKey,
  type TableReading,
} from '../../db/tables/DataTable.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { noteExport } from './noteExport.ts'

/** One value of a filter as a condition; `undefined` for what the filter does not know. `today` is Singapore's. */
export type Filter = (value: string, today: string) => SQL | undefined

/** A table of the database in the words of the wire. `Row` is a row of the answer. */
export interface Listing<Found, Row, C extends string, F extends string> {
  table: DataTable<Found>
  columns: Record<C, SortKey>
  filters: Record<F, Filter>
  search(text: string): SQL | undefined
  rowOf(found: Found & { id: string }, today: string): Row
  /** Of the list for choices. */
  listOrder: Order[]
  nameOf(found: Found): string
  /** What an export is called, and its columns. */
  title: string
  csv(today: string): Cells
}

/** A page of what `scope` may see. Throws Refusal VALIDATION_FAILED for a filter value that is none. */
export async function readPage<Found, Row, C extends string, F extends string>(
  { database, clock }: Deps,
  scope: Scope,
  view: Listing<Found, Row, C, F>,
  query: TableQuery<C, F>,
): Promise<TablePage<Row>> {
  const today = singaporeDay(clock.now())
  const reading = toReading(view, query, today)
  const found = await pageOf(database.db, view.table, scope, reading, query)
  const counted = countedBy(query, found.length) ?? (await countOf(database.db, view.table, scope, reading))
  return {
    rows: found.map((one) => view.rowOf(one, today)),
    total: Math.min(counted, LIMITS.tableCountedRows),
    total_capped: counted > LIMITS.tableCountedRows,
  }
}

/** What the page itself tells about how many there are: it is the last one, or past all that is counted. */
function countedBy({ start, limit }: { start: number; limit: number }, found: number): number | undefined {
  if (found === 0) return start === 0 ? 0 : undefined
  const seen = start + found
  return found < limit || seen > LIMITS.tableCountedRows ? seen : undefined
}

export interface Export {
  filename: string
  pieces: AsyncGenerator<string | Uint8Array, void, void>
  /** To be called when nobody reads on, whyever. */
  release(): Promise<void>
}

/** All that the same query finds in the actor's scope, as CSV, made while it is read. Throws like `readPage`. */
export async function exportTable<Found, Row, C extends string, F extends string>(
  deps: Deps,
  actor: Actor,
  view: Listing<Found, Row, C, F>,
  query: TableQuery<C, F>,
): Promise<Export> {
  const today = singaporeDay(deps.clock.now())
  const cells = view.csv(today)
  const rows = exportOf(view.table, actor.scope, toReading(view, query, today), cells)
  const reading = await deps.database.openReading('export')
  return {
    filename: exportName(view.title, today),
    pieces: noteExport(deps, actor, view.title, csvOf(Object.keys(cells), reading.csv(rows))),
    release: () => reading.close(),
  }
}

export const exportName = (title: string, today: string): string => `${title}, ${formatDay(today)}.csv`

/** Lines under the names of their columns. */
export async function* csvOf(columns: string[], lines: Iterable<string> | AsyncIterable<Uint8Array>): Export['pieces'] {
  yield BYTE_ORDER_MARK + toCsv([columns])
  yield* lines
}

/** By name, for choices; at most LIMITS.listRows. */
export async function readList<Found, Row, C extends string, F extends string>(
  { database }: Deps,
  scope: Scope,
  { table, listOrder, nameOf }: Listing<Found, Row, C, F>,
): Promise<Option[]> {
  const whole = { start: 0, limit: LIMITS.listRows }
  const found = await pageOf(database.db, table, scope, { conditions: [], order: listOrder }, whole)
  return found.map((one) => ({ guid: one.id, name: nameOf(one) }))
}

function toReading<Found, Row, C extends string, F extends string>(
  view: Listing<Found, Row, C, F>,
  query: TableQuery<C, F>,
  today: string,
): TableReading {
  const text = query.search_str.trim()
  const search = text === '' ? undefined : view.search(text)
  return { conditions: [search, ...toConditions(view.filters, query, today)], order: toOrder(view, query) }
}

/** Values of one key are alternatives; an empty one is no filter. */
function toConditions<F extends string>(
  filters: Record<F, Filter>,
  { other_params }: Pick<TableQuery<string, F>, 'other_params'>,
  today: string,
) {
  const alternatives = new Map<F, SQL[]>()
  for (const [index, { key, value }] of other_params.entries()) {
    if (value === '') continue
    const condition = filters[key](value, today)
    if (!condition) throw notAValue(index)
    alternatives.set(key, [...(alternatives.get(key) ?? []), condition])
  }
  return [...alternatives.values()].map((conditions) => or(...conditions))
}

function notAValue(index: number): Refusal {
  const path = `other_params.${index}.value`
  return new Refusal('VALIDATION_FAILED', {
    fields: [{ path, rule: 'filter', message: 'is not a value of this filter' }],
  })
}

/** Ties go by guid, in the direction of the sort, so that one index serves both. */
function toOrder<C extends string>(
  { table, columns }: { table: DataTable<unknown>; columns: Record<C, SortKey> },
  { order_by }: Pick<TableQuery<C>, 'order_by'>,
): Order[] {
  const asked = order_by.map(({ column, sort_type }) => ({ key: columns[column], direction: sort_type }))
  return [...asked, { key: table.id, direction: asked.at(-1)?.direction ?? 'desc' }]
}

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
