import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { launchAs, type PostgresUser } from '../../server/db/embedded/programs.ts'
import { Program } from './Program.ts'
import type { ClusterSettings } from './settings.ts'

const ROOT = resolve(import.meta.dirname, '../..')

export interface NodePlace {
  name: string
  /** Address for the other nodes and haproxy. */
  address: string
  /** Address by which this node reaches etcd. */
  etcdAddress: string
  /** Must exist and belong to `user`. */
  folder: string
  user: PostgresUser
  settings: ClusterSettings
  port: number
  restPort: number
}

/** Simulates a machine with PostgreSQL and Patroni by one process tree. */
export class DatabaseNode {
  readonly name: string
  readonly restUrl: string
  /** The addresses of its traffic with other machines. */
  readonly addresses: readonly string[]
  readonly port: number
  readonly data: string
  readonly #patroni: Program

  constructor({ user, ...place }: NodePlace) {
    const { name, address, etcdAddress, folder, port, restPort } = place
    this.name = name
    this.restUrl = `http://${address}:${restPort}`
    this.addresses = [address, etcdAddress]
    this.port = port
    this.data = join(folder, name)
    mkdirSync(join(folder, 'logs'), { recursive: true })
    const { program, args, ids } = launchAs(user, 'patroni', [join(ROOT, 'deploy/cluster/patroni.yml')])
    this.#patroni = new Program({
      name: `Patroni of ${name}`,
      command: [program, ...args],
      log: join(folder, 'logs', `${name}.log`),
      cwd: ROOT,
      env: nodeEnvironment(place, this.data),
      ...ids,
    })
  }

  start(): void {
    this.#patroni.start()
  }

  expectRunning(): void {
    this.#patroni.expectRunning()
  }

  /** Kills PostgreSQL alone, as a failed assertion or the kernel's out-of-memory killer does. */
  killPostmaster(): void {
    signal(this.#postmaster(), 'SIGKILL')
  }

  /** Kills all processes at once, like a loss of power. */
  async kill(): Promise<void> {
    const postgres = this.#postgresTree()
    const ended = this.#patroni.end('SIGKILL')
    for (const pid of postgres) signal(pid, 'SIGKILL')
    await ended
  }

  /** Lets it hang: nothing answers, and no connection ends. */
  pause(): void {
    for (const pid of this.#everything()) signal(pid, 'SIGSTOP')
  }

  goOn(): void {
    for (const pid of this.#everything()) signal(pid, 'SIGCONT')
  }

  /** Stops Patroni, which stops PostgreSQL first. */
  async stop(): Promise<void> {
    this.goOn()
    await this.#patroni.end()
    const left = this.#postgresTree()
    for (const pid of left) signal(pid, 'SIGKILL')
  }

  #everything(): number[] {
    const { pid } = this.#patroni
    return [...(pid === undefined ? [] : [pid]), ...this.#postgresTree()]
  }

  #postgresTree(): number[] {
    const postmaster = this.#postmaster()
    return postmaster === undefined ? [] : [postmaster, ...childrenOf(postmaster)]
  }

  /** Pid from the file in the data folder. A killed PostgreSQL leaves the file, and another program may have its number by now. */
  #postmaster(): number | undefined {
    const pid = Number(readOr(join(this.data, 'postmaster.pid'), '').split('\n')[0])
    return pid > 0 && readOr(`/proc/${pid}/cmdline`, '').includes(this.data) ? pid : undefined
  }
}

/** Environment variables for deploy/cluster/patroni.yml. */
function nodeEnvironment(
  { name, address, etcdAddress, folder, settings: { passwords, ports }, port, restPort }: Omit<NodePlace, 'user'>,
  data: string,
): Record<string, string> {
  return {
    PATRONI_NAME: name,
    PATRONI_ETCD3_HOSTS: `${etcdAddress}:${ports.etcd}`,
    // Otherwise it would learn the addresses of the etcd members from etcd itself, and use those.
    PATRONI_ETCD3_USE_PROXIES: 'true',
    PATRONI_RESTAPI_LISTEN: `${address}:${restPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:${restPort}`,
    // The login for switchover and restart; reading needs none.
    PATRONI_RESTAPI_USERNAME: 'patroni',
    PATRONI_RESTAPI_PASSWORD: passwords.restApi,
    // Patroni itself connects by the first address.
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1,${address}:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:${port}`,
    PATRONI_POSTGRESQL_DATA_DIR: data,
    PATRONI_POSTGRESQL_PGPASS: join(folder, `${name}.pgpass`),
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: passwords.replication,
    // For deploy/make-database.sh; Patroni writes this user's password into its pgpass file.
    POSTGRES_USER: 'postgres',
    PORTAL_PASSWORD: passwords.portal,
    PGHOST: 'localhost',
    PGPORT: String(port),
  }
}

const childrenOf = (pid: number): number[] =>
  readOr(`/proc/${pid}/task/${pid}/children`, '').trim().split(' ').filter(Boolean).map(Number)

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}

/** Sends a signal; the process may have ended meanwhile. */
function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
