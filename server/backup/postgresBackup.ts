import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { Primary } from '../db/engine/Primary.ts'
import { DeskError } from '../desk/Desk.ts'
import { decryptInto, encryptTo, isEncrypted, type BackupKeys } from './encryption.ts'
import { piped, type Command } from './piped.ts'

/**
 * Dumps the database of `url` to `file`, in the custom format of pg_dump: one moment of it, while servers go on writing. For its
 * owner alone, and encrypted where there is a recipient.
 * @throws DeskError when the file is there, or the dump fails; then nothing of it is left
 */
export async function savePostgres(url: string, file: string, { recipient }: BackupKeys): Promise<void> {
  if (existsSync(file)) throw new DeskError(`${file} is there already.`)
  const draft = `${file}.partial`
  try {
    await rm(draft, { force: true })
    // Who writes into it leaves its mode as it is. Where it cannot be made, they say why.
    await writeFile(draft, '', { mode: 0o600 }).catch(() => undefined)
    const dump = ['--format=custom', ...(recipient === undefined ? [`--file=${draft}`] : [])]
    const saving = await postgresTool('pg_dump', await majorOf(url), url, dump)
    await (recipient === undefined ? piped(saving) : piped(saving, encryptTo(draft, recipient)))
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * Fills the empty database of `url` from such a file, all of it or nothing.
 * @throws DeskError when the database has tables, the key is another one, or it fails
 */
export async function restorePostgres(url: string, file: string, keys: BackupKeys): Promise<void> {
  if (!existsSync(file)) throw new DeskError(`${file} is not there.`)
  if (await asked<{ tables: number }>(url, TABLES).then(({ tables }) => tables > 0)) {
    throw new DeskError('There are tables in this database: make an empty one, and set DATABASE_URL to it.')
  }
  const whole = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-acl']
  const major = await majorOf(url)
  if (await isEncrypted(file)) await decryptInto(await postgresTool('pg_restore', major, url, whole), file, keys)
  else await piped(await postgresTool('pg_restore', major, url, [...whole, file]))
  // A restored table has no statistics, and without them the first hours choose slow plans.
  await asked(url, 'ANALYZE')
}

const TABLES = `SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`

const VERSION = "SELECT current_setting('server_version_num')::int / 10000 AS major"

const majorOf = (url: string) => asked<{ major: number }>(url, VERSION).then(({ major }) => major)

async function asked<Row>(url: string, statement: string): Promise<Row> {
  const primary = new Primary(url)
  await primary.find()
  const client = new Client({ connectionString: primary.url() })
  await client.connect()
  try {
    return (await client.query(statement)).rows[0] as Row
  } finally {
    await client.end()
  }
}

const run = promisify(execFile)

/**
 * pg_dump or pg_restore for the database of `url`. They have to be of the server's own major version: another one refuses, or
 * writes what this server cannot read. Debian keeps each version in a folder of its own; elsewhere the PATH decides.
 * @throws DeskError when there is none, or it is of another version
 */
async function postgresTool(
  name: 'pg_dump' | 'pg_restore',
  major: number,
  url: string,
  args: string[],
): Promise<Command> {
  const debian = `/usr/lib/postgresql/${major}/bin/${name}`
  const tool = existsSync(debian) ? debian : name
  await refuseOtherVersion(tool, major)
  const { place, password } = withoutPassword(url)
  // The list of processes shows arguments to everybody, and the environment to nobody else.
  const env = { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) }
  return { name, program: tool, args: [...args, `--dbname=${place}`], env }
}

async function refuseOtherVersion(tool: string, major: number): Promise<void> {
  const said = await run(tool, ['--version']).catch(() => undefined)
  if (!said) throw new DeskError(`${tool} is not installed: it comes with the client of PostgreSQL ${major}.`)
  const found = /\) (\d+)/.exec(said.stdout)?.[1]
  if (found !== String(major)) throw new DeskError(`${tool} is of version ${found}, and the server of ${major}.`)
}

function withoutPassword(url: string): { place: string; password: string } {
  const place = new URL(url)
  const password = decodeURIComponent(place.password)
  place.password = ''
  return { place: place.href, password }
}
