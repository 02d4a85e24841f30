import type { Context, Hono } from 'hono'
import type { BoundedQueue } from '../services/BoundedQueue.ts'
import { Refusal } from '../services/Refusal.ts'
import { FILES_PATH, type EmbeddedStore, type Grant } from '../store/embeddedStore.ts'
import { refuseMethod } from './answerFailure.ts'
import type { PortalEnv } from './PortalEnv.ts'
import { readWithTimeout } from './readJsonBody.ts'

/** The policy of a file that is opened in its own tab: no script, no form, no request, no frame around it. */
const SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'"
const FOLDERS = { PUT: 'incoming/', GET: 'stored/' } as const satisfies Record<Grant['method'], string>
/** The time to receive a file: enough for sixteen megabytes over a slow connection. */
const PATIENCE_MS = 120_000

/** Answers the embedded store's presigned addresses: PUT into `incoming/`, GET out of `stored/`, nothing else. */
export function mountFiles(app: Hono<PortalEnv>, store: EmbeddedStore, queue: BoundedQueue): void {
  app.put(`${FILES_PATH}/*`, async (c) => {
    const { name, contentType, contentLength = 0 } = await grantOf(c, store, 'PUT')
    const { headers } = c.req.raw
    const isAnnounced = headers.get('content-type') === contentType
    if (!isAnnounced || headers.get('content-length') !== String(contentLength)) throw new Refusal('UPLOAD_URL_INVALID')
    c.set('queue', queue)
    const isReceived = await queue.run(() => store.receive(name, piecesOf(c.req.raw, contentLength)))
    if (!isReceived) throw new Refusal('UPLOAD_EXISTS')
    return c.body(null, 200)
  })
  app.get(`${FILES_PATH}/*`, async (c) => {
    const grant = await grantOf(c, store, 'GET')
    const bytes = await store.read(grant.name, Infinity)
    if (!bytes) throw new Refusal('NOT_FOUND')
    return serve(c, bytes, grant)
  })
  app.all(
    `${FILES_PATH}/*`,
    refuseMethod(() => ['GET', 'PUT']),
  )
}

/** Reads the grant in the token of this address. Throws Refusal UPLOAD_URL_INVALID. */
async function grantOf(c: Context<PortalEnv>, store: EmbeddedStore, method: Grant['method']): Promise<Grant> {
  c.set('route', `${FILES_PATH}/:name`)
  const grant = await store.readGrant(c.req.query('token') ?? '')
  const isForRequest = grant?.method === method && c.req.path === `${FILES_PATH}/${grant.name}`
  // Even a signed address does not open a file that was not checked yet.
  const isOpen = isForRequest && grant.name.startsWith(FOLDERS[method])
  if (!isOpen) throw new Refusal('UPLOAD_URL_INVALID')
  return grant
}

/** Yields the body in pieces, with exactly the announced number of bytes. Throws Refusal. */
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
    // Does not wait for further data.
    reader?.cancel().catch(() => undefined)
  }
}

/** Serves a stored file. Its type and name are in the signed address, as with S3. */
function serve(c: Context<PortalEnv>, bytes: Uint8Array, { contentType, contentDisposition }: Grant): Response {
  c.header('content-type', contentType)
  c.header('content-disposition', contentDisposition ?? 'attachment')
  c.header('content-security-policy', SANDBOX)
  c.header('cache-control', 'private, no-store')
  return c.body(new Uint8Array(bytes))
}
