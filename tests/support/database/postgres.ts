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
 * Owns its databases and is little more than that, like the login of a careful operator: policies and rights hold as they do there.
 * A bench has the writes of one run on disk before the next; a database is dropped while the server may still be tidying it up.
 */
const LOGIN = `CREATE ROLE portal LOGIN CREATEDB; GRANT pg_checkpoint, pg_signal_backend TO portal;
  CREATE ROLE portal_tenant NOLOGIN; GRANT portal_tenant TO portal`

export interface PostgresOptions {
  /** What the bench needs and the tests do not: their data is thrown away, so they skip the disk. */
  durable?: boolean
  settings?: Record<string, string>
  /** Where the data is kept; else among the temporary files. */
  folder?: string
  /** `shipped`: the one that the portal runs itself. `oldest`: the oldest that it supports, PostgreSQL 15 of Debian. */
  version?: 'shipped' | 'oldest'
  /** A standby of that one, under this name; both of the oldest version, whose programs can copy. */
  standbyOf?: { primary: Postgres; name: string }
}

/**
 * Starts a throw-away PostgreSQL on a free port of 127.0.0.1 and waits until it accepts.
 * @throws Error when it is not installed, or with the server's own last words when it does not come up.
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

/** One statement on a connection of its own. */
export async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // The statement fails then, and says it.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const START_TIMEOUT_MS = 30_000

/** A throw-away server: one postmaster after another on the same data and port. */
export class Postgres {
  readonly #program
  readonly #place
  readonly #port

  constructor(program: Program, place: string, port: number) {
    this.#program = program
    this.#place = place
    this.#port = port
  }

  /** Connection URL of a database on this server, as its owner or as somebody else. */
  url(database: string, login = 'portal'): string {
    return `postgres://${login}@127.0.0.1:${this.#port}/${database}`
  }

  /** Makes an empty database and answers its URL. Names are the caller's; letters, digits and `_`. */
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

  /** Ends everybody's transactions and starts anew on the same data and port, as `pg_ctl restart -m fast` does. */
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
   * Starts a server that ended, and waits until it accepts. Backends of a killed postmaster may keep the next one out for a moment: it
   * is started until it stays. One that still runs, in the middle of its recovery perhaps, is waited for.
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

  /** Whether the one that runs accepts again; not when it ends instead. */
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
