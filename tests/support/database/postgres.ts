import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import {
  findBinaries,
  type Binaries,
  launchAs,
  postgresUser,
  type PostgresUser,
} from '../../../server/db/embedded/programs.ts'
import { Program } from '../../cluster/Program.ts'
import { freePort } from '../server/freePort.ts'
import { DEBIAN_POSTGRES } from './debianPostgres.ts'

const SUPERUSER = 'postgres'

/**
 * A login that owns its databases and has few other rights, as a careful operator makes it: policies and rights apply to it. The bench needs
 * pg_checkpoint to have the writes of one run on disk before the next. Dropping a database that the server is still cleaning up needs
 * pg_signal_backend.
 */
const LOGIN = `CREATE ROLE portal LOGIN CREATEDB; GRANT pg_checkpoint, pg_signal_backend TO portal;
  CREATE ROLE portal_tenant NOLOGIN; GRANT portal_tenant TO portal`

export interface PostgresOptions {
  /** True for the bench. Tests skip the disk, because their data is thrown away. */
  durable?: boolean
  settings?: Record<string, string>
  /** The folder for the data; otherwise a temporary one. */
  folder?: string
  /** `shipped`: the version that the portal runs itself. `oldest`: the oldest one that it supports, PostgreSQL 15 of Debian. */
  version?: 'shipped' | 'oldest'
  /** Makes it a standby of this primary, under this name. Both must be of the oldest version, which has the programs to copy. */
  standbyOf?: { primary: Postgres; name: string }
}

/**
 * Starts a temporary PostgreSQL on a free port of 127.0.0.1 and waits until it accepts connections.
 * @throws Error when it is not installed, or with the server's last output when it does not start.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const { durable = false, settings = {}, folder = tmpdir(), version = 'shipped', standbyOf } = options
  const place = mkdtempSync(join(folder, 'portal-postgres-'))
  const binaries = version === 'oldest' ? DEBIAN : await findBinaries(join(place, 'lib'))
  const { data, user } = dataFolder(place, binaries, standbyOf)
  const port = await freePort()
  const { program, args, ids } = launchAs(user, binaries.postgres, [
    '-D',
    data,
    ...serverArguments(port, durable, settings),
  ])
  const log = join(place, 'log')
  const how = { name: 'PostgreSQL', command: [program, ...args], log, cwd: data, env: binaries.env, ...ids }
  const postgres = new Postgres(new Program({ ...how, signalAtExit: 'SIGQUIT' }), place, port)
  try {
    await postgres.start()
    if (!standbyOf) await execute(postgres.url('postgres', SUPERUSER), LOGIN)
    return postgres
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

type Programs = Pick<Binaries, 'initdb' | 'postgres' | 'env'>

const DEBIAN: Programs = {
  initdb: join(DEBIAN_POSTGRES, 'initdb'),
  postgres: join(DEBIAN_POSTGRES, 'postgres'),
  env: process.env,
}

function dataFolder(
  place: string,
  { initdb, env }: Programs,
  standbyOf: PostgresOptions['standbyOf'],
): { data: string; user: PostgresUser } {
  const parent = join(place, 'postgres')
  mkdirSync(parent)
  const user = postgresUser(parent)
  const data = join(parent, 'data')
  const { uid, gid } = user
  if (uid !== undefined && gid !== undefined) chownSync(place, uid, gid)
  const [tool, wanted] = standbyOf
    ? [join(DEBIAN_POSTGRES, 'pg_basebackup'), copying(data, standbyOf)]
    : [initdb, ['-D', data, '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']]
  const { program, args, ids } = launchAs(user, tool, wanted)
  execFileSync(program, args, { ...ids, cwd: parent, env, stdio: ['ignore', 'ignore', 'pipe'] })
  return { data, user }
}

function copying(data: string, { primary, name }: NonNullable<PostgresOptions['standbyOf']>): string[] {
  const url = new URL(primary.url('postgres', SUPERUSER))
  url.searchParams.set('application_name', name)
  return ['-D', data, '-d', url.href, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
}

function serverArguments(port: number, durable: boolean, settings: Record<string, string>): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    ...(durable ? { shared_buffers: '256MB' } : { fsync: 'off', full_page_writes: 'off' }),
    ...settings,
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Runs one statement on a connection of its own. */
export async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // The statement fails with the error.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const START_TIMEOUT_MS = 30_000

/** A temporary server: each start runs a new postmaster on the same data and port. */
export class Postgres {
  readonly #program
  readonly #place
  readonly #port

  constructor(program: Program, place: string, port: number) {
    this.#program = program
    this.#place = place
    this.#port = port
  }

  /** Returns the URL of a database on this server, for its owner or another login. */
  url(database: string, login = 'portal'): string {
    return `postgres://${login}@127.0.0.1:${this.#port}/${database}`
  }

  /** Makes an empty database and returns its URL. The caller picks the name: letters, digits and `_`. */
  async createDatabase(name: string): Promise<string> {
    await execute(this.url('postgres'), `CREATE DATABASE ${escapeIdentifier(name)}`)
    return this.url(name)
  }

  /** Makes a standby the primary. */
  promote(): Promise<void> {
    return execute(this.url('postgres', SUPERUSER), 'SELECT pg_promote()')
  }

  /** Changes settings while it runs, as an operator does. */
  async configure(settings: Record<string, string>): Promise<void> {
    const statements = Object.entries(settings).map(
      ([name, value]) => `ALTER SYSTEM SET ${escapeIdentifier(name)} = ${escapeLiteral(value)}`,
    )
    for (const statement of [...statements, 'SELECT pg_reload_conf()'])
      await execute(this.url('postgres', SUPERUSER), statement)
  }

  /** Ends all transactions and starts again on the same data and port, as `pg_ctl restart -m fast` does. */
  async restart(): Promise<void> {
    await this.#program.end('SIGINT')
    await this.start()
  }

  /** Kills the postmaster (SIGKILL). Its backends end when they notice; `start` brings the server back. */
  kill(): Promise<void> {
    return this.#program.end('SIGKILL')
  }

  /** Ends the server at once and removes its data. */
  async stop(): Promise<void> {
    await this.#program.end('SIGINT')
    rmSync(this.#place, { recursive: true, force: true })
  }

  /**
   * Starts a server that ended, and waits until it accepts connections. Backends of a killed postmaster may block the next one for a moment, so the
   * start is repeated. If a server is still running, perhaps in recovery, it waits for that one.
   */
  async start(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS
    if (this.#program.isRunning() && (await this.#isBack(deadline))) return
    for (;;) {
      this.#program.start()
      try {
        return await this.#untilAccepts(deadline)
      } catch (error) {
        const words = this.#program.lastWords()
        const isStillHeld = words.includes('pre-existing shared memory block')
        if (!isStillHeld || Date.now() > deadline) {
          throw new Error(`PostgreSQL did not start: ${words}`, { cause: error })
        }
      }
    }
  }

  /** Returns true when the running server accepts connections, false when it ends instead. */
  async #isBack(deadline: number): Promise<boolean> {
    return this.#untilAccepts(deadline).then(
      () => true,
      (error: unknown) => {
        if (!this.#program.isRunning()) return false
        throw error
      },
    )
  }

  async #untilAccepts(deadline: number): Promise<void> {
    for (;;) {
      try {
        return await execute(this.url('postgres', SUPERUSER), 'SELECT')
      } catch (error) {
        if (!this.#program.isRunning() || Date.now() > deadline) throw error
        await sleep(50)
      }
    }
  }
}
