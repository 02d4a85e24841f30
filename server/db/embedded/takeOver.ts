import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { EmbeddedError } from './programs.ts'

/** Where a running PostgreSQL listens. */
export interface Listening {
  pid: number
  /** The folder with its socket. */
  host: string
  port: number
}

/** A data folder of PostgreSQL ("cluster") and the password of its two logins. */
export interface Cluster {
  data: string
  password: string
}

/** The login that makes roles and databases. The portal's own login is not a superuser. */
export const SUPERUSER = 'postgres'

/** Any number, the same in every process: who holds it may start and end this PostgreSQL. */
const OWNER = 7_204_119
/** It is there and takes nobody: it starts, recovers or ends. */
const NOT_NOW = ['57P03', 'ECONNREFUSED', 'ENOENT', 'ECONNRESET']

/** A connection as superuser. `database` is there from the beginning unless another one is named. */
export async function connectAsSuperuser(
  { host, port }: Listening,
  { password }: Cluster,
  database = 'postgres',
): Promise<Client> {
  const name = `portal process ${process.pid}`
  const client = new Client({ host, port, user: SUPERUSER, password, database, application_name: name })
  // A query that waits fails by itself, and EmbeddedPostgres sees the process end.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/**
 * Makes this process the owner of a PostgreSQL that runs, until the connection that is returned ends: also when the process is
 * killed. `undefined` while it takes no connections.
 * @throws EmbeddedError IN_USE when another process owns it
 */
export async function takeOwnership(listening: Listening, cluster: Cluster): Promise<Client | undefined> {
  const client = await connectAsSuperuser(listening, cluster).catch((error: NodeJS.ErrnoException) => {
    if (NOT_NOW.includes(error.code ?? '')) return undefined
    throw error
  })
  if (!client) return undefined
  const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [OWNER])
  if (rows[0]?.mine) return client
  const owner = await client.query<{ name: string }>(HOLDER, [OWNER])
  await client.end()
  const name = owner.rows[0]?.name ?? 'another process'
  throw new EmbeddedError(
    'IN_USE',
    `${cluster.data} is in use by ${name}: stop that one first, or set another DATA_DIR.`,
  )
}

const HOLDER = `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND objid = $1 AND granted`

const LOOK_EVERY_MS = 50
/** A PostgreSQL that was left behind gets this long to end as it should. */
const PATIENCE_MS = 30_000

/** Ends one that a killed server left behind. */
export async function endLeftBehind(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT')
  const deadline = performance.now() + PATIENCE_MS
  while (isAlive(pid)) {
    if (performance.now() > deadline) process.kill(pid, 'SIGQUIT')
    await sleep(LOOK_EVERY_MS)
  }
}

/** The lines of postmaster.pid that are read here, by number. */
const PID = 0
const PORT = 3
const SOCKET_FOLDER = 4
const STATUS = 7

/** The PostgreSQL that runs on this data folder, by the file that it keeps there while it does. */
export function runningPostmaster(data: string): (Listening & { isReady: boolean }) | undefined {
  const file = join(data, 'postmaster.pid')
  const lines = linesOf(file)
  const pid = Number(lines?.[PID])
  if (lines === undefined || !isAlive(pid)) return undefined
  // Where the system does not tell in which folder a process works, any process of the number has to do.
  if (process.platform === 'linux' && !worksIn(pid, data)) {
    removeStale(file, lines, data)
    return undefined
  }
  const host = lines[SOCKET_FOLDER] || ''
  return { pid, host, port: Number(lines[PORT]), isReady: lines[STATUS] === 'ready' && host !== '' }
}

/**
 * The process of that number is another one: ours was killed, and in a container numbers come again soon. PostgreSQL would take
 * it for one of its own, and not start. The file stays while a process is left in the folder: with it PostgreSQL itself waits
 * for the last one of a killed server, and without it both would write.
 */
function removeStale(file: string, lines: string[], data: string): void {
  const isUsed = readdirSync('/proc').some((name) => /^\d+$/.test(name) && worksIn(Number(name), data))
  if (!isUsed && linesOf(file)?.[PID] === lines[PID]) rmSync(file, { force: true })
}

function linesOf(file: string): string[] | undefined {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim())
  } catch {
    return undefined
  }
}

/** Every process of PostgreSQL works in its data folder. */
function worksIn(pid: number, data: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
