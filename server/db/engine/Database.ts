import type { SQLWrapper } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { Writability } from './Primary.ts'

/** The database, or a transaction of it. */
export type Db = PgDatabase<PgQueryResultHKT>

/** A hand-written statement: `name` lets PostgreSQL keep its plan, `text` has $1, $2 … for `Values` in order. */
export interface Statement<Values extends unknown[], Row> {
  name: string
  text: string
  /** Never set. It only tells TypeScript the types of the values and of a row. */
  types?: (values: Values) => Row
}

/** The failures that an acknowledged redemption survives. */
export interface Durability {
  survives: 'process crash' | 'power loss'
  /** The settings that keep PostgreSQL from surviving a power loss: they are off, or too weak for its standby. */
  off: readonly string[]
}

export interface Database {
  db: Db
  /** `embedded`: a PostgreSQL that this process runs itself. */
  engine: 'embedded' | 'postgresql'
  durability: Durability
  /** True if `forTenant` limits rows: the role for it exists (decision 0040). */
  hasRowSecurity: boolean
  /** The same database limited to one organisation: queries never see other organisations' rows, even if they forget a condition. */
  forTenant(organisationId: string): Database
  /** The same database without that limit. Each use states its reason: the code itself must check the rows it reads. */
  forAllTenants(): Database
  /** Runs a hand-written statement in one round trip. Columns arrive as text, number, boolean, Date or null: a statement casts all other types. */
  run<Values extends unknown[], Row>(statement: Statement<Values, Row>, values: Values): Promise<Row[]>
  /**
   * Runs a transaction of hand-written statements, and rolls it back when `work` throws. Statements that `work` sends without awaiting an answer
   * leave in one packet, with BEGIN before the first or COMMIT after the last, and run in order. If `work` depends on an answer, it must await it.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Asks the database now if a write would succeed. Rejects when it does not answer. */
  askPrimary(): Promise<Writability>
  /** The result of the last check, by `askPrimary` or in the background. */
  writability(): Writability
  /** Milliseconds for which these checks have had no answer; 0 after an answer. */
  awayMs(): number
  /**
   * Resolves when the standby that commits wait for, if there is one, has everything that was read before. A commit that was interrupted while it
   * waited is visible on the primary, and may never reach the standby. Call this before telling a caller that something happened because there is a row
   * (decision 0072). Rejects as a query does.
   */
  waitForStandby(): Promise<void>
  /** The pools whose newest connection was refused, and the property that this connection lacks (decision 0039). */
  unusablePools(): Promise<{ pool: PoolState['pool']; lacks: MissingProperty }[]>
  /**
   * Opens a snapshot of the database for a download. It uses one connection, and its data does not change.
   * @throws DatabaseUnavailable when none is free
   */
  openReading(): Promise<Reading>
  /** The connections of this process, by purpose. */
  pools(): PoolState[]
  close(): Promise<void>
}

/** Use `db` for rare statements: it builds each one anew. */
export type Transaction = Pick<Database, 'db' | 'run'>

/** A property that a connection lacks. `TimeZone` must be UTC and `DateStyle` ISO. Without `primary`, the connection reads from a standby. */
export type MissingProperty = 'role' | 'row security' | 'TimeZone' | 'DateStyle' | 'synchronous_commit' | 'primary'

export interface PoolState {
  /** `tenants` serves calls of logged-in merchants (decision 0040). */
  pool: 'portal' | 'tenants' | 'downloads'
  busy: number
  idle: number
  /** Calls that wait for a connection. */
  waiting: number
}

export interface Reading {
  db: Db
  /** Yields all rows as fast as the consumer takes them. Throws when none are taken for a minute, or the reading was closed. */
  rows(source: RowSource): AsyncGenerator<TextRow[], void, void>
  /** Ends the reading, and any query the database still runs for it. May be called again. */
  close(): Promise<void>
  /** Resolves when the reading ends, even if `close` was not called. */
  closed: Promise<void>
}

/** A row with every column as text, as the database writes it. */
export type TextRow = string[]

/** Rows that are too many to be held in memory. */
export interface RowSource {
  /** The statement that returns every row. */
  all(db: Db): SQLWrapper
}

export interface FirstRows {
  first(db: Db, limit: number): Promise<TextRow[]>
}

/** Turns a driver row into texts; null becomes empty. */
export const toTextRow = (row: object): TextRow =>
  Object.values(row as Record<string, string | null>).map((column) => column ?? '')
