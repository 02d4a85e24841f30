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
 * Runs deploy/nginx.conf on `port` in front of two servers ("host:port"). It changes only the names that an operator changes.
 * @throws Error with nginx's output when it does not start, or when the file no longer has one of these names.
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
    /** The https address, with a certificate of its own. */
    url: `https://127.0.0.1:${port}`,
    /** The certificate that clients have to trust. */
    certificate: text('fullchain.pem'),
    /** Returns the error log of nginx. */
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

/** Debian's folder of nginx. A user's PATH often has no `sbin`. */
const DEBIAN = '/usr/sbin'

/** Returns the path of nginx, or `undefined` if this machine has none. */
export function nginxBinary(): string | undefined {
  const folders = [DEBIAN, ...(process.env['PATH'] ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, 'nginx')).find((file) => existsSync(file))
}

interface TlsClientOptions {
  /** The only certificate that the client trusts. */
  certificate: string
  /** The client's own address; any of 127.0.0.0/8 works. */
  from?: string
}

/** Makes a client of `url` that trusts a certificate no authority signed, which `fetch` cannot do. It keeps its connections open. */
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

/** Returns the header lines one by one: a header that comes twice becomes "a, a". */
function wholeHead({ statusCode, rawHeaders }: { statusCode?: number; rawHeaders: string[] }): ResponseInit {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  return { status: statusCode ?? 0, headers }
}
