import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { escapeLiteral, type Client } from 'pg'
import type { Log } from '../../log.ts'
import { syncFolder } from '../../syncFolder.ts'
import type { Database } from '../engine/Database.ts'
import { openPostgresql } from '../engine/openPostgresql.ts'
import { EmbeddedPostgres } from './EmbeddedPostgres.ts'
import {
  EmbeddedError,
  findBinaries,
  launchAs,
  postgresUser,
  refuseFolderOfAnother,
  type Binaries,
  type PostgresUser,
} from './programs.ts'
import { connectAsSuperuser, runningPostmaster, SUPERUSER, type Cluster, type Listening } from './takeOver.ts'

export interface EmbeddedUse {
  /** A command works beside a running server; a server needs the folder for itself. */
  by: 'server' | 'command'
  /** True if root may create user namespaces. When unset, this is tried out. */
  hasNamespaces?: boolean
}

/** The longest socket path in bytes that every system allows. macOS allows 104 bytes, including a zero at the end. */
const LONGEST_SOCKET_PATH = 103
const SOCKET = '.s.PGSQL.5432'
/** The file in the data folder with the password of both logins. */
const PASSWORD_FILE = 'password'
/** The name of the portal's login and of its database. */
const PORTAL = 'portal'

/** For a small machine: the portal has 42 connections at most, and the desk a few. */
const SETTINGS = {
  listen_addresses: '',
  port: '5432',
  max_connections: '60',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  // One server, no standby.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  // Statements are short: they end before parallel workers or compiled code would help.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  // The portal logs its own faulty queries; no log may contain the text or values of a statement.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

export interface Embedded {
  /** The URL of the portal's database, for the login that owns it. */
  url: string
  /** Connects to the same database as superuser. */
  connectAsSuperuser(): Promise<Client>
  /** Ends the PostgreSQL, unless it belongs to a running server that a command has joined. */
  stop(): Promise<void>
}

/**
 * Opens and migrates the database in DATA_DIR/postgres.
 * @throws EmbeddedError
 */
export async function openEmbedded(dataDir: string, log: Log, use: EmbeddedUse): Promise<Database> {
  const embedded = await startEmbedded(dataDir, log, use)
  try {
    const database = await openPostgresql(embedded.url, log, 'embedded')
    return {
      ...database,
      async close() {
        await database.close()
        await embedded.stop()
      },
    }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

/**
 * Starts PostgreSQL with the data in DATA_DIR/postgres, which is made if missing. A command joins the PostgreSQL of a running server instead.
 * @throws EmbeddedError
 */
export async function startEmbedded(dataDir: string, log: Log, use: EmbeddedUse): Promise<Embedded> {
  const folder = join(resolve(dataDir), 'postgres')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  refuseFolderOfAnother(folder)
  const binaries = await findBinaries(join(folder, 'lib'))
  const isInUse = runningPostmaster(join(folder, 'data')) !== undefined
  const user = postgresUser(folder, { hasNamespaces: use.hasNamespaces, program: binaries.postgres, isInUse })
  const cluster = findOrMakeCluster(folder, binaries, user)
  const joined = use.by === 'command' ? await waitUntilReady(cluster) : undefined
  if (joined) return { ...describeConnection(joined, cluster), stop: () => Promise.resolve() }
  const socketDir = socketFolder(folder, user)
  // The setting is a list; quoted entries may contain blanks and commas.
  const settings = { ...SETTINGS, unix_socket_directories: `"${socketDir}"` }
  const postgres = new EmbeddedPostgres({ binaries, user, cluster, settings, log })
  const stop = async () => {
    await postgres.stop()
    if (socketDir !== folder) rmSync(socketDir, { recursive: true, force: true })
  }
  try {
    const listening = await postgres.start()
    await makeDatabase(listening, cluster)
    return { ...describeConnection(listening, cluster), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Tells how to connect. A socket folder cannot be the host of a URL, so it is given as a parameter. */
const describeConnection = (listening: Listening, cluster: Cluster) => ({
  url: `postgres://${PORTAL}:${cluster.password}@localhost:${listening.port}/${PORTAL}?host=${encodeURIComponent(listening.host)}`,
  connectAsSuperuser: () => connectAsSuperuser(listening, cluster, PORTAL),
})

/** Waits for the PostgreSQL of a running server; undefined when there is none. */
async function waitUntilReady({ data }: Cluster): Promise<Listening | undefined> {
  for (;;) {
    const running = runningPostmaster(data)
    if (!running || running.isReady) return running
    await sleep(50)
  }
}

/**
 * Opens the cluster in `folder`, or makes one there. Checksums are on, and text is sorted by PostgreSQL's own rules, so that a system update
 * cannot break an index.
 * @throws EmbeddedError OTHER_VERSION, DID_NOT_START
 */
function findOrMakeCluster(folder: string, binaries: Binaries, user: PostgresUser): Cluster {
  const data = join(folder, 'data')
  if (!existsSync(data)) makeCluster(data, binaries, user)
  refuseOtherVersion(data, binaries)
  return { data, password: readFileSync(join(data, PASSWORD_FILE), 'utf8') }
}

/** Makes the cluster in a draft folder, and renames the folder when the cluster and its password are complete. So half a cluster is never used. */
function makeCluster(data: string, binaries: Binaries, user: PostgresUser): void {
  const draft = `${data}.${process.pid}`
  const passwordFile = `${draft}.${PASSWORD_FILE}`
  try {
    writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
    if (user.uid !== undefined && user.gid !== undefined) chownSync(passwordFile, user.uid, user.gid)
    const { program, args, ids } = launchAs(user, binaries.initdb, [
      `--pgdata=${draft}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--data-checksums',
    ])
    const result = spawnSync(program, args, { ...ids, env: binaries.env, encoding: 'utf8' })
    if (result.status !== 0)
      throw new EmbeddedError('DID_NOT_START', `PostgreSQL could not make its data folder: ${result.stderr?.trim()}`)
    renameSync(passwordFile, join(draft, PASSWORD_FILE))
    syncFolder(draft)
    renameSync(draft, data)
    syncFolder(dirname(data))
  } catch (error) {
    // Another server may have been quicker.
    if (error instanceof EmbeddedError || !existsSync(data)) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
    rmSync(passwordFile, { force: true })
  }
}

function refuseOtherVersion(data: string, { major }: Binaries): void {
  const dataMajor = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (dataMajor === major) return
  throw new EmbeddedError(
    'OTHER_VERSION',
    `${data} was made by PostgreSQL ${dataMajor}, and this release runs ${major}. Nothing was changed: save the data with the release that made it (npm run backup) and restore it with this release, or run pg_upgrade.`,
  )
}

/** The folder of PostgreSQL's socket: DATA_DIR/postgres, or a private temporary folder when that path is too long. */
function socketFolder(folder: string, { uid, gid }: PostgresUser): string {
  if (Buffer.byteLength(join(folder, SOCKET)) <= LONGEST_SOCKET_PATH) return folder
  const socketDir = mkdtempSync(join(tmpdir(), 'portal-'))
  if (uid !== undefined && gid !== undefined) chownSync(socketDir, uid, gid)
  return socketDir
}

/** Makes the portal's database, the login that owns it and is not a superuser, and the role for tenants (decision 0040). */
async function makeDatabase(listening: Listening, cluster: Cluster): Promise<void> {
  const client = await connectAsSuperuser(listening, cluster)
  try {
    const roles = `SELECT FROM pg_roles WHERE rolname = `
    await client.query(`DO $make$ BEGIN
      IF NOT EXISTS (${roles}'${PORTAL}') THEN CREATE ROLE ${PORTAL} LOGIN PASSWORD ${escapeLiteral(cluster.password)}; END IF;
      IF NOT EXISTS (${roles}'${PORTAL}_tenant') THEN CREATE ROLE ${PORTAL}_tenant NOLOGIN; GRANT ${PORTAL}_tenant TO ${PORTAL}; END IF;
    END $make$`)
    const { rowCount } = await client.query(`SELECT FROM pg_database WHERE datname = '${PORTAL}'`)
    if (rowCount === 0) await client.query(`CREATE DATABASE ${PORTAL} OWNER ${PORTAL}`)
  } finally {
    await client.end()
  }
}
