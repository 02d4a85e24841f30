import type { SQLWrapper } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { Writability } from './Primary.ts'

/** The database, or a transaction of it. */
export type Db = PgDatabase<PgQueryResultHKT>

/** A hand-written statement: `name` lets PostgreSQL keep its plan, `text` has $1, $2 … for `Values` in order. */
export interface Statement<Values extends unknown[], Row> {
  name: string
  text: string
  /** Never there: it ties a statement to its types. */
  types?: (values: Values) => Row
}

/** What an acknowledged redemption outlives. */
export interface Durability {
  survives: 'process crash' | 'power loss'
  /** Settings of PostgreSQL that are off, or weaker than its standby, and would have to be on for the second. */
  off: readonly string[]
}

export interface Database {
  db: Db
  /** `embedded`: a PostgreSQL that this process runs itself. */
  engine: 'embedded' | 'postgresql'
  durability: Durability
  /** Whether `forTenant` has a wall: where the role for it can be had (decision 0040). */
  isWalled: boolean
  /** The same database behind the wall of one organisation: its queries see no other's rows, whatever they forget. */
  forTenant(organisationId: string): Database
  /** The same without the wall. Each use says why: what it reads must be judged by the code itself. */
  portal(): Database
  /**
   * Runs a hand-written statement in one round trip. Columns arrive as text, number, boolean, Date or null: a statement casts
   * everything else.
   */
  run<Values extends unknown[], Row>(statement: Statement<Values, Row>, values: Values): Promise<Row[]>
  /**
   * A transaction of hand-written statements, rolled back when `work` throws. What is sent before an answer is awaited leaves in one
   * packet, BEGIN with the first of it, and is carried out in that order; COMMIT leaves with whatever `work` has not awaited. Whoever
   * relies on an answer awaits it.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** What becomes of a write, asked of the database now. Rejects when it does not answer. */
  askPrimary(): Promise<Writability>
  /** The same as it was found last. */
  writability(): Writability
  /** For how long it has not answered when it was asked that; 0 when it has. */
  awayMs(): number
  /**
   * Resolves when the standby that commits wait for, if there is one, has everything that was read before. A commit that was broken off
   * while it waited is visible here and may never be anywhere else: who says that something happened because there is a row calls
   * this first (decision 0072). Rejects as a query does.
   */
  waitForStandby(): Promise<void>
  /** Which pools get no connection that is what it must be, and what those lack (decision 0039). */
  refused(): Promise<{ pool: PoolState['pool']; lacks: Lack }[]>
  /**
   * Opens a reading of the database for as long as somebody downloads it. It has a connection of its own, and nothing moves
   * under it.
   * @throws DatabaseUnavailable when none is free
   */
  openReading(): Promise<Reading>
  /** The connections of this process, by what they are for. */
  pools(): PoolState[]
  close(): Promise<void>
}

/** `db` is for what is rarely asked: it builds each statement anew. */
export type Transaction = Pick<Database, 'db' | 'run'>

/** What a connection may lack: who it is, what binds it, or the disk that a commit waits for. */
export type Lack = 'role' | 'row security' | 'synchronous_commit'

export interface PoolState {
  /** Calls of logged-in merchants are run as tenants (decision 0040). */
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
  /** Ends it, and whatever the database still does for it. May be called again. */
  close(): Promise<void>
  /** Resolves when it ends, also where nobody has called `close`. */
  closed: Promise<void>
}

/** A row with every column as text, as the database writes it. */
export type TextRow = string[]

/** Rows too many to be held at once. */
export interface RowSource {
  /** The statement that gives every row. */
  all(db: Db): SQLWrapper
}

export interface FirstRows {
  first(db: Db, limit: number): Promise<TextRow[]>
}

/** What came from the driver as rows of text; what is not there is empty. */
export const toTextRow = (row: object): TextRow =>
  Object.values(row as Record<string, string | null>).map((column) => column ?? '')
