import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Program } from '../../cluster/Program.ts'
import { until } from '../../cluster/until.ts'
import { freePort } from '../server/freePort.ts'

interface Place {
  folder: string
  port: number
  /** The port of the portal. */
  server: number
}

interface Proxy {
  configuration: (place: Place) => string
  command: (file: string) => readonly string[]
  /** The client speaks HTTP/2 without TLS. */
  isHttp2?: true
}

const haproxy = (more: string): Proxy => ({
  configuration: ({ port, server }) =>
    [
      'defaults',
      '  mode http',
      '  timeout connect 5s',
      '  timeout client 60s',
      '  timeout server 60s',
      'frontend clients',
      `  bind 127.0.0.1:${port}${more}`,
      '  default_backend portal',
      'backend portal',
      `  server portal 127.0.0.1:${server}`,
    ].join('\n'),
  command: (file) => ['haproxy', '-db', '-f', file],
})

const MODULES = '/usr/lib/apache2/modules'
const module = (name: string) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`

/** The shortest configuration that each proxy's manual gives, so with its own habits. */
export const PROXIES = {
  'nginx with HTTP/1.0 to the server': {
    configuration: ({ folder, port, server }) =>
      [
        `pid ${folder}/nginx.pid;`,
        `error_log ${folder}/error.log;`,
        'events {}',
        'http {',
        '  access_log off;',
        `  client_body_temp_path ${folder}/body;`,
        `  proxy_temp_path ${folder}/proxy;`,
        `  server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${server}; } }`,
        '}',
      ].join('\n'),
    command: (file) => ['nginx', '-c', file, '-g', 'daemon off;'],
  },
  haproxy: haproxy(''),
  'haproxy with HTTP/2 to the client': { ...haproxy(' proto h2'), isHttp2: true },
  caddy: {
    configuration: ({ port, server }) =>
      `{\n  admin off\n  auto_https off\n}\nhttp://127.0.0.1:${port} {\n  reverse_proxy 127.0.0.1:${server}\n}\n`,
    command: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
  lighttpd: {
    configuration: ({ folder, port, server }) =>
      [
        'server.modules = ("mod_proxy")',
        `server.document-root = "${folder}"`,
        `server.upload-dirs = ("${folder}")`,
        'server.bind = "127.0.0.1"',
        `server.port = ${port}`,
        `proxy.server = ("" => (("host" => "127.0.0.1", "port" => ${server})))`,
      ].join('\n'),
    command: (file) => ['lighttpd', '-D', '-f', file],
  },
  apache2: {
    configuration: ({ folder, port, server }) =>
      [
        `ServerRoot ${folder}`,
        'ServerName 127.0.0.1',
        `PidFile ${folder}/pid`,
        `ErrorLog ${folder}/error.log`,
        ...['mpm_event', 'authz_core', 'proxy', 'proxy_http'].map(module),
        // As root it needs another user.
        ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
        `Listen 127.0.0.1:${port}`,
        `ProxyPass / http://127.0.0.1:${server}/`,
      ].join('\n'),
    command: (file) => ['apache2', '-D', 'FOREGROUND', '-f', file],
  },
} satisfies Record<string, Proxy>

export type ProxyName = keyof typeof PROXIES

const START_SECONDS = 10

/** Runs a proxy in front of the portal on the port `server`. @throws Error with its output when it does not start */
export async function startProxy(name: ProxyName, server: number) {
  const { configuration, command, ...more }: Proxy = PROXIES[name]
  const folder = mkdtempSync(join(tmpdir(), 'portal-proxy-'))
  const port = await freePort()
  const file = join(folder, 'configuration')
  // nginx works as another user than root, below this folder.
  chmodSync(folder, 0o755)
  writeFileSync(file, `${configuration({ folder, port, server })}\n`)
  const env = {
    PATH: [process.env['PATH'], '/usr/sbin'].join(delimiter),
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  }
  const program = new Program({ name, command: command(file), log: join(folder, 'words'), env })
  program.start()
  const stop = async () => {
    await program.end()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await until(name, START_SECONDS, () => (program.expectRunning(), listensOn(port)))
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `http://127.0.0.1:${port}`, isHttp2: more.isHttp2 === true, stop }
}

const listensOn = (port: number) =>
  new Promise<true | undefined>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)))
    socket.once('error', () => resolve(undefined))
  })
