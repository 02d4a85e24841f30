import { LIMITS } from '../../../src/contract/limits.ts'
import type { ColumnOf, ListName } from '../../../src/contract/tables/lists.ts'
import type { Option, TablePage, TableQuery } from '../../../src/contract/tables/tableQuery.ts'
import { BYTE_ORDER_MARK, csvLine, END_LINE, toCsv } from '../../../src/domain/csv.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { noteActivity, type ActivityEntry } from '../../db/activity/activity.ts'
import type { TextRow } from '../../db/engine/Database.ts'
import type { Scope } from '../../db/Scope.ts'
import {
  countRows,
  selectExport,
  selectList,
  selectPage,
  tableReading,
  type TableSource,
} from '../../db/tables/TableSource.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { openReading } from '../openReading.ts'

/** A table of the database in the fields of the contract. `Row` is a row of the answer. */
export interface Listing<Found, Row, N extends ListName> {
  table: TableSource<Found, N>
  rowOf(found: Found & { id: string }, today: string): Row
  /** The name of an export. */
  title: string
}

/** Returns a page of the rows that `scope` may see. */
export async function readPage<Found, Row, N extends ListName>(
  { database, clock }: Deps,
  scope: Scope,
  view: Listing<Found, Row, N>,
  query: TableQuery<N>,
): Promise<TablePage<Row>> {
  const today = singaporeDay(clock.now())
  const reading = tableReading(view.table, scope, query, today)
  const found = await selectPage(database.db, view.table, reading, query)
  const counted = countFromPage(query, found.length) ?? (await countRows(database.db, view.table, reading))
  return {
    rows: found.map((one) => view.rowOf(one, today)),
    total: Math.min(counted, LIMITS.tableCountedRows),
    total_capped: counted > LIMITS.tableCountedRows,
  }
}

/** Returns the count when the page itself shows it: the page is the last one, or beyond the counted rows. */
function countFromPage({ start, limit }: { start: number; limit: number }, found: number): number | undefined {
  if (found === 0) return start === 0 ? 0 : undefined
  const seen = start + found
  return found < limit || seen > LIMITS.tableCountedRows ? seen : undefined
}

export interface Export {
  filename: string
  pieces: AsyncGenerator<string, void, void>
  /** Frees the database connection. Call it when reading stops for any reason. */
  release(): Promise<void>
}

/** Exports all rows that the query finds in the actor's scope, as CSV made while it is read. Throws Refusal SERVER_BUSY. */
export async function exportTable<Found, Row, N extends ListName>(
  deps: Deps,
  actor: Actor,
  view: Listing<Found, Row, N>,
  query: TableQuery<N>,
): Promise<Export> {
  const today = singaporeDay(deps.clock.now())
  const cells = view.table.csv(today)
  const rows = selectExport(view.table, tableReading(view.table, actor.scope, query, today), cells)
  const reading = await openReading(deps, actor.organisation.id)
  try {
    return {
      filename: exportName(view.title, today),
      pieces: noteExport(deps, actor, view.title, csvOf(Object.keys(cells), linesOf(reading.rows(rows)))),
      release: () => reading.close(),
    }
  } catch (error) {
    await reading.close()
    throw error
  }
}

/** Returns a name such as `Vouchers, 2026-11-28.csv`, so that folders sort by list and day. */
export const exportName = (title: string, today: string): string => `${title}, ${today}.csv`

/** Yields a CSV file: the names of the columns, the lines and the end mark. */
export async function* csvOf(columns: string[], lines: Iterable<string> | AsyncIterable<string>): Export['pieces'] {
  yield BYTE_ORDER_MARK + toCsv([columns])
  yield* lines
  yield END_LINE
}

/** Yields many lines at a time, from cells that the database has written for a CSV (db/tables/csvCells.ts). */
async function* linesOf(rows: AsyncIterable<TextRow[]>): AsyncGenerator<string, void, void> {
  for await (const batch of rows) yield batch.map(csvLine).join('')
}

/** Yields the `pieces` of an exported list, and then logs that the actor has it. */
export const noteExport = <T>(deps: Deps, actor: Actor, title: string, pieces: AsyncGenerator<T, void, void>) =>
  noteWhenDelivered(
    deps,
    actor,
    { action: 'table.exported', subject: { type: 'list', id: title, name: title } },
    pieces,
  )

/** Yields the `pieces` of a file, and logs at the end that the actor has it. An interrupted download is not logged. */
export async function* noteWhenDelivered<T>(
  { database, clock }: Deps,
  actor: Actor,
  entry: Omit<ActivityEntry, 'organisationId'>,
  pieces: AsyncGenerator<T, void, void>,
): AsyncGenerator<T, void, void> {
  yield* pieces
  await noteActivity(database.db, actor, { organisationId: actor.organisation.id, ...entry }, clock.now())
}

interface ChoiceSource<Found, N extends ListName> {
  table: TableSource<Found, N>
  nameOf: (found: Found) => string
  /** The column that orders the choices. Without it, the newest choices come first. */
  column?: ColumnOf<N>
}

/** Returns the choices in the scope; at most LIMITS.listRows. */
export async function readChoices<Found, N extends ListName>(
  { database }: Deps,
  scope: Scope,
  { table, nameOf, column }: ChoiceSource<Found, N>,
): Promise<Option[]> {
  const found = await selectList(database.db, table, scope, column)
  return found.map((one) => ({ guid: one.id, name: nameOf(one) }))
}
