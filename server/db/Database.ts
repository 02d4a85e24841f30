import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { Durability } from './durability.ts'
import type { RowSource, TextRow } from './RowSource.ts'
import type * as schema from './schema.ts'

/** One type for both engines, and for a transaction of either. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

/** A hand-written statement: `name` lets PostgreSQL keep its plan, `text` has $1, $2 … for `Values` in order. */
export interface Statement<Values extends unknown[], Row> {
  name: string
  text: string
  /** Never there: it ties a statement to its types. */
  types?: (values: Values) => Row
}

export interface Database {
  db: Db
  engine: 'embedded' | 'postgresql'
  durability: Durability
  /** Whether `forTenant` has a wall: on PostgreSQL, where the role for it can be had (decision 0040). */
  isWalled: boolean
  /** The same database behind the wall of one organisation: its queries see no other's rows, whatever they forget. */
  forTenant(organisationId: string): Database
  /** The same without the wall. Each use says why: what it reads must be judged by the code itself. */
  portal(): Database
  /**
   * Runs a hand-written statement in one round trip. Columns arrive as text, number, boolean, Date or null: a statement casts
   * everything else, for the engines read other types differently.
   */
  run<Values extends unknown[], Row>(statement: Statement<Values, Row>, values: Values): Promise<Row[]>
  /**
   * Opens a reading of the database for as long as somebody downloads it. On PostgreSQL it has a connection of its own, and
   * nothing moves under it. Throws DatabaseUnavailable when as many as the server allows are open.
   */
  openReading(): Promise<Reading>
  /**
   * The same for whoever can do without one moment for all rows: while others have most of those connections, it is read in
   * batches beside everybody else, and does not wait.
   */
  openExport(): Promise<Reading>
  /** The connections to a database of its own, by what they are for; the embedded one has none. */
  pools(): PoolState[]
  /**
   * How long the first in the line for a connection has waited, where all of them are taken. The embedded engine has one for
   * everybody, is for small sites, and says 0. `portal`: the line of logins and counters alone, not that of merchants' calls.
   */
  longestWaitMs(line?: 'portal'): number
  close(): Promise<void>
}

export interface PoolState {
  /** Calls of signed-in merchants are run as tenants (decision 0040). */
  pool: 'portal' | 'tenants' | 'downloads'
  busy: number
  idle: number
  /** Calls that have no connection yet. */
  waiting: number
}

export interface Reading {
  db: Db
  /** All rows, at the pace of who takes them. Throws when nobody takes any for a minute, or the reading was closed. */
  rows(source: RowSource): AsyncGenerator<TextRow[], void, void>
  /** The same of cells (db/csvCells.ts) as lines of CSV in UTF-8; returns how many lines there were. */
  csv(source: RowSource): AsyncGenerator<Uint8Array, number, void>
  /** Ends it, and whatever the database still does for it. May be called again. */
  close(): Promise<void>
}
