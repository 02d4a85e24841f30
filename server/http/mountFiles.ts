import type { Context, Hono } from 'hono'
import type { BoundedQueue } from '../services/BoundedQueue.ts'
import { Refusal } from '../services/Refusal.ts'
import { FILES_PATH, type EmbeddedStore } from '../store/embeddedStore.ts'
import type { ObjectName } from '../store/FileStore.ts'
import type { PortalEnv } from './PortalEnv.ts'
import { readWithTimeout } from './readJsonBody.ts'

/** A file that is opened by itself may do nothing: no script, no form, no request, and nobody may frame it. */
const SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'"
/** The largest length that is signed; the contract's own limits are lower. */
const MOST_BYTES = 16 * 1_024 * 1_024
/** Sixteen megabytes over a slow connection. */
const PATIENCE_MS = 120_000
const NAME = /^\/(incoming|stored)(\/[\w-]+){3}$/

/** The embedded store's side of its presigned addresses: PUT into `incoming/`, GET out of `stored/`, nothing else. */
export function mountFiles(app: Hono<PortalEnv>, store: EmbeddedStore, queue: BoundedQueue): void {
  app.put(`${FILES_PATH}/*`, async (c) => {
    c.set('route', `${FILES_PATH}/:name`)
    const name = await signedName(c, store, 'PUT')
    const announced = announcedBytes(c.req.raw)
    c.set('queue', queue)
    const isReceived = await queue.run(() => store.receive(name, piecesOf(c.req.raw, announced)))
    if (!isReceived) throw new Refusal('UPLOAD_EXISTS')
    return c.body(null, 200)
  })
  app.get(`${FILES_PATH}/*`, async (c) => {
    c.set('route', `${FILES_PATH}/:name`)
    const name = await signedName(c, store, 'GET')
    const bytes = await store.read(name, MOST_BYTES)
    if (!bytes) throw new Refusal('NOT_FOUND')
    return serve(c, bytes)
  })
  app.all(`${FILES_PATH}/*`, () => Promise.reject(new Refusal('METHOD_NOT_ALLOWED')))
}

const FOLDER = { PUT: 'incoming', GET: 'stored' } as const

async function signedName(c: Context<PortalEnv>, store: EmbeddedStore, method: 'GET' | 'PUT'): Promise<ObjectName> {
  const { pathname, search } = new URL(c.req.url)
  const path = pathname.slice(FILES_PATH.length)
  const header = (name: string) => c.req.header(name)
  const isOurs = NAME.exec(path)?.[1] === FOLDER[method]
  if (!isOurs || !(await store.isSigned({ method, path, query: search, header })))
    throw new Refusal('UPLOAD_URL_INVALID')
  return path.slice(1) as ObjectName
}

function announcedBytes({ headers }: Request): number {
  const announced = Number(headers.get('content-length'))
  if (!Number.isSafeInteger(announced) || announced > MOST_BYTES) throw new Refusal('PAYLOAD_TOO_LARGE')
  return announced
}

/** As many bytes as the signed Content-Length says, as they come, and no more. Throws Refusal. */
async function* piecesOf({ body }: Request, announced: number): AsyncGenerator<Uint8Array, void, void> {
  const until = performance.now() + PATIENCE_MS
  const reader = body?.getReader()
  let size = 0
  try {
    while (reader) {
      const { done, value } = await readWithTimeout(() => reader.read(), until - performance.now())
      if (done) break
      size += value.byteLength
      if (size > announced) throw new Refusal('UPLOAD_URL_INVALID')
      yield value
    }
    if (size !== announced) throw new Refusal('UPLOAD_INCOMPLETE')
  } finally {
    // What else comes is not waited for.
    reader?.cancel().catch(() => undefined)
  }
}

/** Type and name are in the signed address, as with S3. */
function serve(c: Context<PortalEnv>, bytes: Uint8Array): Response {
  c.header('content-type', c.req.query('response-content-type') ?? 'application/octet-stream')
  c.header('content-disposition', c.req.query('response-content-disposition') ?? 'attachment')
  c.header('content-security-policy', SANDBOX)
  c.header('cache-control', 'private, no-store')
  return c.body(new Uint8Array(bytes))
}
