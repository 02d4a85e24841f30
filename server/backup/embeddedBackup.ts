import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Client, escapeIdentifier } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import * as v from 'valibot'
import { startEmbedded, type Embedded } from '../db/embedded/openEmbedded.ts'
import { MIGRATIONS } from '../db/engine/openPostgresql.ts'
import { DeskError } from '../desk/Desk.ts'
import type { Log } from '../log.ts'

/**
 * A backup is a folder: `manifest.json`, `tables/` with each table's rows as COPY writes them, and `data/` with everything else in DATA_DIR: uploads,
 * unsent mail, secrets. COPY writes text, which every later version of PostgreSQL can read. There is no pg_dump: the npm packages of PostgreSQL do
 * not contain it.
 */
const Manifest = v.object({
  migrations: v.pipe(v.number(), v.integer()),
  tables: v.array(v.object({ name: v.string(), columns: v.array(v.string()) })),
  sequences: v.array(v.object({ name: v.string(), value: v.nullable(v.string()) })),
})
type Manifest = v.InferOutput<typeof Manifest>
type Table = Manifest['tables'][number]

/** The folder in DATA_DIR that is not copied: `tables/` has its rows. */
const POSTGRES_FOLDER = 'postgres'

/**
 * Saves the rows as they are at one moment, then the files. Only the owner can read the backup. A server may keep writing meanwhile.
 * @throws DeskError when there is no database, or when `target` is not empty or is in DATA_DIR
 */
export async function saveEmbedded(dataDir: string, target: string, log: Log): Promise<void> {
  if (!existsSync(join(dataDir, POSTGRES_FOLDER))) throw new DeskError(`There is no database in ${dataDir}.`)
  if (isWithin(target, dataDir)) throw new DeskError(`${target} is inside DATA_DIR: choose a place outside of it.`)
  await makeWholeFolder(target, (draft) => saveInto(draft, dataDir, log))
}

async function saveInto(draft: string, dataDir: string, log: Log): Promise<void> {
  const embedded = await startEmbedded(dataDir, log, { by: 'command' })
  try {
    await mkdir(join(draft, 'tables'), { mode: 0o700 })
    const manifest = JSON.stringify(await saveTables(embedded, draft), null, 2)
    await writeFile(join(draft, 'manifest.json'), manifest, { mode: 0o600 })
  } finally {
    await embedded.stop()
  }
  // Files are copied after the rows, because a server writes a file before the row that names it.
  await mkdir(join(draft, 'data'), { mode: 0o700 })
  const names = (await readdir(dataDir)).filter((name) => name !== POSTGRES_FOLDER)
  for (const name of names) await cp(join(dataDir, name), join(draft, 'data', name), { recursive: true })
}

/**
 * Fills DATA_DIR from a backup. Rows of an earlier release are migrated when the database is next opened.
 * @throws DeskError when `source` is not a backup or is from a later release, or when DATA_DIR is not empty
 */
export async function restoreEmbedded(source: string, dataDir: string, log: Log): Promise<void> {
  const manifest = await readManifest(source)
  await makeWholeFolder(dataDir, async (draft) => {
    await cp(join(source, 'data'), draft, { recursive: true })
    const embedded = await startEmbedded(draft, log, { by: 'server' })
    try {
      await migrateTo(manifest.migrations, embedded)
      await loadTables(embedded, manifest, source)
    } finally {
      await embedded.stop()
    }
  })
}

const isWithin = (path: string, folder: string) => !relative(folder, path).startsWith('..')

/** Fills a draft folder and renames it when it is complete, so that an incomplete one is never used. */
async function makeWholeFolder(target: string, fill: (draft: string) => Promise<void>): Promise<void> {
  if (existsSync(target) && (await readdir(target)).length > 0) throw new DeskError(`${target} is not empty.`)
  await mkdir(dirname(resolve(target)), { recursive: true })
  const draft = await mkdtemp(`${resolve(target)}.partial-`)
  try {
    await fill(draft)
    await rm(target, { recursive: true, force: true })
    await rename(draft, target)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

const SELECT_TABLES = `
  SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' GROUP BY c.relname ORDER BY c.relname`
const SELECT_SEQUENCES = `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`
const COUNT_MIGRATIONS = 'SELECT count(*)::int AS migrations FROM drizzle.__drizzle_migrations'

async function saveTables({ url }: Embedded, draft: string): Promise<Manifest> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows: tables } = await client.query<Table>(SELECT_TABLES)
    for (const table of tables) {
      const rows = client.query(copyTo(`COPY ${withColumns(table)} TO STDOUT`))
      await pipeline(rows, createWriteStream(fileOf(draft, table), { mode: 0o600 }))
    }
    // Sequences change even during this transaction. They are read last, so that none is behind a row.
    const { rows: sequences } = await client.query<Manifest['sequences'][number]>(SELECT_SEQUENCES)
    const { rows } = await client.query<{ migrations: number }>(COUNT_MIGRATIONS)
    return { migrations: rows[0]!.migrations, tables, sequences }
  } finally {
    await client.end()
  }
}

/** Loads all rows or none. Triggers are off, because they would refuse or add rows. */
async function loadTables({ connectAsSuperuser }: Embedded, { tables, sequences }: Manifest, source: string) {
  const client = await connectAsSuperuser()
  try {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica')
    // The migrations have filled some of the tables.
    await client.query(`TRUNCATE ${tables.map(({ name }) => escapeIdentifier(name)).join(', ')}`)
    for (const table of tables) {
      await pipeline(
        createReadStream(fileOf(source, table)),
        client.query(copyFrom(`COPY ${withColumns(table)} FROM STDIN`)),
      )
    }
    for (const { name, value } of sequences) {
      if (value !== null) await client.query('SELECT setval($1::regclass, $2::bigint)', [escapeIdentifier(name), value])
    }
    await client.query('COMMIT')
    // Without statistics PostgreSQL would choose slow plans in the first hours.
    await client.query('ANALYZE')
  } finally {
    await client.end()
  }
}

const withColumns = ({ name, columns }: Table) =>
  `${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(', ')})`
const fileOf = (folder: string, { name }: Table) => join(folder, 'tables', `${basename(name)}.copy`)

const Journal = v.looseObject({ entries: v.array(v.looseObject({ tag: v.string() })) })

/** Runs the first `count` migrations: those of the release that made the backup. */
async function migrateTo(count: number, { url }: Embedded): Promise<void> {
  const journal = v.parse(Journal, JSON.parse(await readFile(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')))
  if (count > journal.entries.length) {
    throw new DeskError('This backup was made by a later release of the portal: restore it with that release.')
  }
  const folder = await mkdtemp(join(tmpdir(), 'portal-migrations-'))
  const client = new Client({ connectionString: url })
  try {
    await cp(MIGRATIONS, folder, { recursive: true })
    const part = { ...journal, entries: journal.entries.slice(0, count) }
    await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify(part))
    await client.connect()
    await migrate(drizzle(client, { casing: 'snake_case' }), { migrationsFolder: folder })
  } finally {
    await client.end()
    await rm(folder, { recursive: true, force: true })
  }
}

async function readManifest(source: string): Promise<Manifest> {
  const file = join(source, 'manifest.json')
  if (!existsSync(file)) throw new DeskError(`${source} is not a backup: it has no manifest.json.`)
  return v.parse(Manifest, JSON.parse(await readFile(file, 'utf8')))
}
