import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { Program } from '../../cluster/Program.ts'
import { until } from '../../cluster/until.ts'
import type { Ask } from '../api/portalClient.ts'
import { freePort } from '../server/freePort.ts'

const EXAMPLE = resolve(import.meta.dirname, '../../../deploy/nginx.conf')

const START_SECONDS = 10

export type Nginx = Awaited<ReturnType<typeof startNginx>>

/**
 * Runs deploy/nginx.conf on `port` in front of two servers ("host:port"), with only the names changed that an operator changes.
 * @throws Error with its own words when it does not come up, or when the file has one of these names no more.
 */
export async function startNginx(port: number, servers: readonly [string, string]) {
  const binary = nginxBinary()
  if (!binary) throw new Error('nginx is not installed: apt-get install nginx-light')
  const folder = mkdtempSync(join(tmpdir(), 'portal-nginx-'))
  makeCertificate(folder)
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, await freePort(), servers))
  const pid = join(folder, 'nginx.pid')
  const command = [binary, '-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;']
  const program = new Program({ name: 'nginx', command, log: join(folder, 'words') })
  const stop = async () => {
    await program.end()
    rmSync(folder, { recursive: true, force: true })
  }
  program.start()
  try {
    await until('nginx', START_SECONDS, () => (program.expectRunning(), existsSync(pid) || undefined))
  } catch (error) {
    await stop()
    throw error
  }
  const text = (name: string) => readFileSync(join(folder, name), 'utf8')
  return {
    /** https, with a certificate of its own. */
    url: `https://127.0.0.1:${port}`,
    /** To be trusted by its clients. */
    certificate: text('fullchain.pem'),
    /** What it wrote to its error log. */
    errors: () => text('error.log'),
    stop,
  }
}

function makeCertificate(folder: string): void {
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], { stdio: 'ignore' })
}

function configuration(folder: string, port: number, plainPort: number, servers: readonly [string, string]): string {
  const names: [string, string][] = [
    ['portal-1.internal:8080', servers[0]],
    ['portal-2.internal:8080', servers[1]],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['https://portal.example$', `https://127.0.0.1:${port}$`],
    ['server_name portal.example', 'server_name 127.0.0.1'],
    ['/etc/ssl/portal/fullchain.pem', join(folder, 'fullchain.pem')],
    ['/etc/ssl/portal/privkey.pem', join(folder, 'privkey.pem')],
    ['/run/nginx.pid', join(folder, 'nginx.pid')],
    ['/var/log/nginx/error.log', join(folder, 'error.log')],
    ['/var/log/nginx/portal.log', join(folder, 'portal.log')],
  ]
  const example = readFileSync(EXAMPLE, 'utf8').replaceAll(/^\s*#.*$/gm, '')
  return names.reduce((text, [name, value]) => {
    if (text.split(name).length !== 2) throw new Error(`deploy/nginx.conf does not say "${name}" once`)
    return text.replace(name, () => value)
  }, example)
}

/** Where Debian has it; a shell that is not root's often has no `sbin` in its PATH. */
const DEBIAN = '/usr/sbin'

/** The path of nginx, or `undefined` when this machine has none. */
export function nginxBinary(): string | undefined {
  const folders = [DEBIAN, ...(process.env['PATH'] ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, 'nginx')).find((file) => existsSync(file))
}

interface TlsClientOptions {
  /** The only one it trusts. */
  certificate: string
  /** Its own address; any of 127.0.0.0/8 will do. */
  from?: string
}

/** A client of `url` behind a certificate that no authority signed, which `fetch` cannot be told to trust. Keeps its connections. */
export function tlsClient(url: string, { certificate, from = '127.0.0.1' }: TlsClientOptions): Ask {
  const agent = new Agent({ keepAlive: true, ca: certificate, localAddress: from })
  return (path, { method = 'GET', headers, body } = {}) =>
    new Promise((resolve, reject) => {
      const call = request(
        url + path,
        { agent, method, headers: Object.fromEntries(new Headers(headers)) },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => resolve(new Response(Buffer.concat(chunks), wholeHead(answer))))
        },
      )
      call.on('error', reject)
      call.end(body)
    })
}

/** Header lines one by one: a header that comes twice is still seen twice, as "a, a". */
function wholeHead({ statusCode, rawHeaders }: { statusCode?: number; rawHeaders: string[] }): ResponseInit {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  return { status: statusCode ?? 0, headers }
}
