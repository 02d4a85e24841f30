import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { extname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { layoutFile } from '../../../src/domain/paths.ts'

export interface BuildServer {
  url: string
  /** Requests since the last `forget`, with the bytes of each answer's body. */
  asked: Asked[]
  forget(): void
  /** Ends every connection and stops listening. */
  stop(): Promise<void>
}

interface Asked {
  path: string
  at: number
  bytes: number
}

/** Total bytes of the requests that `only` selects; all by default. */
export const sumBytes = ({ asked }: BuildServer, only: (one: Asked) => boolean = () => true): number =>
  asked.filter(only).reduce((total, { bytes }) => total + bytes, 0)

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}

/** The smallest worker that starts a page without a connection, for the baselines, which have none. */
const leastWorker = (files: string[]) => `
const FILES = ${JSON.stringify(files)}
addEventListener('install', (event) => event.waitUntil(caches.open('least').then((kept) => kept.addAll(FILES))))
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
onfetch = (event) => {
  const { request } = event
  event.respondWith(caches.match(request.mode === 'navigate' ? '/index.html' : request).then((kept) => kept ?? fetch(request)))
}
`

function answerHealth(response: ServerResponse, nonce: string) {
  const body = { status: 'success', status_message: 'OK', request_id: 'bench', data: { nonce } }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Serves a build like the product's server: compressed files, hashed files for a year, the HTML of the layout. No API. */
export async function startBuildServer(directory: string): Promise<BuildServer> {
  const files = compressed(directory)
  const asked: BuildServer['asked'] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://bench')
    const isData = path.startsWith('/api/')
    // Without a health check the page would believe that it is in a captive network, and say so.
    if (path === '/api/health') return answerHealth(response, searchParams.get('nonce') ?? '')
    const wanted = extname(path) || isData ? path : files.has(layoutFile(path)) ? layoutFile(path) : '/index.html'
    const body = files.get(wanted)
    asked.push({ path, at: Date.now(), bytes: body?.length ?? 0 })
    if (!body) return void response.writeHead(404).end()
    const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    const type = TYPES[extname(wanted)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'br', 'cache-control': cache }).end(body)
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    forget: () => void asked.splice(0),
    stop() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      for (const socket of sockets) socket.destroy()
      return closed
    },
  }
}

function compressed(directory: string): Map<string, Buffer> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/\.(br|gz)$/.test(name) && statSync(join(directory, name)).isFile(),
  )
  const bodies = new Map(names.map((name) => [`/${name}`, bodyOf(join(directory, name))]))
  if (!bodies.has('/sw.js')) bodies.set('/sw.js', brotliCompressSync(leastWorker([...bodies.keys()])))
  return bodies
}

const bodyOf = (file: string) =>
  existsSync(`${file}.br`) ? readFileSync(`${file}.br`) : brotliCompressSync(readFileSync(file))
