import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { postgresUser } from '../../server/db/embedded/programs.ts'
import { startNginx } from '../support/operations/nginx.ts'
import { expectPrograms, findProgram } from './clusterPrograms.ts'
import { isWhole, membersOf, readiness } from './clusterState.ts'
import { DatabaseNode } from './DatabaseNode.ts'
import { haproxyEnvironment } from './haproxyEnvironment.ts'
import { Program } from './Program.ts'
import { NODES, settingsOf, type ClusterSettings } from './settings.ts'
import { until } from './until.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** Two copies of the database are made in this time, perhaps on a busy machine. */
const START_SECONDS = 120

export interface Cluster {
  nodes: readonly DatabaseNode[]
  servers: readonly { url: string; program: Program }[]
  /** The address for browsers and tills, and the certificate they trust. */
  proxy: { url: string; certificate: string }
  /** The portal's database on the node that leads. */
  databaseUrl: string
  /** The same database as superuser. */
  superuserUrl: string
  /** Authorization header for calls of Patroni's REST API that change something. */
  authorization: string
  isNew: boolean
  /** Waits until all nodes and servers work. @throws ClusterError TIMED_OUT */
  untilWhole(seconds: number): Promise<void>
  stop(): Promise<void>
}

interface ClusterOptions {
  isOver?: AbortSignal
  /** More variables for the second portal server. */
  secondServer?: Record<string, string>
}

/**
 * Starts etcd, three PostgreSQL with Patroni, haproxy, two portal servers and nginx on loopback, with their data in `folder`.
 * @throws ClusterError when a program is missing or does not come up; everything started is stopped then.
 */
export async function startCluster(
  folder: string,
  say: (line: string) => void,
  { isOver, secondServer = {} }: ClusterOptions = {},
): Promise<Cluster> {
  expectPrograms()
  mkdirSync(join(folder, 'logs'), { recursive: true })
  const settings = await settingsOf(folder)
  const started: { end(): Promise<unknown> }[] = []
  // Ends programs in reverse order, so that none loses one it uses.
  const stop = async () => {
    for (const one of started.toReversed()) await one.end()
  }
  const run = (program: Program) => {
    started.push(program)
    program.start()
    return program
  }
  try {
    say('etcd and three PostgreSQL with Patroni …')
    run(etcd(folder, settings))
    await until('etcd', START_SECONDS, () => hasVersion(settings), isOver)
    const nodes = makeNodes(folder, settings)
    started.push({ end: () => Promise.all(nodes.map((node) => node.stop())) })
    for (const node of nodes) node.start()
    const areWhole = async () => {
      for (const node of nodes) node.expectRunning()
      return isWhole(await membersOf(nodes)) || undefined
    }
    await until('a leader and two standbys', START_SECONDS, areWhole, isOver)
    say('haproxy and two portal servers …')
    run(haproxy(folder, settings)).expectRunning()
    const servers = settings.ports.servers.map((port, n) => ({
      url: `http://127.0.0.1:${port}`,
      program: portalServer(folder, settings, n, n === 1 ? secondServer : {}),
    }))
    started.push({ end: () => Promise.all(servers.map(({ program }) => program.end())) })
    for (const { program } of servers) program.start()
    await until('two portal servers', START_SECONDS, () => areReady(servers), isOver)
    const [first, second] = settings.ports.servers
    const nginx = await startNginx(settings.ports.proxy, [`127.0.0.1:${first}`, `127.0.0.1:${second}`])
    started.push({ end: nginx.stop })
    const untilWhole = async (seconds: number) => {
      await until('the cluster to be whole', seconds, async () => (await areWhole()) && areReady(servers))
    }
    return { nodes, servers, proxy: nginx, ...addresses(settings), isNew: settings.isNew, untilWhole, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function areReady(servers: Cluster['servers']): Promise<true | undefined> {
  for (const { program } of servers) program.expectRunning()
  const states = await Promise.all(servers.map(({ url }) => readiness(url)))
  return states.every((state) => state === 'ready') || undefined
}

function addresses({ ports, passwords }: ClusterSettings) {
  const leader = (login: string) => `postgres://${login}@127.0.0.1:${ports.leader}/portal`
  return {
    databaseUrl: leader(`portal:${passwords.portal}`),
    superuserUrl: leader(`postgres:${passwords.superuser}`),
    authorization: `Basic ${Buffer.from(`patroni:${passwords.restApi}`).toString('base64')}`,
  }
}

/** The folder that holds a data folder for each node. */
export const nodesFolder = (folder: string): string => join(folder, 'nodes')

function makeNodes(folder: string, settings: ClusterSettings): DatabaseNode[] {
  const own = nodesFolder(folder)
  mkdirSync(own, { recursive: true })
  const user = postgresUser(own)
  return NODES.map((node, n) => {
    const [port, restPort] = [settings.ports.postgres[n]!, settings.ports.rest[n]!]
    return new DatabaseNode({ ...node, folder: own, user, settings, port, restPort })
  })
}

const logOf = (folder: string, name: string) => join(folder, 'logs', `${name}.log`)

/** Returns true once etcd has decided its version: Patroni 3.0 asks for it once, and ends if there is none. */
async function hasVersion({ ports }: ClusterSettings): Promise<true | undefined> {
  const answer = await fetch(`http://${NODES[0]!.etcdAddress}:${ports.etcd}/version`)
  return !(await answer.text()).includes('not_decided') || undefined
}

/** Starts etcd. One is enough on one machine; in production there are three, on three machines. */
function etcd(folder: string, { ports }: ClusterSettings): Program {
  const clients = NODES.map(({ etcdAddress }) => `http://${etcdAddress}:${ports.etcd}`).join(',')
  const peer = `http://127.0.0.1:${ports.etcdPeer}`
  const options = {
    name: 'etcd1',
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': clients,
    'advertise-client-urls': clients,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd1=${peer}`,
    logger: 'zap',
    'log-level': 'warn',
  }
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  return new Program({ name: 'etcd', command: [findProgram('etcd')!, ...flags], log: logOf(folder, 'etcd') })
}

function haproxy(folder: string, settings: ClusterSettings): Program {
  const command = [findProgram('haproxy')!, '-db', '-f', join(ROOT, 'deploy/cluster/haproxy.cfg')]
  return new Program({
    name: 'haproxy',
    command,
    log: logOf(folder, 'haproxy'),
    env: haproxyEnvironment(settings.ports),
  })
}

function portalServer(folder: string, settings: ClusterSettings, n: number, more: Record<string, string>): Program {
  const { ports, secrets } = settings
  return new Program({
    name: `portal server ${n + 1}`,
    command: [process.execPath, '--import', 'tsx', join(ROOT, 'server/main.ts')],
    log: logOf(folder, `server${n + 1}`),
    cwd: ROOT,
    env: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(ports.servers[n]),
      PUBLIC_URL: `https://127.0.0.1:${ports.proxy}`,
      TRUST_PROXY: 'on',
      MFA: 'optional',
      DATA_DIR: join(folder, 'files'),
      DATABASE_URL: addresses(settings).databaseUrl,
      ...secrets,
      ...more,
    },
  })
}
