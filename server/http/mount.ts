import type { Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import * as v from 'valibot'
import { FILE_SIZE_HEADER, type Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { BACKLOG_HEADER } from '../../src/contract/redemptions/sync.ts'
import { rootCause } from '../db/engine/databaseError.ts'
import { throughFailover } from '../db/engine/Primary.ts'
import type { Deps } from '../Deps.ts'
import type { Log } from '../log.ts'
import type { AccessTokens, Claims } from '../services/accounts/sessions/accessTokens.ts'
import type { Actor, Caller } from '../services/accounts/sessions/Actor.ts'
import { authenticate, readToken, refuseUnlessAllowed } from '../services/accounts/sessions/authenticate.ts'
import type { BoundedQueue } from '../services/BoundedQueue.ts'
import type { Queues } from '../services/queues.ts'
import { SERVER_BUSY } from '../services/Refusal.ts'
import { bearerToken, callerOf } from './callerOf.ts'
import { compressed, isCompressed, jsonAnswer } from './compressed.ts'
import { bindingCookieName } from './cookies.ts'
import { parseInput, requiredHeaders } from './parseInput.ts'
import type { PortalEnv } from './PortalEnv.ts'
import { bodySizeOf, readJsonBody } from './readJsonBody.ts'
import type { Call, Credentials, DataAnswer, FileAnswer, Route } from './Route.ts'
import { isNamedBy } from './staticFiles.ts'

const BASE = { api: '/api', reporting: '/reporting' } as const

export const pathOf = ({ base, path }: Endpoint): string => BASE[base] + path

/**
 * Makes an endpoint's route. Order: identify the caller, check permission, read and check the request; then the handler; then the envelope. A
 * refused request throws a Refusal, which `app.onError` answers. `routeFor` returns the route with the database of one organisation, or with that
 * of the portal.
 */
export function mount(
  app: Hono<PortalEnv>,
  { deps, tokens }: MountParts,
  endpoint: Endpoint,
  routeFor: (organisationId?: string) => AnyRoute,
): void {
  const route = routeFor()
  if (isCompressed(endpoint)) app.on(endpoint.method, pathOf(endpoint), compressed)
  app.on(endpoint.method, pathOf(endpoint), async (c) => {
    c.set('route', endpoint.path)
    const queue = queueOf(deps.queues, endpoint, c.req.header(BACKLOG_HEADER) !== undefined)
    c.set('queue', queue)
    // While commits are not possible, or wait for a standby that is away, a write would only take a connection from readers.
    if (endpoint.method !== 'GET' && deps.database.writability() !== 'writable') throw SERVER_BUSY
    const credentials = credentialsOf(c, deps)
    // Callers without a session share one key, so the queue may be full for them while it has room for a caller with a session.
    queue?.refuseWhenFull(credentials.bearer ?? '')
    const caller = callerOf(c, deps)
    const carryOut = async () => {
      // The body may name a challenge, which identifies the caller: so it is read first.
      const readEarly = endpoint.access === 'challenge' ? await readCall(c, endpoint) : undefined
      const identity =
        readEarly && namesChallenge(readEarly.body)
          ? {}
          : await identify({ deps, tokens, queue }, endpoint, route, { ...credentials, caller })
      if (identity.userId) c.set('userId', identity.userId)
      const call = { ...(readEarly ?? (await readCall(c, endpoint))), ...identity, credentials, caller }
      // Some routes check the session or hold inside their own statement. They have no actor, so rows cannot be limited to an organisation
      // (decision 0040).
      const { handle } = identity.actor ? routeFor(identity.actor.organisation.id) : route
      const begin = async () => {
        const answer = await handle(call as never)
        // From here on a failure releases the file's connection (http/answerFailure.ts).
        if ('pieces' in answer) c.set('file', answer)
        return answer
      }
      // A call enters the queue only after it was read: slow senders take no place.
      return inTurn(queue, begin, {
        key: identity.actor?.organisation.id ?? identity.userId ?? '',
        isGone: caller.isGone,
      })
    }
    const answer = mayBeRepeated(endpoint)
      ? await throughFailover(deps.database, carryOut, caller.isGone)
      : await carryOut()
    for (const [name, value] of Object.entries(answer.headers ?? {})) {
      for (const one of [value].flat()) c.header(name, one, { append: name === 'set-cookie' })
    }
    // Hono would copy the answer for a header that is set later.
    if (isCompressed(endpoint)) c.header('vary', 'accept-encoding', { append: true })
    if (endpoint.tagged) {
      c.header('cache-control', 'no-cache')
      if (isNamedBy(c.req.header('if-none-match'), answer.headers?.['etag'])) return c.body(null, 304)
    }
    if ('pieces' in answer) return fileResponse(c, answer, deps.log)
    return jsonAnswer(c, { data: answer.data })
  })
}

export interface MountParts {
  deps: Deps
  tokens: AccessTokens
}

const HEALTH_CHECKS: readonly Endpoint[] = [ENDPOINTS['system.health'], ENDPOINTS['system.ready']]

const isHealthCheck = (endpoint: Endpoint) => HEALTH_CHECKS.includes(endpoint)

/**
 * Chooses the queue of a call. Health checks have none: they must work on a busy server. `isBacklog`: the caller says that no customer is waiting
 * for this call.
 */
function queueOf(queues: Queues, endpoint: Endpoint, isBacklog: boolean): BoundedQueue | undefined {
  if (isHealthCheck(endpoint)) return undefined
  const { access, lane } = endpoint
  if (lane === 'till') return isBacklog ? queues.uploads : queues.counter
  const isUrgent = typeof access === 'string' ? access === 'expired token' : access.feature === 'counter'
  return isUrgent ? queues.counter : queues.others
}

const inTurn = async <T>(
  queue: BoundedQueue | undefined,
  work: () => T | Promise<T>,
  options: Parameters<BoundedQueue['run']>[1],
): Promise<T> => (queue ? queue.run(work, options) : work())

/** True for reads whose handler may run again. Health checks report the current state, and a file may have begun. */
const mayBeRepeated = (endpoint: Endpoint) =>
  endpoint.method === 'GET' && !('file' in endpoint.answer) && !isHealthCheck(endpoint)

/** A route of any endpoint. `Routes` has checked that endpoint and handler fit. */
export interface AnyRoute {
  identify: Route<Endpoint>['identify']
  handle: (call: never) => Answered | Promise<Answered>
}

type Answered = DataAnswer<unknown> | FileAnswer

function credentialsOf(c: Context<PortalEnv>, { settings }: Deps): Credentials {
  const idle = v.safeParse(IdleSeconds, c.req.header('idle-seconds'))
  return {
    bearer: bearerToken(c.req.header('authorization')),
    binding: getCookie(c, bindingCookieName(settings)),
    idleSeconds: idle.success ? idle.output : undefined,
  }
}

/** True if the body names a challenge or its setup. A setup with a password belongs to a user who has a session. */
const namesChallenge = (body: unknown) =>
  typeof body === 'object' &&
  body !== null &&
  ('session' in body || ('setup' in body && !('encrypted_current_password' in body)))

/** A value that is not a number counts as not sent. */
const IdleSeconds = v.pipe(v.string(), v.regex(/^\d{1,7}$/), v.transform(Number))

interface Identity {
  /** For the log. */
  userId?: string
  claims?: Claims
  actor?: Actor
}

async function identify(
  { deps, tokens, queue }: Pick<MountParts, 'deps' | 'tokens'> & { queue: BoundedQueue | undefined },
  endpoint: Endpoint,
  route: AnyRoute,
  { bearer, idleSeconds, caller }: Credentials & { caller: Caller },
): Promise<Identity> {
  if (route.identify === 'nobody') return {}
  const claims = await readToken(tokens, bearer)
  if (route.identify === 'token') return { userId: claims.sub, claims }
  const actor = await inTurn(queue, () => authenticate(deps, claims, idleSeconds, caller), {
    key: claims.sub,
    isGone: caller.isGone,
  })
  refuseUnlessAllowed(endpoint, actor)
  return { userId: actor.userId, actor }
}

async function readCall(
  c: Context<PortalEnv>,
  endpoint: Endpoint,
): Promise<Omit<Call<Endpoint>, 'credentials' | 'caller'>> {
  const { params, query, body } = endpoint
  const headers = requiredHeaders(endpoint, (name) => c.req.header(name))
  return {
    headers,
    params: params && parseInput(params, c.req.param()),
    query: parseInput(query ?? NO_QUERY, singleValues(c.req.queries())),
    body: body && parseInput(body, await readJsonBody(c.req.raw, bodySizeOf(endpoint))),
  }
}

/** Refuses a parameter that the endpoint does not know, like an unknown field of a body. */
const NO_QUERY = v.pipe(
  v.strictObject({}),
  v.transform(() => undefined),
)

/** A parameter that is given twice stays a list, which every schema refuses (ACL-12). */
const singleValues = (queries: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(queries).map(([name, values]) => [name, values.length === 1 ? values[0] : values]))

/** Streams a file as fast as it is read, and stops the work when the reader is gone. */
function fileResponse(c: Context<PortalEnv>, file: FileAnswer, log: Log): Response {
  const { filename, contentType, size, pieces } = file
  c.header('content-type', contentType)
  c.header('content-disposition', contentDisposition(filename))
  if (size !== undefined) {
    c.header('content-length', String(size))
    c.header(FILE_SIZE_HEADER, String(size))
  }
  const encoder = new TextEncoder()
  let dropped = false
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          // The reader may have gone while the piece was made.
          if (dropped) return
          if (!done) return controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
          await file.release()
          controller.close()
        } catch (error) {
          if (dropped) return
          logBreak(c, error, log)
          await file.release().catch(() => undefined)
          breakOff(c, controller, error)
        }
      },
      async cancel() {
        dropped = true
        // Release first: a piece under way may be waiting for something that the release ends.
        await file.release()
        await pieces.return().catch(() => undefined)
      },
    },
    // No piece is made before it is requested, so memory stays flat for any slow reader.
    { highWaterMark: 0 },
  )
  return c.body(stream)
}

/** Closes the connection, so that half a file does not look complete, as a chunked body that ends cleanly would. */
function breakOff(c: Context<PortalEnv>, controller: ReadableStreamDefaultController, error: unknown): void {
  // On a socket node-server would end a failed stream with the error's text, so the socket is closed first.
  const outgoing = c.env?.outgoing
  if (!outgoing) return controller.error(error)
  outgoing.destroy()
  controller.close()
}

function logBreak(c: Context<PortalEnv>, error: unknown, log: Log): void {
  const root = rootCause(error)
  const message = root instanceof Error ? root.message : String(root)
  log.error('file_broken_off', { request_id: c.get('requestId'), message })
}

/** Writes the header as in RFC 6266: the name in ASCII for old clients, and complete in UTF-8 for others. Removes paths, line breaks and quotes. */
export function contentDisposition(filename: string): string {
  // Half of a surrogate pair, left by cutting a text, cannot be written as UTF-8 and would throw.
  const whole = Buffer.from(filename).toString()
  // oxlint-disable-next-line no-control-regex -- control characters are what must not pass
  const safe = whole.replaceAll(/[/\\\u0000-\u001f\u007f]/g, '_')
  const ascii = safe.replaceAll(/[–—]/g, '-').replaceAll(/[^ -~]|"/g, '_')
  const encoded = encodeURIComponent(safe).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
