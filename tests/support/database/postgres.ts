import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import { findBinaries, type Binaries } from '../../../server/db/embedded/binaries.ts'
import { launchAs, postgresUser, type PostgresUser } from '../../../server/db/embedded/PostgresUser.ts'
import { freePort } from '../server/freePort.ts'
import { DEBIAN_POSTGRES } from './debianPostgres.ts'

const SUPERUSER = 'postgres'

/**
 * Owns its databases and is little more than that, like the login of a careful operator: policies and rights hold as they do there.
 * A bench has the writes of one run on disk before the next; a database is dropped while the server may still be tidying it up.
 */
const LOGIN = `CREATE ROLE portal LOGIN CREATEDB; GRANT pg_checkpoint, pg_signal_backend TO portal;
  CREATE ROLE portal_tenant NOLOGIN; GRANT portal_tenant TO portal`

export interface Postgres {
  /** Connection URL of a database on this server, as its owner or as somebody else. */
  url(database: string, login?: string): string
  /** Makes an empty database and answers its URL. Names are the caller's; letters, digits and `_`. */
  createDatabase(name: string): Promise<string>
  /** Makes a standby the primary. */
  promote(): Promise<void>
  /** Changes settings while it runs, as an operator does. */
  configure(settings: Record<string, string>): Promise<void>
  /** Ends everybody's transactions and starts anew on the same data and port, as `pg_ctl restart -m fast` does. */
  restart(): Promise<void>
  /** Kills the postmaster (SIGKILL). Its backends end when they notice; `start` brings the server back. */
  kill(): Promise<void>
  /** Starts a server that ended on the same data and port, and waits until it accepts; also one that is still there. */
  start(): Promise<void>
  /** Ends the server at once and removes its data. */
  stop(): Promise<void>
}

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
  const url = (database: string, login = 'portal') => `postgres://${login}@127.0.0.1:${port}/${database}`
  const all = serverArguments(port, durable, settings)
  const { program, args, ids } = launchAs(user, binaries.postgres, ['-D', data, ...all])
  const how = { ...ids, cwd: data, env: binaries.env }
  const postgres = new PostgresProcess([program, ...args], how, url('postgres', SUPERUSER))
  const stop = async () => {
    await postgres.end('SIGINT')
    rmSync(place, { recursive: true, force: true })
  }
  const begin = () => postgres.start().then(() => (standbyOf ? undefined : execute(url('postgres', SUPERUSER), LOGIN)))
  await begin().catch((error: unknown) => stop().then(() => Promise.reject(error)))
  return {
    url,
    stop,
    createDatabase: (name) => createDatabase(url, name),
    promote: () => execute(url('postgres', SUPERUSER), 'SELECT pg_promote()'),
    configure: (changed) => configure(url('postgres', SUPERUSER), changed),
    async restart() {
      await postgres.end('SIGINT')
      await postgres.start()
    },
    kill: () => postgres.end('SIGKILL'),
    start: () => postgres.start(),
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

async function createDatabase(url: (database: string) => string, name: string): Promise<string> {
  await execute(url('postgres'), `CREATE DATABASE ${escapeIdentifier(name)}`)
  return url(name)
}

async function configure(url: string, settings: Record<string, string>): Promise<void> {
  const statements = Object.entries(settings).map(
    ([name, value]) => `ALTER SYSTEM SET ${escapeIdentifier(name)} = ${escapeLiteral(value)}`,
  )
  for (const statement of [...statements, 'SELECT pg_reload_conf()']) await execute(url, statement)
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const START_TIMEOUT_MS = 30_000

/** As whom, where and with what environment it runs. */
interface ProcessPlace {
  uid?: number
  gid?: number
  cwd: string
  env: NodeJS.ProcessEnv
}

/** One postmaster after another on the same data. */
class PostgresProcess {
  #child: ChildProcess | undefined
  readonly #command
  readonly #place
  readonly #url
  readonly #killWithUs = () => void this.#child?.kill('SIGQUIT')

  constructor(command: string[], place: ProcessPlace, url: string) {
    this.#command = command
    this.#place = place
    this.#url = url
  }

  /**
   * Backends of a killed postmaster may keep the next one out for a moment: it is started until it stays. One that still runs, in
   * the middle of its recovery perhaps, is waited for.
   */
  async start(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS
    if (this.#child && (await this.#isBack(deadline))) return
    process.once('exit', this.#killWithUs)
    for (;;) {
      const lastWords = this.#spawn()
      try {
        return await this.#untilAccepts(deadline)
      } catch (error) {
        const isStillHeld = lastWords().includes('pre-existing shared memory block')
        if (!isStillHeld || Date.now() > deadline) {
          throw new Error(`PostgreSQL did not start: ${lastWords()}`, { cause: error })
        }
      }
    }
  }

  /** Whether the one that runs accepts again; not when it ends instead. */
  async #isBack(deadline: number): Promise<boolean> {
    return this.#untilAccepts(deadline).then(
      () => true,
      (error: unknown) => {
        if (hasEnded(this.#child!)) return false
        throw error
      },
    )
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    process.off('exit', this.#killWithUs)
    const child = this.#child
    if (!child || hasEnded(child)) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  #spawn(): () => string {
    const [program = '', ...args] = this.#command
    this.#child = spawn(program, args, { ...this.#place, stdio: ['ignore', 'ignore', 'pipe'] })
    return collectLastWords(this.#child)
  }

  async #untilAccepts(deadline: number): Promise<void> {
    for (;;) {
      const client = new Client({ connectionString: this.#url, connectionTimeoutMillis: 1_000 })
      try {
        await client.connect()
        return await client.end()
      } catch (error) {
        if (hasEnded(this.#child!) || Date.now() > deadline) throw error
        await sleep(50)
      }
    }
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

function collectLastWords(server: ChildProcess): () => string {
  let words = ''
  server.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-2_000)
  })
  return () => words
}
