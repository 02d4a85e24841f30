import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from './freePort.ts'
import { postgresBinaries } from './postgresBinaries.ts'

const SUPERUSER = 'portal'
const START_TIMEOUT_MS = 30_000

export interface Postgres {
  /** Connection URL of a database on this server. */
  url(database: string): string
  /** Makes an empty database and answers its URL. Names are the caller's; letters, digits and `_`. */
  createDatabase(name: string): Promise<string>
  /** Ends the server at once and removes its data. */
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** What the bench needs and the tests do not: their data is thrown away, so they skip the disk. */
  durable?: boolean
  settings?: Record<string, string>
}

/** initdb refuses root, so as root the server runs as a system user of its own. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const name = ['postgres', 'portaltest'].find((user) => spawnSync('id', ['-u', user]).status === 0) ?? addSystemUser()
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function addSystemUser(): string {
  execFileSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'portaltest'])
  return 'portaltest'
}

/**
 * Starts a throw-away PostgreSQL on a free port of 127.0.0.1 and waits until it accepts.
 * @throws Error when no PostgreSQL is installed, or with the server's own last words when it does not come up.
 */
export async function startPostgres({ durable = false, settings = {} }: PostgresOptions = {}): Promise<Postgres> {
  const binaries = postgresBinaries()
  if (!binaries) throw new Error('PostgreSQL is not installed: neither /usr/lib/postgresql/15/bin nor PATH has initdb')
  const user = serverUser()
  const data = dataFolder(binaries, user)
  const port = await freePort()
  const server = spawn(join(binaries, 'postgres'), ['-D', data, ...serverArguments(data, port, durable, settings)], {
    ...user,
    cwd: data,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const lastWords = collectLastWords(server)
  const killWithUs = () => void server.kill('SIGQUIT')
  process.once('exit', killWithUs)
  const url = (database: string) => `postgres://${SUPERUSER}@127.0.0.1:${port}/${database}`

  const stop = async () => {
    process.off('exit', killWithUs)
    await ended(server, 'SIGINT')
    rmSync(data, { recursive: true, force: true })
  }
  try {
    await untilAccepts(url('postgres'), server)
  } catch (error) {
    await stop()
    throw new Error(`PostgreSQL did not start: ${lastWords()}`, { cause: error })
  }
  return { url, stop, createDatabase: (name) => createDatabase(url, name) }
}

function dataFolder(binaries: string, user: { uid?: number; gid?: number }): string {
  const data = mkdtempSync(join(tmpdir(), 'portal-postgres-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(data, user.uid, user.gid)
  const args = ['-D', data, '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(join(binaries, 'initdb'), args, { ...user, cwd: data, stdio: ['ignore', 'ignore', 'pipe'] })
  return data
}

function serverArguments(data: string, port: number, durable: boolean, settings: Record<string, string>): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: data,
    max_connections: '200',
    ...(durable ? { shared_buffers: '256MB' } : { fsync: 'off', full_page_writes: 'off' }),
    ...settings,
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function collectLastWords(server: ChildProcess): () => string {
  let words = ''
  server.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-2_000)
  })
  return () => words
}

async function untilAccepts(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error
      await sleep(50)
    }
  }
}

function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    server.once('exit', () => resolve())
    server.kill(signal)
  })
}

async function createDatabase(url: (database: string) => string, name: string): Promise<string> {
  const client = new Client({ connectionString: url('postgres') })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
  return url(name)
}
