import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { EmbeddedError } from './programs.ts'

/** The address of a running PostgreSQL. */
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

/** The login that creates roles and databases. The portal's own login is not a superuser. */
export const SUPERUSER = 'postgres'

/** The number of the advisory lock whose holder owns this PostgreSQL and may end it. It is the same in every process. */
const OWNER_LOCK = 7_204_119
/** Error codes while PostgreSQL takes no connections, because it starts, recovers or ends. */
const NOT_READY_CODES = ['57P03', 'ECONNREFUSED', 'ENOENT', 'ECONNRESET']

/** Connects as superuser. The default `database` exists in every cluster. */
export async function connectAsSuperuser(
  { host, port }: Listening,
  { password }: Cluster,
  database = 'postgres',
): Promise<Client> {
  const name = `portal process ${process.pid}`
  const client = new Client({ host, port, user: SUPERUSER, password, database, application_name: name })
  // Nothing to do here: a running query fails, and EmbeddedPostgres sees the process end.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/**
 * Makes this process the owner of a running PostgreSQL, until the returned connection ends. The connection also ends when this process is killed.
 * Returns `undefined` while PostgreSQL takes no connections.
 * @throws EmbeddedError IN_USE when another process owns it
 */
export async function takeOwnership(listening: Listening, cluster: Cluster): Promise<Client | undefined> {
  const client = await connectAsSuperuser(listening, cluster).catch((error: NodeJS.ErrnoException) => {
    if (NOT_READY_CODES.includes(error.code ?? '')) return undefined
    throw error
  })
  if (!client) return undefined
  const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [OWNER_LOCK])
  if (rows[0]?.mine) return client
  const owner = await client.query<{ name: string }>(SELECT_LOCK_HOLDER, [OWNER_LOCK])
  await client.end()
  const name = owner.rows[0]?.name ?? 'another process'
  throw new EmbeddedError(
    'IN_USE',
    `${cluster.data} is in use by ${name}: stop that one first, or set another DATA_DIR.`,
  )
}

const SELECT_LOCK_HOLDER = `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND objid = $1 AND granted`

const POLL_MS = 50
/** How long a PostgreSQL that was left behind may take for a normal shutdown. */
const SHUTDOWN_TIMEOUT_MS = 30_000

/** Ends a PostgreSQL that a killed server left behind. */
export async function endLeftBehind(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT')
  const deadline = performance.now() + SHUTDOWN_TIMEOUT_MS
  while (isAlive(pid)) {
    if (performance.now() > deadline) process.kill(pid, 'SIGQUIT')
    await sleep(POLL_MS)
  }
}

/** The lines of postmaster.pid that are read here, by index. */
const PID = 0
const PORT = 3
const SOCKET_FOLDER = 4
const STATUS = 7

/** Finds the PostgreSQL that runs on this data folder, by its file postmaster.pid. */
export function runningPostmaster(data: string): (Listening & { isReady: boolean }) | undefined {
  const file = join(data, 'postmaster.pid')
  const lines = linesOf(file)
  const pid = Number(lines?.[PID])
  if (lines === undefined || !isAlive(pid)) return undefined
  // On other systems a process's folder is unknown, so any process with this number counts.
  if (process.platform === 'linux' && !isWorkingIn(pid, data)) {
    removeStale(file, lines, data)
    return undefined
  }
  const host = lines[SOCKET_FOLDER] || ''
  return { pid, host, port: Number(lines[PORT]), isReady: lines[STATUS] === 'ready' && host !== '' }
}

/**
 * Removes postmaster.pid when PostgreSQL was killed and another program now has its process id, as happens soon in a container. A new PostgreSQL
 * would mistake that program for a PostgreSQL, and not start. The file stays while any process of the killed PostgreSQL still runs: it makes the new
 * one wait, and without it both would write to the folder.
 */
function removeStale(file: string, lines: string[], data: string): void {
  const isUsed = readdirSync('/proc').some((name) => /^\d+$/.test(name) && isWorkingIn(Number(name), data))
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

/** True if this data folder is the working directory of the process, as it is for every process of PostgreSQL. */
function isWorkingIn(pid: number, data: string): boolean {
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
