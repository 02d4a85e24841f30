import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../server/db/engine/Database.ts'
import { throttle } from '../../server/db/schema/accounts.ts'
import { ERROR_MESSAGES } from '../../server/http/errorMessages.ts'
import { findProgram } from '../cluster/clusterPrograms.ts'
import { Program } from '../cluster/Program.ts'
import { until } from '../cluster/until.ts'
import { logIn, refresh, tryToLogIn, type Ask } from '../support/api/portalClient.ts'
import { makeMerchant } from '../support/database/builders.ts'
import { freePort } from '../support/server/freePort.ts'
import { serverEnvironment, type ServerEnvironment } from '../support/server/serverEnvironment.ts'
import { startServer, type ServerProcess } from '../support/server/serverProcess.ts'

const EXAMPLE = readFileSync(resolve(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8')
/** The example's map of addresses to the networks that nginx limits. */
const NETWORKS = /^ *map \$remote_addr \$network \{.*?^ *\}$/ms.exec(EXAMPLE)![0]

/** Each listens on one socket for IPv6 and IPv4. nginx and HAProxy then see `::ffff:127.0.0.21`. */
const PROXIES = {
  nginx: (port: number, upstream: string) => nginxWith(port, upstream, '$remote_addr'),
  'nginx that adds the port': (port: number, upstream: string) =>
    nginxWith(port, upstream, '$remote_addr:$remote_port'),
  haproxy: (port: number, upstream: string) => ({
    command: (file: string) => ['haproxy', '-db', '-f', file],
    file: `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  option forwardfor
listen portal
  bind :::${port} v4v6
  server one ${upstream}
`,
  }),
  caddy: (port: number, upstream: string) => ({
    command: (file: string) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
    file: `{
  admin off
  auto_https off
}
http://:${port} {
  reverse_proxy ${upstream}
}
`,
  }),
}

const nginxWith = (port: number, upstream: string, hop: string | undefined, more = '') => ({
  command: (file: string, folder: string) => ['nginx', '-p', folder, '-c', file, '-g', 'daemon off;'],
  file: `pid nginx.pid;
error_log error.log;
events {}
http {
  access_log off;
  ${NETWORKS}
  server {
    listen [::]:${port} ipv6only=off;
    location = /network { return 200 $network; }
    location / {
      proxy_pass http://${upstream};
      ${hop === undefined ? '' : `proxy_set_header X-Forwarded-For ${hop};`}
      ${more}
    }
  }
}
`,
})

const missing = ['nginx', 'haproxy', 'caddy'].filter((name) => !findProgram(name)).join(', ')

let place: ServerEnvironment
let database: Database
let server: ServerProcess
let folder: string
const running: Program[] = []

/** Starts a proxy of the server. Returns a client with an address of its own. */
async function behind(make: (port: number, upstream: string) => ReturnType<typeof nginxWith>) {
  const port = await freePort()
  const { command, file } = make(port, `127.0.0.1:${server.port}`)
  const own = mkdtempSync(join(folder, 'proxy-'))
  writeFileSync(join(own, 'settings'), file)
  const [name = '', ...args] = command(join(own, 'settings'), own)
  const env = { XDG_DATA_HOME: own, XDG_CONFIG_HOME: own }
  const program = new Program({ name, command: [findProgram(name)!, ...args], log: join(own, 'words'), env })
  running.push(program)
  program.start()
  const from =
    (localAddress: string): Ask =>
    (path, init) =>
      askFrom(localAddress, `http://127.0.0.1:${port}${path}`, init)
  await until(name, 10, async () => {
    program.expectRunning()
    return (await from('127.0.0.1')('/api/health?nonce=1')).ok || undefined
  })
  return from
}

const agent = new Agent({ keepAlive: false })

async function askFrom(localAddress: string, url: string, { method = 'GET', headers, body }: RequestInit = {}) {
  const sent = request(url, { agent, localAddress, method, headers: Object.fromEntries(new Headers(headers)) })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const { statusCode: status = 0, headersDistinct } = answer
  const all = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((one): [string, string] => [name, one]),
  )
  return new Response(await text(answer), { status, headers: all })
}

/** Returns whom the failed logins were counted against. */
const counted = async () =>
  (await database.db.select().from(throttle)).flatMap(({ key }) => /^login:(.*)/.exec(key)?.[1] ?? []).toSorted()

describe.skipIf(missing)(`the caller behind a proxy ${missing && `(without ${missing})`}`, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portal-addresses-'))
    place = await serverEnvironment()
    database = await place.open()
    server = await startServer({ ...place.env, TRUST_PROXY: 'on' })
  }, 90_000)
  beforeEach(() => database.db.delete(throttle))
  afterAll(async () => {
    await Promise.all(running.map((program) => program.end()))
    await server.stop()
    await database.close()
    await place.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(Object.entries(PROXIES))('has an address of its own behind %s', async (_, make) => {
    const from = await behind(make)
    const { main } = await makeMerchant(database.db)
    for (const last of [21, 22]) await tryToLogIn(from(`127.0.0.${last}`), main, 'wrong')
    expect(await counted()).toEqual(['127.0.0.21', '127.0.0.22'])
  })

  it('has an address of its own for the limit of deploy/nginx.conf', async () => {
    const from = await behind(PROXIES.nginx)
    const network = async (address: string) => (await from(address)('/network')).text()
    expect([await network('127.0.0.21'), await network('127.0.0.22')]).toEqual(['127.0.0.21', '127.0.0.22'])
  })

  it('has none behind an nginx that does not send it, which is told of once', async () => {
    const from = await behind((port, upstream) => nginxWith(port, upstream, undefined))
    const { main } = await makeMerchant(database.db)
    for (const last of [21, 22]) await tryToLogIn(from(`127.0.0.${last}`), main, 'wrong')
    expect(await counted()).toEqual([])
    expect(server.printed().match(/"event":"callers_hidden"/g)).toHaveLength(1)
  })

  it('a login behind an nginx that takes cookies away ends at the first refresh, which says what to do', async () => {
    const hiding = 'proxy_hide_header Set-Cookie;'
    const from = await behind((port, upstream) => nginxWith(port, upstream, '$remote_addr', hiding))
    const { main } = await makeMerchant(database.db)
    const { token, cookie } = await logIn(from('127.0.0.21'), main)
    expect(cookie).toBe('')
    for (let n = 0; n < 2; n += 1) {
      const { error, body } = await refresh(from('127.0.0.21'), token, cookie)
      expect([error, body]).toEqual([
        'BINDING_MISMATCH',
        expect.objectContaining({ message: ERROR_MESSAGES.BINDING_MISMATCH }),
      ])
    }
    expect(ERROR_MESSAGES.BINDING_MISMATCH).toContain('allow cookies')
    expect(server.printed().match(/"event":"cookie_not_returned"/g)).toHaveLength(1)
  })
})
