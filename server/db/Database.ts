import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
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
  /**
   * Runs a hand-written statement in one round trip. Columns arrive as text, number, boolean, Date or null: a statement casts
   * everything else, for the engines read other types differently.
   */
  run<Values extends unknown[], Row>(statement: Statement<Values, Row>, values: Values): Promise<Row[]>
  close(): Promise<void>
}
