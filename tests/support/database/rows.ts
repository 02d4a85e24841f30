import { sql, type SQL } from 'drizzle-orm'
import type { TestDatabase } from './testDatabase.ts'

// Lets browser tests read and change rows behind the server's back, by table name and without code of the server. builders.ts makes the first data.
// Column names are in camel case here too.

export type Db = TestDatabase['db']

type Columns = Record<string, unknown>

const columnOf = (name: string): SQL =>
  sql`${sql.identifier(name.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`))}`

const assigned = (columns: Columns) =>
  sql.join(
    Object.entries(columns).map(([name, value]) => sql`${columnOf(name)} = ${sql.param(value)}`),
    sql`, `,
  )

const having = (columns: Columns) =>
  sql.join(
    Object.entries(columns).map(([name, value]) => sql`AND ${columnOf(name)} IS NOT DISTINCT FROM ${sql.param(value)}`),
    sql` `,
  )

/** Returns the rows with these values. Instants are returned as text. */
export async function rowsOf<Row = Columns>(db: Db, table: string, where: Columns): Promise<Row[]> {
  const asked = sql`SELECT to_jsonb(t) AS row FROM ${sql.identifier(table)} t WHERE true ${having(where)}`
  const { rows } = (await db.execute(asked)) as { rows: { row: Columns }[] }
  const named = (name: string) => name.replaceAll(/_([a-z])/g, (_, sign: string) => sign.toUpperCase())
  return rows.map(
    ({ row }) => Object.fromEntries(Object.entries(row).map(([name, value]) => [named(name), value])) as Row,
  )
}

export async function changeRows(db: Db, table: string, where: Columns, to: Columns): Promise<void> {
  await db.execute(sql`UPDATE ${sql.identifier(table)} SET ${assigned(to)} WHERE true ${having(where)}`)
}

export async function deleteRows(db: Db, table: string, where: Columns = {}): Promise<void> {
  await db.execute(sql`DELETE FROM ${sql.identifier(table)} WHERE true ${having(where)}`)
}

export async function makeRow(db: Db, table: string, columns: Columns): Promise<void> {
  const names = sql.join(Object.keys(columns).map(columnOf), sql`, `)
  const values = sql.join(
    Object.values(columns).map((value) => sql.param(value)),
    sql`, `,
  )
  await db.execute(sql`INSERT INTO ${sql.identifier(table)} (${names}) VALUES (${values})`)
}
