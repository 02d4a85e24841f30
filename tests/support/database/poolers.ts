import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../cluster/clusterPrograms.ts'
import { Program } from '../../cluster/Program.ts'
import { until } from '../../cluster/until.ts'
import { freePort } from '../server/freePort.ts'
import { execute } from './postgres.ts'

export type Pooler = Awaited<ReturnType<typeof startPgBouncer>>

/** Starts PgBouncer before the server of `url`. `settings` are lines of its configuration. Its pool can be as large as a server process needs. */
export async function startPgBouncer(url: string, settings: Record<string, string>) {
  const { hostname, port, pathname } = new URL(url)
  return start('pgbouncer', url, (at, folder) => ({
    'pooler.ini': [
      '[databases]',
      `${pathname.slice(1)} = host=${hostname} port=${port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${at}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${folder}/users`,
      'default_pool_size = 60',
      ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
    ],
    users: [`"${new URL(url).username}" ""`],
  }))
}

/** Starts Pgpool before a primary and its standby. `settings` are lines of its configuration. */
export async function startPgpool(url: string, standby: string, settings: Record<string, string>) {
  return start('pgpool', url, (at, folder) => ({
    'pooler.ini': [
      `backend_clustering_mode = 'streaming_replication'`,
      `listen_addresses = '127.0.0.1'`,
      `port = ${at}`,
      `socket_dir = '${folder}'`,
      `pcp_listen_addresses = ''`,
      `pcp_socket_dir = '${folder}'`,
      `pid_file_name = '${folder}/pid'`,
      `logdir = '${folder}'`,
      'num_init_children = 60',
      `sr_check_user = 'postgres'`,
      ...[url, standby].flatMap((one, nth) => [
        `backend_hostname${nth} = '${new URL(one).hostname}'`,
        `backend_port${nth} = ${new URL(one).port}`,
        `backend_weight${nth} = 1`,
      ]),
      ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
    ],
    'pcp.conf': [],
    'pool_hba.conf': [],
  }))
}

const ARGUMENTS = {
  pgbouncer: ['pooler.ini'],
  pgpool: ['-n', '-f', 'pooler.ini', '-F', 'pcp.conf', '-a', 'pool_hba.conf'],
}

/** Neither of them runs as root. */
const NOBODY = 65_534

async function start(
  name: keyof typeof ARGUMENTS,
  target: string,
  filesOf: (port: number, folder: string) => Record<string, readonly string[]>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'portal-pooler-'))
  const port = await freePort()
  for (const [file, lines] of Object.entries(filesOf(port, folder)))
    writeFileSync(join(folder, file), `${lines.join('\n')}\n`)
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  chmodSync(folder, 0o755)
  const program = new Program({
    name,
    command: [findProgram(name)!, ...ARGUMENTS[name]],
    cwd: folder,
    log: join(folder, 'log'),
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  })
  program.start()
  const url = new URL(target)
  url.port = String(port)
  await until(name, 20, async () => {
    program.expectRunning()
    await execute(url.href, 'SELECT')
    return true
  })
  return {
    url: url.href,
    async stop() {
      await program.end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
